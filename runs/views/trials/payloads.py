"""How recorded values are shown: cut where they are long, control characters visible, lists and maps as a tree."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

from runs.replay.bitrows import common_places

MAX_SHOWN = 20_000
MAX_SHORT = 60
MAX_NODES = 1500
# Marking differences takes time that grows with the square of the length.
MAX_COMPARED = 4000
LINE = 80
# The same for lines, of which a text has fewer; the whole table of that takes 2 MB.
MAX_LINES = 4000

WORDS = re.compile(r"\s+|\w+|[^\w\s]")
# Control characters as the pictures that Unicode has for them; tabs and line ends stay.
PICTURES = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {0x7F: 0x2421}

# What a payload says of what was asked, and of what came back; the rest of it stands in neither.
ASKED = ("arguments", "command", "messages", "prompt", "input", "path", "working_directory")
ANSWERED = ("result", "output_text", "content", "final_output", "stdout", "stderr", "exit_code", "error", "usage")


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as a page shows it; `size` is the length of the whole in characters."""

    text: str
    size: int
    label: str = ""

    @property
    def is_cut(self) -> bool:
        return self.size > MAX_SHOWN

    @property
    def is_short(self) -> bool:
        """Whether it fits on the line of its label."""
        return self.size <= MAX_SHORT and "\n" not in self.text


def show(value: Any, label: str = "") -> Shown:
    """A value as text: texts as they are, everything else as JSON; cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False, default=str)
    return Shown(text[:MAX_SHOWN].replace("\r\n", "\n").translate(PICTURES), len(text), label)


def show_members(payload: Mapping[str, Any]) -> list[Shown]:
    """Every member of a payload with its name; texts inside a tool's result are kept apart from it."""
    members: list[Shown] = []
    for name, value in payload.items():
        if name == "result" and isinstance(value, Mapping) and isinstance(value.get("content"), str):
            members.append(show(value["content"], name))
            value = {key: inner for key, inner in value.items() if key != "content"}
        if value not in ("", None, {}, []):
            members.append(show(value, name))
    return members


def sides(payloads: list[Mapping[str, Any]]) -> tuple[list[Shown], list[Shown]]:
    """What was asked and what came back in the one or two events of a step; the second is empty for a mere fact."""
    if len(payloads) > 1:
        first, last = payloads[0], payloads[-1]
        news = {name: value for name, value in last.items() if name not in first or first[name] != value}
        return show_members(first), show_members(news)
    [payload] = payloads
    if not any(name in payload for name in ASKED):
        return show_members(payload), []
    answered = {name: payload[name] for name in ANSWERED if name in payload}
    asked = {name: value for name, value in payload.items() if name not in answered}
    return show_members(asked), show_members(answered)


@dataclass(slots=True)
class Node:
    """A value in a tree: `children` of lists and maps, `text` of everything else."""

    name: str
    kind: str
    text: str = ""
    children: list["Node"] = field(default_factory=list)


def tree(value: Any) -> Node | None:
    """A JSON value as a tree; None when it has more nodes than a page can hold."""
    left = iter(range(MAX_NODES))
    try:
        return _node("", value, left)
    except StopIteration:
        return None


def _node(name: str, value: Any, left: Iterator[int]) -> Node:
    next(left)
    if isinstance(value, Mapping):
        return Node(name, "map", children=[_node(str(key), inner, left) for key, inner in value.items()])
    if isinstance(value, list):
        return Node(name, "list", children=[_node(str(place), inner, left) for place, inner in enumerate(value)])
    return Node(name, "text" if isinstance(value, str) else "value", show(value).text)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a comparison: same, missing (only expected) or extra (only actual)."""

    kind: str
    text: str


def compare(actual: str, expected: str) -> list[Piece]:
    """The way from the expected to the actual text, word by word.

    Empty when they are too long for that, and when they have no word in common and one of them fills more than a line:
    crossed out and written anew as a whole, they read worse than beside each other.
    """
    if max(len(actual), len(expected)) > MAX_COMPARED:
        return []
    old, new = WORDS.findall(expected.translate(PICTURES)), WORDS.findall(actual.translate(PICTURES))
    reported: list[tuple[str, str]] = []
    old_from = new_from = 0
    for old_to, new_to in [*common_places(old, new), (len(old), len(new))]:
        reported += [("missing", word) for word in old[old_from:old_to]]
        reported += [("extra", word) for word in new[new_from:new_to]]
        reported += [("same", word) for word in old[old_to : old_to + 1]]
        old_from, new_from = old_to + 1, new_to + 1
    is_alike = any(kind == "same" and word.isalnum() for kind, word in reported)
    if not is_alike and max(len(actual), len(expected)) > LINE:
        return []
    groups = groupby(reported, itemgetter(0))
    return [Piece(kind, "".join(word for _, word in words)) for kind, words in groups]


def compare_lines(a: str, b: str) -> tuple[list[Piece], list[Piece]]:
    """Two texts for standing beside each other: the lines of A as same or missing, those of B as same or extra.

    Of longer texts than `MAX_LINES` only the lines at both ends are found to be the same.
    """
    left, right = a.splitlines(keepends=True), b.splitlines(keepends=True)
    shortest = min(len(left), len(right))
    start = next((place for place in range(shortest) if left[place] != right[place]), shortest)
    rest = shortest - start
    end = next((place for place in range(rest) if left[-1 - place] != right[-1 - place]), rest)
    inner, other = left[start : len(left) - end], right[start : len(right) - end]
    places = common_places(inner, other) if max(len(inner), len(other)) <= MAX_LINES else []
    around = {*range(start), *range(len(left) - end, len(left))}, {*range(start), *range(len(right) - end, len(right))}
    common = [around[side] | {start + place[side] for place in places} for side in (0, 1)]
    return _marked(left, common[0], "missing"), _marked(right, common[1], "extra")


def _marked(lines: list[str], common: set[int], otherwise: str) -> list[Piece]:
    """The lines of one text, joined where neighbours are alike or not together."""
    reported = [("same" if place in common else otherwise, line) for place, line in enumerate(lines)]
    return [Piece(kind, "".join(line for _, line in group)) for kind, group in groupby(reported, itemgetter(0))]
