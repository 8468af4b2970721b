"""Trials at work: claim, load, execute, save, retry, and the progress of their run."""
