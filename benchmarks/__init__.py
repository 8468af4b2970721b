"""Measurements of what users wait for; `python -m benchmarks.check` and the like print a table."""
