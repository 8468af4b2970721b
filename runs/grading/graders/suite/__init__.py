"""Graders of task suites: each judges a trial by the evidence that it names (task-suite 4.2)."""
