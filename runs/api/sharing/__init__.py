"""Links to runs, comparisons and replays."""
