"""Gates: runs for them, their verdicts and policies, and their schedules."""
