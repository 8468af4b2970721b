"""What a pack asks and how it judges, in words: a value that pages and commands show."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dimension of the score. `weight` and `threshold` are numbers as text, empty where there are none."""

    key: str
    summary: str
    weight: str = ""
    threshold: str = ""
    is_gate: bool = False


@dataclass(frozen=True, slots=True)
class Root:
    """A folder of a pack's files: the start of their paths, its words on screen, and whether agents may see them."""

    prefix: str
    label: str
    about: str
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A readable summary. `facts` are label and value; `criteria` say, one sentence each, what passes.

    `roots` are the folders in which the format keeps files apart by who may see them.
    """

    description: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    criteria: tuple[str, ...] = ()
    roots: tuple[Root, ...] = ()
