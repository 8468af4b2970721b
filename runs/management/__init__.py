"""Commands of `manage.py` that concern runs, and what they end with."""

FINE, FAILED, USAGE, MACHINERY = range(4)
