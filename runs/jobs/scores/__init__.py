"""Judging again what has ended: re-scoring, reviews by people, rankings by judges."""
