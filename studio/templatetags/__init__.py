"""Template tags of the studio."""
