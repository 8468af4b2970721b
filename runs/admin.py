"""Curation of agents, runs and trials."""
