"""A version, its input set and agents become a run: now, for a gate, or by a timetable (challenge-pack g)."""
