"""Agents, connections to models, and the secrets of both."""
