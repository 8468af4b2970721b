"""Evidence as it is shown to models that judge: in fences whose mark cannot be part of what they hold.

So an answer can neither end its fence nor speak to the judge.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

# Longer evidence is cut, and the prompt says so.
MAX_SHOWN = 200_000


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A piece of evidence with the name under which it is shown."""

    title: str
    text: str

    @property
    def is_cut(self) -> bool:
        return len(self.text) > MAX_SHOWN


def fenced(exhibits: Sequence[Exhibit]) -> list[str]:
    """Each exhibit in a fence of its own, all with one mark."""
    mark = mark_for([exhibit.text for exhibit in exhibits])
    return [f"<<< {mark} {exhibit.title}\n{shown(exhibit)}\n>>> {mark}" for exhibit in exhibits]


def mark_for(texts: Sequence[str]) -> str:
    """A mark that none of the texts holds. The same texts have the same mark, so prompts can be repeated."""
    seed = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass"))
    while any(seed.hexdigest()[:16] in text for text in texts):
        seed.update(b"again")
    return seed.hexdigest()[:16]


def shown(exhibit: Exhibit) -> str:
    if not exhibit.is_cut:
        return exhibit.text
    return f"{exhibit.text[:MAX_SHOWN]}\n[cut: the first {MAX_SHOWN} of {len(exhibit.text)} characters]"
