"""Targets: who answers and who judges, as the targets file and the suite name them (agentv A.1, D.4, E.2).

Providers and their settings stay unread: an agent is configured in the studio.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from packs.formats.agentv.context import Around
from packs.formats.agentv.layout import inside, search_roots
from packs.formats.agentv.providers import AGENTIC
from packs.formats.agentv.reading import is_text
from packs.formats.agentv.settings import settings_of, target_names
from packs.formats.document import Document
from packs.formats.values import listing, mapping

PLACES = (".agentv/targets.yaml", ".agentv/targets.yml")
# Anywhere else a file says by itself that it holds targets.
MARKED_PLACES = ("targets.yaml", "targets.yml")
# Who answers where a suite names nobody.
DEFAULT = "default"
_MARK = re.compile(rb"""^["']?\$schema["']?[ \t]*:[ \t]*["']?agentv-targets-v2\.2\b""", re.M)


def is_targets_file(name: str, data: bytes) -> bool:
    """Whether a file holds targets: by its place, or by its own mark."""
    if any(name == place or name.endswith(f"/{place}") for place in PLACES):
        return True
    return name.endswith((".yaml", ".yml")) and _MARK.search(data) is not None


def tells_of_judges(name: str) -> bool:
    """Whether the file of a path can say who judges: its bytes are needed to tell whom a run will ask."""
    folder, _, base = name.rpartition("/")
    is_yaml = name.endswith((".yaml", ".yml"))
    return base in (".env", *MARKED_PLACES) or (is_yaml and ".agentv" in folder.split("/"))


def targets_file(around: Around) -> str | None:
    """The targets file of a suite: that of the nearest folder whose bytes are at hand; None where there is none."""
    for root in search_roots(around.folder):
        for place in (*PLACES, *MARKED_PLACES):
            name = inside(root, place) or ""
            if name in around.texts and is_targets_file(name, around.texts[name]):
                return name
    return None


@dataclass(frozen=True, slots=True)
class Targets:
    """The targets that a suite can name, by their names; `is_listed` where a file lists them."""

    known: dict[str, Document]
    is_listed: bool = False

    def judge_of(self, name: str) -> str:
        """Who judges what a target answers: its `grader_target`, else that of the one it uses; empty for nobody."""
        return self._stated(name, "grader_target")

    def is_agentic(self, name: str) -> bool:
        """Whether a target that judges looks at files by itself."""
        return self._stated(name, "provider").lower() in AGENTIC

    def _stated(self, name: str, key: str) -> str:
        """What a target states, or the one that it uses; empty for nothing."""
        seen: set[str] = set()
        while name in self.known and name not in seen:
            seen.add(name)
            stated = self.known[name]
            if is_text(stated.get(key)):
                return str(stated[key]).strip()
            name = str(stated.get("use_target", "")).strip()
        return ""


def targets_of(around: Around) -> Targets:
    """The targets of the file, and those that the suite itself makes of them."""
    return around.once("targets", _read_targets)


def _read_targets(around: Around) -> Targets:
    name = targets_file(around)
    value, is_read = around.yaml(name) if name is not None else (None, False)
    listed = mapping(value).get("targets")
    known = {_name_of(stated): stated for stated in map(mapping, listing(listed)) if _name_of(stated)}
    # A name that stands for itself would hide the target of the file that it means.
    made = {_name_of(stated): stated for stated in entries_of(around.suite) if is_text(stated.get("use_target"))}
    own = {name: stated for name, stated in made.items() if _uses(stated) != name}
    return Targets({**known, **own}, is_read and isinstance(listed, list))


def _uses(stated: Document) -> str:
    return str(stated.get("use_target", "")).strip()


def entries_of(suite: Document) -> Iterator[Document]:
    """The targets of a suite that say more than a name."""
    for stated in listing(settings_of(suite).get("targets")):
        if isinstance(stated, dict) and _name_of(stated):
            yield stated


def _name_of(stated: Document) -> str:
    name: Any = stated.get("name")
    return name.strip() if isinstance(name, str) else ""


def description_of_targets(around: Around, test: Document) -> Document:
    """What graders are told: the names, those that look at files by themselves, who judges each target's answers, and
    who judges where no target is known."""
    found = targets_of(around)
    named = target_names(around.suite, test)
    agentic = [name for name in found.known if found.is_agentic(name)]
    judges = {name: judge for name in (named or found.known) if (judge := found.judge_of(name))}
    usual = found.judge_of(named[0] if named else DEFAULT)
    return {
        **({"targets": list(found.known)} if found.is_listed else {}),
        **({"agentic": agentic} if agentic else {}),
        **({"judges": judges} if judges else {}),
        **({"judge": usual} if usual else {}),
    }
