"""What authors may have meant by a name that nothing knows."""

from collections.abc import Collection
from difflib import get_close_matches

_CUTOFF = 0.7
# A longer name is no slip of a known one; comparing takes time that grows with it.
_LONGEST = 100


def did_you_mean(name: str, known: Collection[str], otherwise: str) -> str:
    """Advice that names the known name that is most like `name`; `otherwise` where none is."""
    close = get_close_matches(name, known, n=1, cutoff=_CUTOFF) if len(name) <= _LONGEST else []
    return f"Did you mean {close[0]}?" if close else otherwise
