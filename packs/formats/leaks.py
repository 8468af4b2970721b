"""Whether a right answer stands in what an agent can read: asked of rows while they are checked, and of whole tasks."""

import re
from base64 import b64encode
from codecs import encode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_plus

import orjson

from packs.formats.answers import EDGES, Answer, holds_span, normal
from packs.formats.fragments import Mark, marks_in, marks_of
from packs.formats.later import Later

if TYPE_CHECKING:
    import html

    from packs.formats.task import Task, WorkspaceFile
else:
    html = Later("html")

# Shorter answers occur everywhere by chance, and so do these.
SHORTEST = 3
_TRIVIAL = frozenset({"yes", "true", "false", "none", "null", "n/a", "and", "not", "unknown"})
# How many characters an answer needs to be noticed in another form: as JSON, without its white space (one word needs
# more: two words can be read as one), in base64, hexadecimal or escaped, backwards and in ROT13 (as long as a phrase).
SHORTEST_JSON, SHORTEST_PHRASE, SHORTEST_WORD, SHORTEST_ENCODED = 10, 8, 12, 6
LONG = 200

PROMPT, CONTEXT = "prompt", "context"
# What may stand around the bytes of a text in hexadecimal.
_BETWEEN_BYTES = re.compile(r"0x|\\x|[\s:,-]+")
# White space that is none to `str.split`: soft hyphens, blanks of no width.
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


class Form(StrEnum):
    """How an answer stands in a text, in words."""

    LITERAL = "word for word"
    JSON = "as the same JSON in another order or spacing"
    SPACED = "with other white space"
    ENCODED = "in base64"
    HEX = "in hexadecimal"
    BACKWARDS = "backwards"
    ESCAPED = "escaped as in addresses or HTML"
    ROTATED = "in ROT13"


@dataclass(frozen=True, slots=True)
class Leak:
    """An answer that stands in what the agent sees; `place` is prompt, context, or the path of a file."""

    answer: Answer
    place: str
    form: Form = Form.LITERAL


Allowed = Callable[[str, str], bool]


def leaks_in(
    answers: Iterable[Answer],
    places: Callable[[Answer], Iterable[tuple[str, Any]]],
    is_meant: Allowed = lambda text, answer: False,
) -> Iterator[Leak]:
    """The answers that stand in JSON values that the agent sees; each is reported once, with its first place.

    `places` gives what to look into for an answer, and is asked only where an answer could tell anything. `is_meant`
    says of a prompt or context and an answer whether it stands there on purpose. Takes time
    that is linear in the length of what is seen, for each answer.
    """
    known: dict[int, _Seen] = {}
    for answer in answers:
        wanted = _Wanted(answer.text)
        if len(wanted.plain) < SHORTEST or wanted.plain in _TRIVIAL:
            continue
        for place, value in places(answer):
            if id(value) not in known:
                known[id(value)] = _Seen(value)
            seen = known[id(value)]
            form = next((form for form, is_found in _FORMS if is_found(wanted, seen)), None)
            if form is not None and not (place in (PROMPT, CONTEXT) and is_meant(seen.text, answer.text)):
                yield Leak(answer, place, form)
                break


def _joined(plain: str) -> str:
    """A text in normal form without its white space."""
    return plain.replace(" ", "") if plain.isascii() else plain.replace(" ", "").translate(_UNSEEN)


class _Wanted:
    """An answer in the forms in which it is looked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = normal(text)

    @cached_property
    def mark(self) -> Mark | None:
        """What the answer says as JSON; None where it is not an object or list, or a short one."""
        try:
            value = orjson.loads(self.text) if self.text.lstrip()[:1] in ("{", "[") else None
        except orjson.JSONDecodeError:
            return None
        is_long = value is not None and len(orjson.dumps(value)) >= SHORTEST_JSON
        return next(reversed([*marks_in(self.text)]), None) if is_long else None

    @cached_property
    def joined(self) -> str:
        """The answer without white space; empty where that is too short to tell anything."""
        text = _joined(self.plain)
        return text if len(text) >= (SHORTEST_PHRASE if " " in self.plain else SHORTEST_WORD) else ""

    @cached_property
    def encoded(self) -> tuple[str, ...]:
        """The answer in base64, as it stands by itself and inside of a longer text: there its place decides."""
        data = self.text.strip().encode("utf-8", "replace")
        alone = b64encode(data).decode().rstrip("=")
        within = (_inner(data, before) for before in range(3))
        return tuple(text for text in (alone, *within) if len(text) >= SHORTEST_ENCODED)

    @cached_property
    def hex(self) -> str:
        """The answer in hexadecimal; empty where that is too short to tell anything."""
        text = self.text.strip().encode("utf-8", "replace").hex()
        return text if len(text) >= 2 * SHORTEST_ENCODED else ""

    @cached_property
    def backwards(self) -> str:
        """The answer from its end to its start; empty where that is too short to tell anything."""
        return self.plain[::-1] if len(self.plain) >= SHORTEST_PHRASE else ""

    @cached_property
    def rotated(self) -> str:
        """The answer with each letter moved by 13; empty where that is too short to tell anything."""
        moved = encode(self.plain, "rot13")
        return moved if len(moved) >= SHORTEST_PHRASE and moved != self.plain else ""


def _inner(data: bytes, before: int) -> str:
    """What bytes have in base64 whatever stands around them, with `before` bytes in front, counted in threes."""
    text = b64encode(bytes(before) + data).decode()
    return text[(before * 4 + 2) // 3 : (before + len(data)) * 4 // 3]


class _Seen:
    """What an agent sees, in the forms in which answers are looked for; each is made when it is first asked for."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.text = " ".join(texts_of(value))

    @cached_property
    def lower(self) -> str:
        return self.text.lower()

    @cached_property
    def plain(self) -> str:
        return normal(self.text)

    @cached_property
    def joined(self) -> str:
        return _joined(self.plain)

    @cached_property
    def encoded(self) -> str:
        """The text as one line, in the usual alphabet of base64."""
        return "".join(self.text.split()).replace("-", "+").replace("_", "/")

    @cached_property
    def hex(self) -> str:
        """The text in one piece, as hexadecimal numbers stand in it."""
        return _BETWEEN_BYTES.sub("", self.lower)

    @cached_property
    def unescaped(self) -> str:
        """The text with what is escaped as in addresses or HTML made plain; empty where nothing is."""
        text = html.unescape(unquote_plus(self.text)) if "%" in self.text or "&" in self.text else self.text
        return "" if text == self.text else normal(text)

    @cached_property
    def marks(self) -> frozenset[Mark]:
        return frozenset(marks_of(self.value))


def _stands(wanted: _Wanted, seen: _Seen) -> bool:
    """Whether an answer stands between the bounds of words; those of a long one need no look."""
    is_long = len(wanted.plain) > LONG
    return wanted.plain in seen.plain if is_long else holds_span(seen.plain, wanted.plain)


def _is_literal(wanted: _Wanted, seen: _Seen) -> bool:
    return _stands(wanted, seen) and wanted.text.lower().strip(EDGES) in seen.lower


def _is_json(wanted: _Wanted, seen: _Seen) -> bool:
    return wanted.mark is not None and wanted.mark in seen.marks


def _is_spaced(wanted: _Wanted, seen: _Seen) -> bool:
    """Also a part of a longer word would be found without white space, so that is looked for first."""
    if wanted.plain in seen.plain:
        return _stands(wanted, seen)
    return bool(wanted.joined) and wanted.joined in seen.joined


def _is_encoded(wanted: _Wanted, seen: _Seen) -> bool:
    # Base64 is never shorter than what it says.
    is_long_enough = len(seen.encoded) >= len(wanted.text.strip())
    return is_long_enough and any(text in seen.encoded for text in wanted.encoded)


def _is_hex(wanted: _Wanted, seen: _Seen) -> bool:
    return bool(wanted.hex) and len(seen.text) >= len(wanted.hex) and wanted.hex in seen.hex


def _is_backwards(wanted: _Wanted, seen: _Seen) -> bool:
    return bool(wanted.backwards) and holds_span(seen.plain, wanted.backwards)


def _is_escaped(wanted: _Wanted, seen: _Seen) -> bool:
    return len(wanted.plain) >= SHORTEST_ENCODED and holds_span(seen.unescaped, wanted.plain)


def _is_rotated(wanted: _Wanted, seen: _Seen) -> bool:
    return bool(wanted.rotated) and holds_span(seen.plain, wanted.rotated)


_FORMS: tuple[tuple[Form, Callable[[_Wanted, _Seen], bool]], ...] = (
    (Form.LITERAL, _is_literal),
    (Form.JSON, _is_json),
    (Form.SPACED, _is_spaced),
    (Form.ENCODED, _is_encoded),
    (Form.HEX, _is_hex),
    (Form.BACKWARDS, _is_backwards),
    (Form.ESCAPED, _is_escaped),
    (Form.ROTATED, _is_rotated),
)


def texts_of(value: Any) -> Iterator[str]:
    """Every text inside a JSON value, in its order; names of members are none."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts_of(part)


def leaks(
    task: "Task",
    read_text: "Callable[[WorkspaceFile], str | None]",
    is_meant: Allowed = lambda text, answer: False,
) -> list[Leak]:
    """The answers of a task that its agent could read, in the prompt, the context or a file.

    `read_text` gives the text of a file of the pack, None where it is none or nobody has it.
    """
    # Made once, so that each text is brought into its forms once.
    files = [(file.path, file.text if file.text is not None else read_text(file) or "") for file in _files(task)]
    brought = [(file.path, text) for file, (_, text) in zip(_files(task), files, strict=True) if file.text is None]
    whole: list[tuple[str, Any]] = [(PROMPT, task.prompt), (CONTEXT, task.visible), *files]
    apart: list[tuple[str, Any]] = [(CONTEXT, without_choices(task.visible)), *brought]
    return list(leaks_in(answers_of(task), lambda answer: apart if answer.is_offered else whole, is_meant))


def answers_of(task: "Task") -> tuple[Answer, ...]:
    """What would give a task away: what its format says, else its gold answer, of the case as a whole."""
    if task.answers is not None:
        return task.answers
    return (Answer((), task.reference),) if task.reference else ()


def _files(task: "Task") -> "tuple[WorkspaceFile, ...]":
    return task.environment.files


def without_choices(visible: dict[str, Any]) -> dict[str, Any]:
    """What is shown apart from lists of texts: among those an answer may be one of several to choose from."""
    return {name: value for name, value in visible.items() if not _is_choice(value)}


def _is_choice(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(part, str) for part in value)
