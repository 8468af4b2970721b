"""What every format fulfils: a module with the names of `Adapter`, listed in `packs.formats.FORMATS`."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from packs.formats.document import Address, Case, Document, NodeKind, Pack
from packs.formats.findings import Finding, Path

if TYPE_CHECKING:
    from packs.formats.beginning import First
    from packs.formats.card import Card
    from packs.formats.failure import Failure
    from packs.formats.task import Task

# File name (relative, forward slashes) to bytes: what was uploaded, read from a folder or unpacked from an archive.
Files = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Node:
    """A node as a check sees it: its document, its identity and where it stands among its siblings.

    `key` and `challenge_key` are as rows hold them: of long ones the beginning. `parent` is the index of the input set
    for a case and 0 otherwise; `position` the index among the siblings.
    """

    kind: NodeKind
    document: Document
    key: str = ""
    challenge_key: str = ""
    parent: int = 0
    position: int = 0

    @property
    def address(self) -> Address:
        """Where it stands in the tree."""
        if self.kind is NodeKind.PACK:
            return Address(self.kind)
        return Address(self.kind, (self.parent, self.position) if self.kind is NodeKind.CASE else (self.position,))


@dataclass(frozen=True, slots=True)
class Above:
    """The documents that a node stands below: the pack's, and for a case its input set's."""

    pack: Document
    input_set: Document = field(default_factory=dict)


class PackIndex(Protocol):
    """What a check of one node may ask about the rest of its pack; answered by a tree or by rows.

    Every answer takes time independent of the pack's size. Keys are compared trimmed.
    """

    @property
    def pack(self) -> Document:
        """The pack's own document."""

    def challenge(self, key: str) -> Document | None:
        """The document of the first challenge with this key."""

    def asset(self, key: str) -> Document | None:
        """The document of the first asset with this key."""

    def has_assets_at(self, path: str) -> bool:
        """Whether an asset has this key, or keys of assets lie below it as below a folder."""

    def input_set(self, position: int) -> Document | None:
        """The document of an input set; None where there is none at this position."""

    def set_challenge_key(self, input_set: int) -> str:
        """The first challenge key that is not blank among the cases of an input set; empty if there is none."""

    def only_challenge_key(self) -> str:
        """The key of the pack's challenge; empty if there is none, or several."""

    def case_count(self, input_set: int) -> int:
        """How many cases an input set holds."""

    def is_repeated(self, node: Node) -> bool:
        """Whether a sibling before this node has the same key (for cases: and the same challenge key)."""


class Adapter(Protocol):
    """The contract of a format. No function raises on any content; trouble is returned as findings.

    `NAME` is the format's name in `FORMATS`; `LABEL` its name on screen, `HELP` what packs of it are
    for. `SCHEMA` maps each kind of node to the JSON
    Schema (2020-12) of its document: titles, descriptions, defaults, examples and enums in it also make the forms. A
    kind that is not in it does not exist in the format; the pack, input sets and cases always do.

    `PACK_WIDE` holds the codes that only `check` can give, because they look at the whole pack. `SHARED_POINTERS` are
    the parts of the pack's document (JSON Pointers) that `check_node` of other nodes reads. `TITLE_POINTER` is where
    the pack's document states what `title` gives, `VERSION_POINTER` where it states the version number,
    `EVALUATION_POINTER` where it says how trials are judged, `GATES_POINTER` where it states the policies of gates by
    their names; empty where the format has none.
    `KEY_POINTERS` says where the other nodes' documents state their keys, and `REFERRERS` which kinds of node may name
    nodes of a kind by their keys (cases name cases of their own input set only). What documents declare inside of them
    stands there too, by the word of `x-declares`, with the kinds of node that declare or name it. Names of the kinds
    that stand in one of `ROOMS` must be apart from each other.

    `CHECKS_AT` says where nodes state how a trial is checked (JSON Pointers), the usual place first. `FIRST_CHECKS` has
    the kinds of check (`packs.formats.beginning`) that the first case of a new pack can have.

    `HAS_TRIALS` says whether tasks can differ in how often they are tried (`Task.trials`), `RUNS_ALL_SETS` whether a
    run can take all input sets of a version at once. `JOINS_FILES` says whether files and folders side by side make one
    pack, whatever lies among them. `FIXTURES` is the folder of files that cases use, where texts that people write lie
    elsewhere; empty where both lie together. Where one file can be a whole pack, `MAIN_FILES` has the names that make
    it the pack of its folder; it is empty elsewhere.
    """

    NAME: str
    LABEL: str
    HELP: str
    # The document of the input set in which cases that are made of failures stand; None where any set will do.
    FAILURES_IN: Document | None
    FIRST_CHECKS: Mapping[str, Any]
    CHECKS_AT: Mapping[NodeKind, tuple[str, ...]]
    SCHEMA: Mapping[NodeKind, dict[str, Any]]
    PACK_WIDE: frozenset[str]
    SHARED_POINTERS: tuple[str, ...]
    TITLE_POINTER: str
    VERSION_POINTER: str
    EVALUATION_POINTER: str
    GATES_POINTER: str
    KEY_POINTERS: Mapping[NodeKind, str]
    REFERRERS: Mapping[str, tuple[NodeKind, ...]]
    ROOMS: tuple[frozenset[str], ...]
    HAS_TRIALS: bool
    RUNS_ALL_SETS: bool
    JOINS_FILES: bool
    FIXTURES: str
    MAIN_FILES: tuple[str, ...]

    def recognises(self, files: Files) -> bool:
        """Whether these files look like a pack of this format; cheap, and never wrong about its own canonical files."""

    def load(self, files: Files) -> tuple[Pack | None, list[Finding]]:
        """Read files. The pack is None when no tree can be made of them; findings carry file, line and column."""

    def check(self, pack: Pack) -> Iterator[Finding]:
        """Every finding about the content of a pack; paths start at the pack's file root, without lines."""

    def check_node(self, index: PackIndex, node: Node) -> Iterator[Finding]:
        """The findings about one node; paths start at the node's document. Time is independent of the pack's size."""

    def place(self, files: Files, findings: Iterable[Finding]) -> list[Finding]:
        """Fill in file, line and column of findings about the pack that was loaded from these files."""

    def locate(self, finding: Finding) -> tuple[Address, Path]:
        """The node that a finding of `check` is about, and the path inside the node's document."""

    def path_of(self, address: Address) -> Path:
        """The path from the file root to a node's document; the inverse of `locate`."""

    def identify(self, kind: NodeKind, document: Document) -> tuple[str, str]:
        """Key and challenge key (cases only, else empty) that a node's document states; blanks trimmed."""

    def version_number(self, pack: Pack) -> int | None:
        """The version number that the pack states, where the format has one and it is usable."""

    def title(self, document: Document) -> str:
        """The name on screen that a pack's document states, trimmed; empty if it states none."""

    def card(self, document: Document) -> "Card":
        """What any document of a pack asks and how it judges, in words. That of a starter has facts and criteria."""

    def lineage(self, document: Document) -> dict[str, str]:
        """What a pack's document states that must stay the same in all its versions, by field path."""

    def labels(self, challenge: Document, input_set: Document, case: Document) -> dict[str, tuple[str, ...]]:
        """What a case is filed under: its tags (`tag`) and how hard its author expects it to be (`difficulty`)."""

    def stored_files(self, kind: NodeKind, document: Document) -> Iterator[tuple[Path, str]]:
        """The ids of stored files that a node's document refers to, each with the path of its field."""

    def check_artifacts(self, pack: Pack, known: Container[str]) -> Iterator[Finding]:
        """The findings about ids of stored files that are not `known`: asked on publishing only."""

    def renamed(
        self, kind: NodeKind, document: Document, what: str, names: Mapping[str, str], above: Above
    ) -> Document:
        """A node's document in which every reference to nodes of the kind `what` follows from old to new key.

        Where `what` is something that documents declare inside of them, what declares it has the new name too.

        Of assets, `names` may hold folders that their keys lie in: references to those follow too.
        """

    def is_fixed(self, what: str, name: str) -> bool:
        """Whether the format gives a name a meaning of its own, so that another would change what the pack says."""

    def dump(self, pack: Pack) -> dict[str, bytes]:
        """The canonical files: byte-stable, and `load` of them gives an equal pack."""

    def dump_node(self, kind: NodeKind, document: Document) -> str:
        """The canonical text of one node's document: what the YAML lens shows."""

    def load_node(self, kind: NodeKind, text: str) -> tuple[Document | None, list[Finding]]:
        """Read one node's document from lens text; findings carry line and column in that text."""

    def compile_tasks(self, pack: Pack, input_set: str | None = None) -> "Iterator[Task]":
        """The tasks of one input set, or of all, in order. The pack must have no errors."""

    def stored_document(self, case: Case) -> Document:
        """What a published case is stored as; scoring and replay read only this."""

    def new_document(self, kind: NodeKind, index: PackIndex | None, parent: int = 0) -> Document:
        """A small starting document for a new node, with a key that is free in `index` where one is needed.

        `parent` is the index of the input set that a new case will stand in.
        """

    def case_from_failure(self, index: PackIndex, failure: "Failure", parent: int = 0) -> Document:
        """A case that a failed trial becomes, with its provenance, under a key that is free in `index`.

        `parent` is the index of the input set that it will stand in. Nothing is made up: what the failure does not
        tell stays empty, and the check says what is missing.
        """

    def starter(self, slug: str, name: str, first: "First" = ...) -> Pack:
        """A small whole pack that asks one question: what a new pack begins with. It has no errors.

        Raises AnswerRefused for an answer that does not suit its check.
        """

    def identified(self, document: Document, slug: str, name: str) -> Document:
        """The pack's document under another slug and name: what a pack begins with that is made from a sample."""
