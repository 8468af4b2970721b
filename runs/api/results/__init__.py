"""What came of a run: its scores, metrics, re-scores, and comparisons of runs."""
