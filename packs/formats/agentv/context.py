"""What a test takes from around it: its suite's values and the files of its pack."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import dirname
from typing import Any

from packs.formats.agentv.filling import interpolate, variables_of
from packs.formats.agentv.layout import candidates
from packs.formats.agentv.reader import is_external
from packs.formats.agentv.reading import mapping, read_yaml
from packs.formats.document import Document, InputSet, Pack


@dataclass(frozen=True, slots=True)
class Around:
    """A suite as its tests see it: the document with placeholders filled in, its folder, and what files are there.

    `exists` takes the name of a file or folder; `texts` holds the files whose bytes are at hand. Where the values of
    placeholders are unknown, `variables` is None and they stay as written.
    """

    suite: Document
    folder: str
    exists: Callable[[str], bool]
    texts: Mapping[str, bytes] = field(default_factory=dict)
    variables: Mapping[str, str] | None = field(default_factory=dict)
    names: Sequence[str] = ()

    @property
    def is_external(self) -> bool:
        return is_external(self.suite)

    def filled(self, document: Any) -> Any:
        """A document with the placeholders of the environment filled in."""
        return document if self.variables is None else interpolate(document, self.variables)

    def find(self, path: str) -> str | None:
        """The file that a reference means: the first that is there in the search roots (C.2)."""
        return next((name for name in candidates(self.folder, path) if self.exists(name)), None)

    def text(self, name: str) -> str | None:
        """The text of a file; None where its bytes are not at hand."""
        data = self.texts.get(name)
        return None if data is None else data.decode("utf-8", "replace").replace("\r\n", "\n")

    def yaml(self, name: str) -> tuple[Any, bool]:
        """The value of a YAML file, placeholders filled in, and whether it could be read."""
        value, findings = read_yaml(self.texts.get(name, b""), name)
        return self.filled(value), not any(found.is_error for found in findings)


def around(pack: Pack, input_set: InputSet) -> Around:
    """What the tests of a suite see, from a tree."""
    texts = {asset.path: asset.content for asset in pack.assets if asset.content is not None}
    names = dict.fromkeys(asset.path for asset in pack.assets)
    folders = {name[:index] for name in names for index, letter in enumerate(name) if letter == "/"}
    folders |= set(_case_places(pack))
    return make(input_set.document, lambda name: name in names or name in folders or not name, texts, names)


def _case_places(pack: Pack) -> list[str]:
    """The folders of cases: they are there although no asset need lie in them."""
    found = []
    for each in pack.input_sets:
        path = each.document.get("tests")
        base = dirname(each.key)
        if isinstance(path, str):
            place = f"{base}/{path}" if base else path
            found += [f"{place.strip('./')}/{case.document.get('$folder')}" for case in each.cases]
    return found


def make(document: Document, exists: Callable[[str], bool], texts: Mapping[str, bytes], names: Any) -> Around:
    """What the tests of a suite see. `names` has the files; where a `.env` cannot be read its names are unknown."""
    folder = dirname(str(document.get("$file", "")))
    variables: dict[str, str] | None = {}
    for name in reversed(list(candidates(folder, ".env"))):
        if name in texts and variables is not None:
            variables |= variables_of(texts[name].decode("utf-8", "replace"))
        elif name in names:
            variables = None
    suite = document if variables is None else interpolate(document, variables)
    return Around(mapping(suite), folder, exists, texts, variables, tuple(names))
