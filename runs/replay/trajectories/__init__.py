"""What the agent did in a trial, no matter who recorded it: calls, retries, loops, matching and tracked metrics."""
