"""One trial: its verdict and scores, what its judges said, and its replay."""
