"""What the runs of a pack say together."""
