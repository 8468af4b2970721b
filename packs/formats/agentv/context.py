"""What a test takes from around it: its suite's values and the files of its pack."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from posixpath import dirname
from typing import Any, TypeVar

from packs.formats.adapter import PackIndex
from packs.formats.agentv.filling import interpolate, variables_of
from packs.formats.agentv.layout import candidates, cases_folder
from packs.formats.agentv.reader import is_external
from packs.formats.agentv.reading import read_yaml
from packs.formats.document import Case, Document, InputSet, Pack
from packs.formats.values import mapping

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Around:
    """A suite as its tests see it: the document with placeholders filled in, its folder, and what files are there.

    `exists` takes the name of a file or folder; `texts` holds the files whose bytes are at hand. Where the values of
    placeholders are unknown, `variables` is None and they stay as written. `worked_out` keeps what is the same for all
    tests of the suite, by its name (see `once`).
    """

    suite: Document
    folder: str
    exists: Callable[[str], bool]
    texts: Mapping[str, bytes] = field(default_factory=dict)
    variables: Mapping[str, str] | None = field(default_factory=dict)
    names: Sequence[str] = ()
    folders: frozenset[str] = frozenset()
    parsed: dict[str, tuple[Any, bool]] = field(default_factory=dict, compare=False)
    worked_out: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def is_external(self) -> bool:
        return is_external(self.suite)

    def filled(self, document: Any) -> Any:
        """A document with the placeholders of the environment filled in."""
        return document if self.variables is None else interpolate(document, self.variables)

    def values(self) -> Mapping[str, str]:
        """The values of placeholders that the pack says; none while they are unknown."""
        return self.variables or {}

    def is_folder(self, name: str) -> bool:
        """Whether a name is known to be a folder's."""
        return name in self.folders

    def find(self, path: str) -> str | None:
        """The file that a reference means: the first that is there in the search roots (C.2)."""
        return next((name for name in candidates(self.folder, path) if self.exists(name)), None)

    def text(self, name: str) -> str | None:
        """The text of a file; None where its bytes are not at hand."""
        data = self.texts.get(name)
        return None if data is None else data.decode("utf-8", "replace").replace("\r\n", "\n")

    def once(self, name: str, work_out: Callable[["Around"], Value]) -> Value:
        """What a function says of the suite, worked out for the first test that asks and kept for the others."""
        if name not in self.worked_out:
            self.worked_out[name] = work_out(self)
        found: Value = self.worked_out[name]
        return found

    def yaml(self, name: str) -> tuple[Any, bool]:
        """The value of a YAML file, placeholders filled in, and whether it could be read."""
        if name not in self.parsed:
            value, findings = read_yaml(self.texts.get(name, b""), name)
            self.parsed[name] = self.filled(value), not any(found.is_error for found in findings)
        return self.parsed[name]


def around(pack: Pack, input_set: InputSet) -> Around:
    """What the tests of a suite see when they run: names that the pack says nothing for are empty."""
    found = checked_around(pack, input_set)
    return found if found.variables is not None else _made(found, {})


def checked_around(pack: Pack, input_set: InputSet) -> Around:
    """What the tests of a suite see while they are checked, from a tree."""
    texts = {asset.path: asset.content for asset in pack.assets if asset.content is not None}
    names = dict.fromkeys(asset.path for asset in pack.assets)
    folders = {name[:index] for name in names for index, letter in enumerate(name) if letter == "/"}
    folders |= {f"{place}/{case.document.get('$folder')}" for place, case in _case_places(pack)}
    folders |= {place for place, _ in _case_places(pack)}
    document = input_set.document
    folder = dirname(str(document.get("$file", "")))
    variables = _variables(folder, texts)
    bare = Around(document, folder, _exists(names, folders), texts, variables, tuple(names), frozenset(folders))
    return _made(bare, variables)


def _exists(names: Container[str], folders: Container[str]) -> Callable[[str], bool]:
    return lambda name: name in names or name in folders or not name


def indexed_around(index: PackIndex, document: Document) -> Around:
    """What the tests of a suite see while one node is checked: which files there are, not what they hold."""
    folder = dirname(str(document.get("$file", "")))
    return Around(document, folder, lambda name: not name or index.has_assets_at(name), {}, None)


def _made(found: Around, variables: Mapping[str, str] | None) -> Around:
    suite = found.suite if variables is None else interpolate(found.suite, variables)
    return replace(found, suite=mapping(suite), variables=variables, parsed={}, worked_out={})


def _variables(folder: str, texts: Mapping[str, bytes]) -> dict[str, str] | None:
    """The values that `.env` files say, the nearest winning; None where there are none of them."""
    names = [name for name in reversed(list(candidates(folder, ".env"))) if name in texts]
    found: dict[str, str] = {}
    for name in names:
        found |= variables_of(texts[name].decode("utf-8", "replace"))
    return found if names else None


def _case_places(pack: Pack) -> Iterator[tuple[str, Case]]:
    """The folders that hold folders of cases, with each case: they are there although no asset need lie in them."""
    for each in pack.input_sets:
        place = cases_folder(dirname(each.key), each.document)
        if place is not None:
            yield from ((place, case) for case in each.cases if "$folder" in case.document)
