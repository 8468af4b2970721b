"""Handing on a text that is still being written, without ever handing on a part of a secret."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Passing:
    """Cuts secrets out of a text that comes in pieces.

    `clear` cuts out those that are whole, `longest` is how many characters one can take up: so many are held back,
    since a secret may have begun in them.
    """

    clear: Callable[[str], str]
    longest: int
    held: str = ""

    def take(self, text: str) -> str:
        """What can be handed on now."""
        known = self.clear(self.held + text)
        end = max(0, len(known) - self.longest)
        self.held = known[end:]
        return known[:end]

    def rest(self) -> str:
        """What was held back, once the text has ended."""
        rest, self.held = self.held, ""
        return rest
