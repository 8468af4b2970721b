"""Runs: start, list, show, control."""
