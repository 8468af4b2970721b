"""What came of runs: their list, the page of one, comparisons, metrics, re-scores, imports and cases made of failures."""
