"""Pages of running: launch, runs, trials, replays and agents."""
