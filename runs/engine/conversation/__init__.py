"""A conversation with a simulated user: a script, a model or a person plays its phases (challenge-pack c.6)."""
