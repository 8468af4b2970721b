"""What the agent did in a trial, whoever recorded it: calls, retries, loops, matching and tracked metrics."""
