"""What rows take from their manifest: defaults, roots, and the merge (benchmark-pack 2 and 3.3)."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import orjson

from packs.formats.document import Document
from packs.formats.paths import normal_path

PUBLIC_ROOT, HIDDEN_ROOT = "assets/", "hidden/"


@dataclass(frozen=True, slots=True)
class Header:
    """A manifest as rows see it. Values of a wrong type count as absent, so that one mistake is reported once."""

    id: str = ""
    version: int = 0
    family: str = ""
    environment: Document = field(default_factory=dict)
    public_root: str = PUBLIC_ROOT
    hidden_root: str = HIDDEN_ROOT
    read_only: bool = True

    def family_of(self, row: Document) -> str:
        """The family of a row: its own, else the manifest's; empty where neither states a usable one."""
        stated = row.get("family")
        if stated is None:
            return self.family
        return stated if isinstance(stated, str) else ""

    def environment_of(self, row: Document) -> Document:
        """The merged environment: every key of the row replaces the manifest's whole value."""
        own = row.get("environment")
        return {**self.environment, **own} if isinstance(own, dict) else self.environment

    @property
    def roots(self) -> tuple[str, str]:
        """The public and the hidden root in normal form, each with a slash at its end."""
        return rooted(self.public_root), rooted(self.hidden_root)


def rooted(root: str) -> str:
    """A root as the start of the paths below it."""
    return normal_path(root) + "/"


def header_of(document: Document) -> Header:
    """What rows take from a manifest's document."""
    try:
        return _header(orjson.dumps(document))
    except TypeError:
        return _read(document)


@lru_cache(maxsize=32)
def _header(document: bytes) -> Header:
    return _read(orjson.loads(document))


def _read(document: Document) -> Header:
    defaults, roots = section(document, "defaults"), section(document, "asset_roots")
    family, read_only = defaults.get("family"), section(document, "asset_defaults").get("read_only")
    version = document.get("version")
    return Header(
        id=_text(document.get("id")),
        version=version if type(version) is int else 0,
        family=_text(family),
        environment=section(defaults, "environment"),
        public_root=_text(roots.get("public")) or PUBLIC_ROOT,
        hidden_root=_text(roots.get("eval")) or HIDDEN_ROOT,
        read_only=read_only if isinstance(read_only, bool) else True,
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def section(document: Document, name: str) -> Document:
    """A mapping inside a document; empty where there is none."""
    found = document.get(name)
    return found if isinstance(found, dict) else {}
