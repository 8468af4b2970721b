"""Gates over rows: requests, baselines, and the check that gives a verdict."""
