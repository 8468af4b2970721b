"""The files that an agent left at a trial, beside those that it was given."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from runs.jobs.trials.frozen import frozen_version
from runs.jobs.trials.loading import tasks_of
from runs.models import Event, Trial
from runs.replay.trajectories.candidates import left_by

# Kinds of events that say what an agent left: all of its files, one file, the changes of its workspace.
KEPT, ONE, CHANGED = "workspace.captured", "grader.verification.file_captured", "workspace.changed"
HEAD = "diff --git a/"
# Longer texts are compared by hand, with both files at hand.
MOST_COMPARED = 200_000
# How pictures begin that a browser shows without running anything in them; SVG may hold scripts.
PICTURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


@dataclass(slots=True)
class Artifact:
    """A file that an agent left. `content` is None where only its change was kept; `given` where it was not given.

    `size` is that in the workspace, in bytes; a file that was kept in part `is_cut`.
    """

    path: str
    content: bytes | None = None
    size: int | None = None
    given: bytes | None = None
    change: str = ""
    is_cut: bool = False
    is_removed: bool = False

    @property
    def state(self) -> str:
        """Whether it is new, changed, removed, or as it was given."""
        if self.is_removed:
            return "removed"
        if self.change:
            return "changed" if self.given is not None else "new"
        if self.given is None:
            return "new"
        return "same" if self.content is None or self.content == self.given else "changed"

    @property
    def text(self) -> str | None:
        """Its text; None for bytes that are none."""
        return _text(self.content)

    @property
    def media(self) -> str:
        """The type of a picture that can be shown safely, by how it begins; empty for everything else."""
        content = self.content or b""
        if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
            return "image/webp"
        return next((media for start, media in PICTURES.items() if content.startswith(start)), "")

    @property
    def diff(self) -> str:
        """What the agent made of what it was given, as a unified diff; empty where that cannot be said."""
        if self.change or self.state != "changed":
            return self.change
        old, new = _text(self.given), self.text
        if old is None or new is None or self.is_cut or max(len(old), len(new)) > MOST_COMPARED:
            return ""
        names = (f"a/{self.path}", f"b/{self.path}")
        return "\n".join(unified_diff(old.splitlines(), new.splitlines(), *names, lineterm=""))


def _text(content: bytes | None) -> str | None:
    if content is None or b"\0" in content:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def artifacts_of(trial: Trial) -> list[Artifact]:
    """The files of a trial by their paths: what was kept of them, and what it began with."""
    found: dict[str, Artifact] = {}
    rows = Event.objects.filter(trial=trial, event_type__in=(KEPT, ONE, CHANGED)).order_by("sequence")
    for kind, payload in rows.values_list("event_type", "payload").iterator(chunk_size=50):
        for artifact in READERS[kind](payload):
            found[artifact.path] = _joined(found.get(artifact.path), artifact)
    given = given_to(trial) if found else {}
    for path, artifact in found.items():
        artifact.given = given.get(path)
    return [found[path] for path in sorted(found)]


def _joined(known: Artifact | None, other: Artifact) -> Artifact:
    """One file of two reports of it: its bytes from the one that has them, whole ones first."""
    if known is None:
        return other
    is_better = other.content is not None and (known.content is None or known.is_cut)
    kept = other if is_better else known
    kept.change = other.change or known.change
    kept.is_removed = other.is_removed or known.is_removed
    return kept


def _kept(payload: Mapping[str, Any]) -> Iterator[Artifact]:
    for path, content in (left_by(payload) or {}).items():
        yield Artifact(path, content, len(content))


def _one(payload: Mapping[str, Any]) -> Iterator[Artifact]:
    if payload.get("exists") and isinstance(payload.get("content"), str):
        content, size = payload["content"].encode(errors="replace"), payload.get("size")
        size = size if isinstance(size, int) else len(content)
        yield Artifact(str(payload.get("path")), content, size, is_cut=payload.get("truncated") is True)


def _changed(payload: Mapping[str, Any]) -> Iterator[Artifact]:
    pieces = dict(_pieces(str(payload.get("diff") or "")))
    for name in ("added", "changed", "removed"):
        listed = payload.get(name)
        for path in listed if isinstance(listed, list) else ():
            yield Artifact(str(path), change=pieces.get(str(path), ""), is_removed=name == "removed")


def _pieces(diff: str) -> Iterator[tuple[str, str]]:
    """The changes of each file of a diff, by its path."""
    for piece in f"\n{diff}".split(f"\n{HEAD}")[1:]:
        path = piece.partition("\n")[0].partition(" b/")[0]
        yield path, HEAD + piece


READERS = {KEPT: _kept, ONE: _one, CHANGED: _changed}


def given_to(trial: Trial) -> dict[str, bytes]:
    """The files that the workspace of a trial began with, by their paths, as far as the pack has them."""
    frozen = frozen_version(trial.run.version_id)
    files: Iterable[Any] = (file for task in tasks_of(trial.run, [trial]).values() for file in task.environment.files)
    found = {file.path: file.text.encode() if file.text is not None else frozen.read_asset(file) for file in files}
    return {path: content for path, content in found.items() if content is not None}
