"""What an import is asked and what it answers."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

from packs.formats import adapter_of
from packs.formats.document import NodeKind
from packs.formats.findings import Finding, Kind
from packs.models import Pack


class ImportRefused(Exception):
    """Files that cannot be imported; `findings` says why. `code` is import_refused, or no_such_upload for a preview
    that is unknown, expired or somebody else's. Nothing was written."""

    def __init__(self, findings: Iterable[Finding] = (), code: str = "import_refused") -> None:
        super().__init__(code)
        self.code = code
        self.findings = list(findings)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that an import would create, change, remove or ignore.

    `kind` is that of a node, or `file` or `key`; `detail` a field path or what happens to it.
    """

    kind: str
    key: str
    detail: str = ""


@dataclass(slots=True)
class Preview:
    """What an import would do; nothing was written but the upload that `token` names.

    `pack` is the draft that would change, None for a new one. `counts` has the number of nodes per kind in the files,
    `totals` the full lengths of the lists, which hold at most LISTED items each. `refused` holds the findings that
    forbid the import; `findings` the foremost of all, which `kinds` counts. `has_comments` says that comments would not
    be in canonical files. `packs` has the packs to choose from, with their formats, where the files are several:
    `token` is kept for them too.
    """

    token: uuid.UUID | None
    format: str
    slug: str
    title: str = ""
    pack: Pack | None = None
    created: list[Item] = field(default_factory=list)
    changed: list[Item] = field(default_factory=list)
    removed: list[Item] = field(default_factory=list)
    ignored: list[Item] = field(default_factory=list)
    refused: list[Finding] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    has_comments: bool = False
    packs: dict[str, str] = field(default_factory=dict)

    @property
    def can_import(self) -> bool:
        return not self.refused

    @property
    def finding_count(self) -> int:
        return sum(kind.count for kind in self.kinds)

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The packs to choose from, each with the name of its format."""
        return [(name, adapter_of(format_name).LABEL) for name, format_name in self.packs.items()]

    @property
    def label(self) -> str:
        """The name of the format; empty if none was recognised."""
        return adapter_of(self.format).LABEL if self.format else ""

    @property
    def has_challenges(self) -> bool:
        """Whether the format tells challenges apart."""
        return bool(self.format) and NodeKind.CHALLENGE in adapter_of(self.format).SCHEMA

    @property
    def is_new(self) -> bool:
        return self.pack is None
