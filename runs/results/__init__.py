"""What came of a run: summaries, comparisons, replays from rows, exports, imports, and cases made of failures."""
