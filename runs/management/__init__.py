"""Commands of `manage.py` that concern runs, and what they end with."""

from packs.formats.terminal import FINDINGS as FAILED
from packs.formats.terminal import FINE, MACHINERY, USAGE

__all__ = ["FAILED", "FINE", "MACHINERY", "USAGE"]
