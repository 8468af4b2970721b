"""Pages of what the runs of a pack say together."""
