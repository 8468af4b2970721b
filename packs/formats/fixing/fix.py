"""What a fix is."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from packs.formats.document import Document
from packs.formats.findings import Path


class Act(StrEnum):
    """What a fix does at its place."""

    RENAME = "rename"
    SET = "set"
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit that removes a finding: what it does, in words, and the node's document with it.

    `path` starts at the document. `value` is the new key for RENAME, the new value for SET and ADD.
    """

    label: str
    document: Document
    act: Act
    path: Path
    value: Any = None

    @property
    def opened(self) -> Path | None:
        """Where the check may find what it could not look at before."""
        return (*self.path[:-1], self.value) if self.act is Act.RENAME else None
