"""The tree: what a pack is, whatever its format.

Every node carries its `document`, the native mapping of that node in the format's own field names, unknown keys
included. Documents hold JSON values only (dict, list, str, int, float, bool, None) and are never changed in place:
an edit makes a new document.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Document = dict[str, Any]

# The file in which an author states beside a pack what its cases are proven by. No format knows it.
PROOF_FILE = "proof.yaml"


class NodeKind(StrEnum):
    """The kinds of node in a pack's tree."""

    PACK = "pack"
    CHALLENGE = "challenge"
    INPUT_SET = "input_set"
    CASE = "case"
    ASSET = "asset"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a node stands in the tree: its kind and its indices from 0 (a case: input set, case)."""

    kind: NodeKind
    indices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Challenge:
    """What is asked: shared instructions and definition."""

    key: str
    document: Document


@dataclass(frozen=True, slots=True)
class Case:
    """One task that an agent performs. `key` is the effective key in the sense of the format."""

    key: str
    challenge_key: str
    document: Document


@dataclass(frozen=True, slots=True)
class InputSet:
    """A named group of cases that is scheduled as a unit. `document` leaves the cases out.

    `cases` of a large set may be read anew each time they are walked through.
    """

    key: str
    document: Document
    cases: Sequence[Case] = ()


@dataclass(frozen=True, slots=True)
class Asset:
    """A named file that a pack declares. `content` is None while the bytes are not at hand; where somebody has them
    all the same, it `is_stored`."""

    key: str
    path: str
    document: Document
    content: bytes | None = None
    is_stored: bool = field(default=False, compare=False)

    @property
    def has_bytes(self) -> bool:
        return self.content is not None or self.is_stored


@dataclass(frozen=True, slots=True)
class File:
    """A file of a pack's folder that no asset declares; kept and written back as it is."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack. `document` leaves out what the child nodes hold.

    `withheld` are the keys of assets that belong to graders by cases which are left out of this tree.
    """

    format: str
    key: str
    document: Document
    challenges: tuple[Challenge, ...] = ()
    input_sets: tuple[InputSet, ...] = ()
    assets: tuple[Asset, ...] = ()
    files: tuple[File, ...] = field(default=())
    withheld: frozenset[str] = field(default=frozenset(), compare=False)

    def nodes(self) -> Iterator[tuple[Address, Document]]:
        """Every node with its address, in the order of the tree."""
        yield Address(NodeKind.PACK), self.document
        for index, asset in enumerate(self.assets):
            yield Address(NodeKind.ASSET, (index,)), asset.document
        for index, challenge in enumerate(self.challenges):
            yield Address(NodeKind.CHALLENGE, (index,)), challenge.document
        for index, input_set in enumerate(self.input_sets):
            yield Address(NodeKind.INPUT_SET, (index,)), input_set.document
            for position, case in enumerate(input_set.cases):
                yield Address(NodeKind.CASE, (index, position)), case.document


def asset_path(document: Document) -> str:
    """The path that an asset's document states, trimmed; empty if it states none."""
    path = document.get("path")
    return path.strip() if isinstance(path, str) else ""
