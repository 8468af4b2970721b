"""Endpoints: models that answer over HTTP, and how they are asked."""
