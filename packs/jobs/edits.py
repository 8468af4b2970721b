"""Edits of a draft that are a job where too many nodes have to follow a new key."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from packs.editing import ABSENT, Applied, Change, EditRefused, Seen, Thing, apply, rename
from packs.formats.document import NodeKind
from packs.jobs.progress import Progress
from packs.models import Job, Pack


def parameters_of(changes: Iterable[Change], seen_revision: int | Seen | None, label: str) -> dict[str, Any]:
    """The parameters of the job that makes changes."""
    seen = seen_revision.revision if isinstance(seen_revision, Seen) else seen_revision
    return {"changes": list(map(_written, changes)), "seen": seen, "label": label}


def edit(job: Job, pack: Pack, progress: Progress) -> dict[str, Any]:
    """Make the edits that were too much for a request.

    Raises EditRefused where others changed the same since; then nothing was written.
    """
    given = job.parameters
    progress.phase("Writing, in one step")
    with transaction.atomic():
        applied = apply(pack, map(_read, given["changes"]), job.user, given["seen"], given["label"])
        require_no_conflict(applied)
    return {"renamed": list(map(str, applied.renamed))}


def rename_thing(job: Job, pack: Pack, progress: Progress) -> dict[str, Any]:
    """Give a thing another name that is named in too many places for a request. Parameters: what, name, node, new.

    Raises EditRefused.
    """
    given = job.parameters
    progress.phase("Writing, in one step")
    applied = rename(pack, Thing(given["what"], given["name"], given["node"]), given["new"], job.user)
    return {"renamed": list(map(str, applied.renamed))}


def require_no_conflict(applied: Applied) -> None:
    """Raises EditRefused for an edit that others' edits stand against."""
    if applied.conflicts:
        first = applied.conflicts[0]
        by = f" by {first.author}" if first.author else ""
        raise EditRefused("changed_since", f"This was changed{by} since and stands in the way: {first.pointer or '/'}")


def _written(change: Change) -> dict[str, Any]:
    found = {name: getattr(change, name) for name in ("kind", "node", "pointer", "insert", "index")}
    return found if change.value is ABSENT else {**found, "value": change.value}


def _read(item: dict[str, Any]) -> Change:
    return Change(**{"value": ABSENT, **item, "kind": NodeKind(item["kind"])})
