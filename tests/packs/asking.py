"""Where a case of a format holds its question: found in what a new pack begins with, so that nobody has to list it."""

from packs.formats import adapter_of
from packs.formats.beginning import First
from packs.formats.findings import Path
from tests.packs.fine.generated import part_at, places

QUESTION = "How many parcels are left?"


def asked_at(name: str) -> Path:
    """The path of the question in a case's document; the last one, as a description may say the same."""
    adapter = adapter_of(name)
    first = First(QUESTION, "4", next(iter(adapter.FIRST_CHECKS)))
    document = adapter.starter("p", "P", first).input_sets[0].cases[0].document
    found: list[Path] = [path for path in places(document) if part_at(document, path) == QUESTION]
    return found[-1]
