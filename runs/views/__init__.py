"""Pages of running, a room for each part of the work."""
