"""New packs that begin as a copy of a sample."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from packs.editing.draft import Author
from packs.formats import adapter_of, document
from packs.formats.archives import read_path
from packs.formats.checking import check_files
from packs.importing.reading import free_slug
from packs.importing.samples import SAMPLES
from packs.importing.writing import import_pack
from packs.models import Pack, Team


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample pack that ships with the studio. `name` tells it apart; `cases` counts its cases."""

    name: str
    format: str
    title: str
    description: str
    cases: int

    @property
    def label(self) -> str:
        """The name of its format."""
        return adapter_of(self.format).LABEL


def tree_of(path: Path) -> document.Pack:
    """The tree of a sample. Raises ValueError for a file that is none."""
    files, before = read_path(path)
    tree = check_files(files, before=before).pack
    if tree is None:
        raise ValueError(f"the sample {path.name} cannot be read")
    return tree


@cache
def samples() -> tuple[Sample, ...]:
    """Every sample, read once: they change only with the code."""
    found = []
    for path in sorted(SAMPLES.iterdir()):
        tree = tree_of(path)
        adapter = adapter_of(tree.format)
        cases = sum(len(input_set.cases) for input_set in tree.input_sets)
        description = adapter.card(tree.document).description
        title = adapter.title(tree.document) or path.stem
        found.append(Sample(path.stem, tree.format, title, description, cases))
    return tuple(found)


def copy_sample(team: Team, author: Author, name: str, title: str, slug: str = "") -> Pack:
    """A new draft that is a copy of a sample under another title and slug.

    Raises ImportRefused when the slug cannot be one or is taken, KeyError when there is no such sample.
    """
    path = {path.stem: path for path in SAMPLES.iterdir()}[name]
    wanted = free_slug(team, title, slug)
    tree = tree_of(path)
    adapter = adapter_of(tree.format)
    copied = replace(tree, key=wanted, document=adapter.identified(tree.document, wanted, title))
    return import_pack(team, author, adapter.dump(copied), wanted, format=tree.format, slug=wanted)
