"""What came of runs: their list, the page of one, comparisons, re-scores, imports, and cases made of failures."""
