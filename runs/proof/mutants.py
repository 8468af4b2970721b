"""Wrong answers made of a right one by one small change each, as mutation testing does with programs.

Every change is one that makes an answer wrong whatever is asked: texts that may be worded freely are left alone.
"""

import re
from collections.abc import Iterator
from typing import Any

import orjson

from runs.proof.probes import Code, Expect, Probe, Work, refused
from runs.proof.programs import changed_operators, returns_taken_out
from runs.proof.shapes import NUMBER, Shape, parsed, shape_of

# How many mutants are made of one reference at the most.
MOST = 12
MOST_FILES = 3
# Each is a run of the tests of a case.
MOST_OPERATORS, MOST_RETURNS = 6, 3
# Files of programs in which a line that begins with a hash says nothing.
_HASHED = (".py", ".sh", ".rb", ".pl")
# What a file says in one way only; of other files a change can leave the work right.
_FIXED = frozenset({Shape.JSON, Shape.NUMBER, Shape.PATCH})
# A text of more words in a JSON value is prose, which another wording leaves right.
FIXED_WORDS = 3
_VERB = re.compile(r"\b(is|are|was|were|can|may|must|will|has|have|does|do|should)\b(?! not)(?!n't)")
_NOT = re.compile(r"\b(is|are|was|were|can|may|must|will|has|have|does|do|should) not\b|\bcannot\b")
_NUMBER_IN_TEXT = re.compile(r"(?<![\w.])[0-9]+(?:\.[0-9]+)?(?![\w.])")
_DIGITS = re.compile(r"[0-9]{1,15}")
# Names at both ends of what happens between them; names that are only joined can stand in any order.
_TWO_NAMES = re.compile(r"([A-Z]\w+)( (?:.* )?[a-z]+ (?:.* )?)([A-Z]\w+)([.!]?)")
_JOINED = re.compile(r" (?:and|or|und|et|y) ")
_OPPOSITES = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
# May is left out, which is a verb as well.
_CALENDARS = (
    ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    ("January", "February", "March", "April", "June", "July", "August", "September", "October", "November", "December"),
)
_NEXT = {name: names[index - len(names) + 1] for names in _CALENDARS for index, name in enumerate(names)}
_DAY = re.compile(rf"\b({'|'.join(_NEXT)})\b")
_HUNK = re.compile(r"^@@ ", re.MULTILINE)


def mutants_of(text: str, *, is_code: bool = False, tolerance: float = 0.0) -> Iterator[Probe]:
    """Probes with wrong answers; at most `MOST`.

    `tolerance` is how far a number may be off by the case's own rules: those made here are farther off.
    """
    makers = {
        Shape.JSON: lambda: _json(parsed(text), tolerance),
        Shape.NUMBER: lambda: _numbers(text.strip(), tolerance),
        Shape.PATCH: lambda: _patch(text),
        Shape.CODE: lambda: _code(text),
        Shape.LABEL: lambda: _label(text.strip()),
        Shape.SHORT: lambda: _short(text.strip()),
        Shape.PROSE: lambda: _prose(text, tolerance),
    }
    maker = makers.get(shape_of(text, is_code=is_code))
    found = maker() if maker else iter(())
    for (name, other), _ in zip(found, range(MOST), strict=False):
        if other.strip() != text.strip():
            yield refused(name, Code.ACCEPTS_MUTANT, other, counts=True)


def _step(tolerance: float) -> float:
    """How far a number is moved: by one, or farther than a tolerance reaches."""
    return max(1.0, 2 * tolerance)


def _shown(value: float, like: str) -> str:
    """A number written as another one is."""
    digits = len(like.partition(".")[2])
    return f"{value:.{digits}f}"


def _moved(number: str, tolerance: float) -> Iterator[tuple[str, str]]:
    value = float(number)
    step = _step(tolerance)
    yield "a number that is too large", _shown(value + step, number)
    yield "a number that is too small", _shown(value - step, number)


def _numbers(number: str, tolerance: float) -> Iterator[tuple[str, str]]:
    yield from _moved(number, tolerance)
    value = float(number)
    if value:
        # However wide a tolerance is: one that takes these in says nothing of the number.
        yield "the number with the other sign", _shown(-value, number)
        yield "half the number", _shown(value / 2, number)
        yield "ten times the number", _shown(value * 10, number)


def _label(text: str) -> Iterator[tuple[str, str]]:
    yield "the answer denied", f"not {text}"
    if len(text) == 1:
        yield "another letter", "B" if text.upper() == "A" else "A"
        return
    yield "the answer as a part of another word", f"{text}0"
    for found in list(_DIGITS.finditer(text))[-1:]:
        number = f"{int(found[0]) + 1:0{len(found[0])}}"
        yield "the answer with another number", text[: found.start()] + number + text[found.end() :]
    yield from _another_day(text)


def _another_day(text: str) -> Iterator[tuple[str, str]]:
    """A text with its first day of the week, or else month, made another one."""
    found = _DAY.search(text)
    if found:
        yield "another day or month", text[: found.start()] + _NEXT[found[0]] + text[found.end() :]


def _short(text: str) -> Iterator[tuple[str, str]]:
    yield "the answer denied", f"not {text}"
    opposite = _OPPOSITES.get(text.lower().strip("."))
    if opposite:
        yield "the opposite", opposite.capitalize() if text[:1].isupper() else opposite
    found = _NUMBER_IN_TEXT.search(text)
    if found:
        for name, number in _moved(found[0], 0.0):
            yield name, text[: found.start()] + number + text[found.end() :]
    yield from _another_day(text)
    names = _TWO_NAMES.fullmatch(text)
    if names and names[1] != names[3] and not _JOINED.fullmatch(names[2]):
        yield "two names swapped", f"{names[3]}{names[2]}{names[1]}{names[4]}"
    yield from _listed(text, ", ")


def _listed(text: str, between: str) -> Iterator[tuple[str, str]]:
    """A list of short items with one of them left out."""
    items = [item.strip() for item in text.strip().split(between.strip() or between)]
    if len(items) > 2 and all(0 < len(item.split()) <= FIXED_WORDS for item in items):
        yield "the list without its last item", between.join(items[:-1])
        yield "the list without its first item", between.join(items[1:])


def _prose(text: str, tolerance: float) -> Iterator[tuple[str, str]]:
    denied = _NOT.search(text)
    verb = _VERB.search(text)
    if denied:
        said = "can" if denied[0] == "cannot" else denied[1]
        yield "a denial taken back", text[: denied.start()] + said + text[denied.end() :]
    elif verb:
        yield "a statement denied", f"{text[: verb.end()]} not{text[verb.end() :]}"
    yield from _another_day(text)
    yield from _listed(text, "\n")
    yield from _listed(text, ", ")
    for found in list(_NUMBER_IN_TEXT.finditer(text))[:3]:
        _, number = next(iter(_moved(found[0], tolerance)))
        yield "a number off by one", text[: found.start()] + number + text[found.end() :]


def _json(value: Any, tolerance: float) -> Iterator[tuple[str, str]]:
    for name, other in _changed(value, tolerance):
        yield name, orjson.dumps(other).decode()


def _changed(value: Any, tolerance: float) -> Iterator[tuple[str, Any]]:
    """A JSON value with one part of it changed or left out, for each part that cannot be said in other words."""
    if isinstance(value, dict):
        for key in value:
            yield from _changed_at(value, key, tolerance)
    elif isinstance(value, list):
        yield from _changed_in(value, tolerance)
    elif _is_fixed(value):
        yield _other_value(value, tolerance)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < abs(value) <= 2 * tolerance:
            # However wide a tolerance is: one that takes this in says nothing of the number.
            yield "the number with the other sign", -value


def _changed_in(value: list[Any], tolerance: float) -> Iterator[tuple[str, Any]]:
    for index, part in enumerate(value):
        for name, other in _changed(part, tolerance):
            yield name, [*value[:index], other, *value[index + 1 :]]
    if value:
        yield "a list without its last item", value[:-1]


def _changed_at(value: dict[str, Any], key: str, tolerance: float) -> Iterator[tuple[str, Any]]:
    for name, other in _changed(value[key], tolerance):
        yield f"{name} at `{key}`" if " at " not in name else name, {**value, key: other}
    if isinstance(value[key], dict | list) or _is_fixed(value[key]):
        yield f"`{key}` left out", {name: each for name, each in value.items() if name != key}


def _other_value(value: bool | float | str, tolerance: float) -> tuple[str, Any]:
    if isinstance(value, bool):
        return "the other truth value", not value
    if isinstance(value, str):
        return "another text", _shown(float(value) + 1, value) if NUMBER.fullmatch(value) else f"not {value}"
    return "a number off by one", value + type(value)(_step(tolerance))


def _is_fixed(value: Any) -> bool:
    """Whether a value can be said in one way only."""
    if isinstance(value, str):
        return 0 < len(value.split()) <= FIXED_WORDS
    return isinstance(value, bool | int | float)


def _code(text: str) -> Iterator[tuple[str, str]]:
    lines = text.rstrip().split("\n")
    if len(lines) > 1:
        yield "the program without its second half", "\n".join(lines[: (len(lines) + 1) // 2])
    if "return " in text:
        yield "a program that returns nothing", re.sub(r"\breturn [^\n]*", "return None", text)
    yield from spread(list(returns_taken_out(text)), MOST_RETURNS)
    yield from spread(list(changed_operators(text)), MOST_OPERATORS)


def spread(found: list[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """At most so many, from all over a list."""
    return found if len(found) <= most else [found[index * len(found) // most] for index in range(most)]


def _patch(text: str) -> Iterator[tuple[str, str]]:
    hunks = [found.start() for found in _HUNK.finditer(text)]
    if hunks:
        yield "the patch without what it changes", text[: hunks[0]]
        yield "the patch turned round", _reversed(text)
    if len(hunks) > 1:
        yield "the patch without its last part", text[: hunks[-1]]


def _reversed(text: str) -> str:
    """A patch that takes back what it does: lines that are added are removed and the other way round."""

    def turned(line: str) -> str:
        if line.startswith(("+++", "---")):
            return line
        return {"+": "-", "-": "+"}.get(line[:1], line[:1]) + line[1:]

    return "\n".join(turned(line) for line in text.split("\n"))


def file_mutants(text: str, files: dict[str, str]) -> Iterator[Probe]:
    """Work with the files of a reference, one of them left out, emptied, cut off or changed."""
    for path, content in list(files.items())[:MOST_FILES]:
        rest = {name: each for name, each in files.items() if name != path}
        yield _with_files(f"`{path}` left out", text, rest)
        yield _with_files(f"`{path}` empty", text, {**files, path: ""})
        if content.count("\n") > 1:
            yield _with_files(f"`{path}` cut off", text, {**files, path: content[: len(content) // 2]})
        if path.endswith(_HASHED) and content.strip():
            hashed = "".join(f"# {line}" for line in content.splitlines(keepends=True))
            yield _with_files(f"`{path}` as comments", text, {**files, path: hashed})
        for name, other in spread(list(changed_operators(content)), 2) if path.endswith(".py") else ():
            yield _with_files(f"`{path}` as {name}", text, {**files, path: other})
        for probe in mutants_of(content) if shape_of(content) in _FIXED else ():
            yield _with_files(f"`{path}` with {probe.name}", text, {**files, path: probe.work.text})


def _with_files(name: str, text: str, files: dict[str, str]) -> Probe:
    return Probe(name, Code.ACCEPTS_MUTANT, Expect.REFUSE, Work(text, files), counts=True)
