"""A difference in words: counts, sentences, and the notes of a version that is about to be published."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any

from packs.formats.comparing.keeping import Head, Kept
from packs.formats.comparing.merged import NodeConflict
from packs.formats.comparing.merging import ABSENT
from packs.formats.comparing.trees import Difference, NodeChange
from packs.formats.comparing.values import Act, FieldChange
from packs.formats.comparing.words import runs
from packs.formats.document import File, NodeKind
from packs.formats.findings import to_pointer

# How many names a line of notes tells.
FIRST_NAMES = 8
NOUNS = {
    NodeKind.PACK: "settings of the pack",
    NodeKind.CHALLENGE: "challenge",
    NodeKind.INPUT_SET: "input set",
    NodeKind.CASE: "case",
    NodeKind.ASSET: "asset",
    "file": "file",
}
NOTHING = "Nothing is different."


def counts(nodes: Iterable[NodeChange | Head]) -> dict[tuple[str, Act], int]:
    """How often which thing happened to which kind of node."""
    found = Counter((change.kind, act) for change in nodes for act in change.acts)
    return {(kind, act): found[kind, act] for kind in NOUNS for act in Act if (kind, act) in found}


def summary(nodes: Iterable[NodeChange | Head]) -> str:
    """`3 cases added, 2 changed; settings of the pack changed.`"""
    parts = []
    for kind, group in groupby(counts(nodes).items(), key=lambda item: item[0][0]):
        said = [(number, act) for (_, act), number in group]
        parts.append(", ".join(_counted(kind, number, act, is_first=not at) for at, (number, act) in enumerate(said)))
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else NOTHING


def _counted(kind: str, number: int, act: Act, *, is_first: bool) -> str:
    if kind == NodeKind.PACK:
        return f"{NOUNS[kind]} {act}"
    return f"{number:,} {noun(kind, number)} {act}" if is_first else f"{number:,} {act}"


def noun(kind: str, number: int) -> str:
    return NOUNS[kind] + ("" if number == 1 else "s")


def notes(nodes: Sequence[NodeChange]) -> str:
    """What an author may want to say of a new version: a line for each thing that happened to a kind of node."""
    lines = []
    for (kind, act), number in counts(nodes).items():
        what = _counted(kind, number, act, is_first=True)
        names = [_name(change) for change in nodes if change.kind == kind and act in change.acts]
        more = f" and {len(names) - FIRST_NAMES:,} more" if len(names) > FIRST_NAMES else ""
        lines.append(f"- {what[0].upper()}{what[1:]}: {', '.join(names[:FIRST_NAMES])}{more}")
    return "\n".join(lines)


def _name(change: NodeChange) -> str:
    """What a line of notes calls a node: its key, both where it has another, of the pack the fields that changed."""
    if change.kind == NodeKind.PACK:
        fields = list(dict.fromkeys(field.label.partition("[")[0] for field in change.fields))
        return ", ".join(islice(fields, FIRST_NAMES))
    return change.key if Act.RENAMED not in change.acts else f"{change.old_key} to {change.key}"


def as_dict(nodes: Sequence[NodeChange], start: int = 0, limit: int | None = None) -> dict[str, Any]:
    """The JSON shape that the command line and the API share; of long differences only some of the nodes."""
    return {
        "summary": summary(heads_of(nodes)),
        "count": len(nodes),
        "nodes": [node_dict(change) for change in nodes[start : None if limit is None else start + limit]],
    }


def heads_of(nodes: Sequence[NodeChange]) -> Sequence[NodeChange | Head]:
    """What says kind and acts of each node, without reading those that are kept."""
    return nodes.heads if isinstance(nodes, Kept) else nodes


def node_dict(change: NodeChange) -> dict[str, Any]:
    return {
        "kind": str(change.kind),
        "key": change.key,
        "old_key": change.old_key if change.old is not None and change.old_key != change.key else None,
        "input_set": change.set_key or None,
        "challenge": getattr(change.new or change.old, "challenge_key", "") or None,
        "changes": [str(act) for act in change.acts],
        "bytes_changed": change.has_other_bytes,
        "before": _document(change.old) if change.new is None else None,
        "after": _document(change.new) if change.old is None else None,
        "fields": [field_dict(field) for field in change.fields],
    }


def as_lines(difference: Difference) -> Iterator[str]:
    """A difference for a terminal: a line for each node, below it one for each field with its words."""
    for change in difference.nodes:
        name = "" if change.kind == NodeKind.PACK else f" {_place(change)}"
        yield f"{NOUNS[change.kind]}{name}: {', '.join(change.acts)}"
        for field in change.fields:
            yield f"  {field.label or 'document'}: {_words(field)}"
    yield summary(difference.nodes)


def _place(change: NodeChange) -> str:
    name = change.key if Act.RENAMED not in change.acts else f"{change.old_key} -> {change.key}"
    return f"{change.set_key}/{name}" if change.set_key else name


def _words(field: FieldChange) -> str:
    """`kept [-removed-] {+added+}`, as Git shows words."""
    if field.act is Act.MOVED:
        return f"moved from {field.old + 1} to {field.new + 1}"
    if isinstance(field.old, str) and isinstance(field.new, str):
        return "".join(_marked(run.text, run.act) for run in runs(field.old, field.new))
    old = "" if field.act is Act.ADDED else _marked(_text(field.old), Act.REMOVED)
    new = "" if field.act is Act.REMOVED else _marked(_text(field.new), Act.ADDED)
    return " ".join(filter(None, (old, new)))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _marked(text: str, act: Act | None) -> str:
    return f"[-{text}-]" if act is Act.REMOVED else f"{{+{text}+}}" if act is Act.ADDED else text


def _document(node: Any) -> Any:
    return getattr(node, "document", None)


def field_dict(field: FieldChange) -> dict[str, Any]:
    return {
        "pointer": to_pointer(field.path),
        "field": field.label,
        "change": str(field.act),
        "before": field.old,
        "after": field.new,
    }


def conflict_dict(found: NodeConflict, most: int | None = None) -> dict[str, Any]:
    """A conflict of a merge: where it is, and what was there at the beginning and is on both sides, as text of at most
    so many characters; None where there is nothing."""
    base, ours, theirs = (_said(value, most) for value in found.conflict.values)
    return {
        "name": found.name,
        "kind": str(found.kind),
        "key": found.key,
        "input_set": found.set_key or None,
        "field": found.conflict.label,
        "pointer": to_pointer(found.conflict.path),
        "before": base,
        "ours": ours,
        "theirs": theirs,
    }


def _said(value: Any, most: int | None) -> str | None:
    if value is ABSENT:
        return None
    if isinstance(value, File):
        value = value.content
    if isinstance(value, bytes):
        return f"{len(value):,} bytes"
    text = _text(getattr(value, "document", value))
    return text if most is None or len(text) <= most else f"{text[:most]} … ({len(text) - most:,} characters more)"
