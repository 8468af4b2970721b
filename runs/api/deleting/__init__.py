"""Deleting over the API, and the bin of a team."""
