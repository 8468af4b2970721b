"""Proof of cases: answers with a known worth are graded, and what comes out otherwise is said (docs/proof.md)."""
