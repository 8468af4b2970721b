"""Structure: what the schema of a node refuses, as findings in the words of its format, and what forms read of it."""

from packs.formats.structure.counting import counting
from packs.formats.structure.examining import Structure
from packs.formats.structure.published import published
from packs.formats.structure.words import described

__all__ = ["Structure", "counting", "described", "published"]
