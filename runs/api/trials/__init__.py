"""Trials: their records in and out, cases made of failures, and answers tried on drafts."""
