"""How a document travels through an HTML form: one named control a value, the type in the name.

A name is `<code>[?]:<JSON Pointer, percent-encoded>`. The codes: `t` text, `n` number, `b` boolean, `j` JSON text,
`z` null, `o` object and `l` list (markers; their children are controls of their own), `k` the type that was chosen for
a value, `v` the variant that was chosen for a union, `r` the new name of a key. `?` means that an empty control is an
absent value. Browsers rewrite line ends, so `t` carries only texts that survive that (see `is_plain`).
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote

from packs.editing.pointers import require_json
from packs.editing.values import ABSENT, EditRefused
from packs.formats.costs import MAX_VALUES, values_in
from packs.formats.findings import from_pointer, index_of, to_pointer

TEXT, NUMBER, FLAG, JSON, NULL, OBJECT, LIST = "t", "n", "b", "j", "z", "o", "l"
KIND, VARIANT, NAME = "k", "v", "r"
VALUE_CODES = frozenset({TEXT, NUMBER, FLAG, JSON, NULL, OBJECT, LIST})
NOTE_CODES = frozenset({KIND, VARIANT, NAME})

TOO_MUCH = f"more than {MAX_VALUES} values can be checked only in an import"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A control whose text could not be read: the text as it came and where in it the trouble is."""

    text: str
    line: int
    column: int
    reason: str


@dataclass(slots=True)
class Submitted:
    """What a form submitted: `value` at its root, and the choices that still have to be acted on, by pointer."""

    value: Any = ABSENT
    kinds: dict[str, str] = field(default_factory=dict)
    variants: dict[str, int] = field(default_factory=dict)
    unreadable: dict[str, Unreadable] = field(default_factory=dict)
    clashes: list[str] = field(default_factory=list)


# Control characters but tab and line feed, and halves of characters: what is in Unicode's categories Cc and Cs.
_ALTERED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def is_plain(text: str) -> bool:
    """Whether a textarea carries this text unchanged: no control characters but tab and line feed."""
    return not _ALTERED.search(text)


def control_name(code: str, pointer: str, optional: bool = False) -> str:
    """The name of a control."""
    return f"{code}{'?' if optional else ''}:{encode_pointer(pointer)}"


def encode_pointer(pointer: str) -> str:
    """A pointer in ASCII, so that no browser rewrites it."""
    return quote(pointer, safe="/~", errors="surrogatepass")


def decode_pointer(text: str) -> str | None:
    """The pointer that `encode_pointer` wrote; None when the text is none."""
    pointer = unquote(text, errors="surrogatepass")
    return pointer if not pointer or pointer.startswith("/") else None


def split_name(name: str) -> tuple[str, bool, str] | None:
    """Code, optional and pointer of a control's name; None for controls that are not about a document."""
    head, colon, tail = name.partition(":")
    code = head.removesuffix("?")
    if not colon or code not in VALUE_CODES | NOTE_CODES:
        return None
    pointer = decode_pointer(tail)
    return None if pointer is None else (code, head.endswith("?"), pointer)


def json_text(value: Any, indent: int | None = 2) -> str:
    """A value as JSON that a textarea carries unchanged."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return text if is_plain(text) else json.dumps(value, ensure_ascii=True, indent=indent)


def read_json(text: str) -> Any:
    """Read JSON. Raises ValueError, also for a key that stands twice and for NaN and infinities."""
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)


def read_number(text: str) -> int | float | str:
    """A number where the text is one as JSON writes it; otherwise the text itself, which the checks then refuse."""
    try:
        found = read_json(text.strip())
    except (ValueError, RecursionError):
        return text
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    return found if is_number and math.isfinite(found) else text


def decode(pairs: Iterable[tuple[str, str]], root: str = "") -> Submitted:
    """Put the document below `root` together from the names and values of a submitted form.

    Of two controls with one name the last counts, as for a checkbox behind its hidden "false". Controls outside
    `root`, and controls that are not about a document, are passed over.
    """
    submitted = Submitted()
    reader = _Reader(submitted)
    for name, raw in pairs:
        found = split_name(name)
        if found and (found[2] == root or found[2].startswith(f"{root}/")):
            reader.take(*found, raw)
    submitted.value = reader.value(root)
    submitted.kinds = {reader.moved(pointer): kind for pointer, kind in submitted.kinds.items()}
    submitted.variants = {reader.moved(pointer): index for pointer, index in submitted.variants.items()}
    return submitted


class _Reader:
    """Collects controls, then assembles the value at a pointer."""

    def __init__(self, submitted: Submitted) -> None:
        self.submitted = submitted
        self.controls: dict[str, tuple[str, bool, str]] = {}
        self.children: dict[str, list[str]] = {}
        self.names: dict[str, str] = {}
        self.renamed: dict[str, str] = {}
        self.values_read = 0

    def take(self, code: str, optional: bool, pointer: str, raw: str) -> None:
        if code == KIND:
            self.submitted.kinds[pointer] = raw
        elif code == VARIANT:
            self.submitted.variants[pointer] = index_of(raw) or 0
        elif code == NAME:
            self.names[pointer] = raw
        else:
            if pointer not in self.controls:
                self.children.setdefault(pointer.rpartition("/")[0], []).append(pointer)
            self.controls[pointer] = (code, optional, raw)

    def value(self, pointer: str) -> Any:
        """The value of a control with everything below it; ABSENT where nothing was submitted."""
        if pointer not in self.controls:
            return ABSENT
        code, optional, raw = self.controls[pointer]
        if code == JSON:
            return self._json(pointer, optional, raw)
        if code == OBJECT:
            found: Any = self._object(pointer)
        elif code == LIST:
            found = [value for value in map(self.value, self._below(pointer)) if value is not ABSENT]
        else:
            found = _scalar(code, raw)
        return ABSENT if optional and _is_empty(found) else found

    def moved(self, pointer: str) -> str:
        """Where a value stands after the keys above it were renamed."""
        if not self.renamed:
            return pointer
        steps = from_pointer(pointer)
        places = [to_pointer(steps[: length + 1]) for length in range(len(steps))]
        return to_pointer(tuple(self.renamed.get(place, step) for place, step in zip(places, steps, strict=True)))

    def _below(self, pointer: str) -> list[str]:
        return [child for child in self.children.get(pointer, []) if child != pointer]

    def _object(self, pointer: str) -> dict[str, Any]:
        built: dict[str, Any] = {}
        old = {child: from_pointer(child)[-1] for child in self._below(pointer)}
        for child, key in old.items():
            new = self.names.get(child, key)
            if new != key and (new in built or new in old.values()):
                self.submitted.clashes.append(child)
                new = key
            elif new != key:
                self.renamed[child] = new
            value = self.value(child)
            if value is not ABSENT:
                built[new] = value
        return built

    def _json(self, pointer: str, optional: bool, raw: str) -> Any:
        """The value of JSON text; ABSENT, and noted as unreadable, where it is none."""
        if optional and not raw.strip():
            return ABSENT
        self.values_read += values_in(raw.encode("utf-8", "replace"))
        try:
            if self.values_read > MAX_VALUES:
                raise ValueError(TOO_MUCH)
            value = read_json(raw)
            require_json(value)
            return value
        except json.JSONDecodeError as error:
            trouble = Unreadable(raw, error.lineno, error.colno, error.msg)
        except (ValueError, RecursionError, EditRefused) as error:
            trouble = Unreadable(raw, 0, 0, str(error))
        self.submitted.unreadable[pointer] = trouble
        return ABSENT


def _scalar(code: str, raw: str) -> Any:
    if code == NULL:
        return None
    if code == NUMBER:
        return read_number(raw) if raw.strip() else ""
    if code == FLAG:
        return {"true": True, "false": False}.get(raw, "")
    return raw.replace("\r\n", "\n").replace("\r", "\n")


def _is_empty(value: Any) -> bool:
    """Whether an optional control was left empty. A number 0 and `false` are answers, not emptiness."""
    return value in ("", [], {})


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return found


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")
