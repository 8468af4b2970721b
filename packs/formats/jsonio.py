"""Strict JSON and JSON Lines: values in, findings with line and column for what is wrong, canonical text out."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

import orjson

from packs.formats.characters import ESCAPED_HALF, HALF, without_halves
from packs.formats.findings import MAX_FINDINGS, Finding, Path, Rule
from packs.formats.yamlio import CORE_12, MAX_DEPTH, MAX_SCALAR, UnwritableError, locate
from packs.formats.yamlio import read as read_yaml

MAX_BYTES = 64 * 1024 * 1024
MAX_LINE_BYTES = 8 * 1024 * 1024

SYNTAX = Rule("json.E001", "This is not valid JSON: {reason}.", hint="Compare with the characters before this place.")
DUPLICATE_KEY = Rule(
    "json.E002", "The key {key!r} is given twice in one object.", hint="Keep one of the two; the first one counts."
)
NOT_UTF8 = Rule("json.E003", "Byte {byte:#04x} is not valid UTF-8 here.", hint="Save the file with the encoding UTF-8.")
HALF_CHARACTER = Rule(
    "json.E004",
    "The text holds half a character: an escape such as \\ud83d without its partner.",
    hint="Write both halves, or the character itself.",
)
TOO_LARGE = Rule("json.E005", "There are {size} bytes; at most {limit} can be read.", hint="Split the file.")
TOO_DEEP = Rule("json.E006", "Values are nested more than {limit} levels deep.", hint="Make the value flatter.")
TEXT_TOO_LONG = Rule(
    "json.E008", "A text has {size} characters; at most {limit} can be kept.", hint="Put it into a file of its own."
)
NOT_A_NUMBER = Rule(
    "json.E015",
    "This number is not finite, and JSON has no others.",
    hint="Write a finite number, or a text in quotes.",
)
LOST_DIGITS = Rule(
    "json.W003",
    "A number with more than 64 bits cannot be kept exactly and becomes {value!r}.",
    hint="Put the number in quotes if every digit counts.",
)

# Only texts with one of these can hold an integer beyond 64 bits, an infinite number or half a character.
_DOUBTFUL = re.compile(rf"[0-9]{{19}}|[eE]\+?[0-9]{{3}}|Infinity|NaN|{ESCAPED_HALF}")


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One line of a JSON Lines file that is not blank; `line` counts every line from 1."""

    line: int
    value: Any
    findings: list[Finding] = field(default_factory=list)


class _Decoder:
    """Python's decoder with an eye on repeated keys; it is quick enough and says where the text breaks."""

    def __init__(self) -> None:
        self.is_repeating = False
        self._decode = json.JSONDecoder(object_pairs_hook=self._object).decode

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            self.is_repeating = True
            found = dict(reversed(pairs))
            found = {key: found[key] for key, _ in pairs}
        return found

    def decode(self, text: str, line: int) -> tuple[Any, list[Finding]]:
        """The value, and findings whose lines count from `line`."""
        self.is_repeating = False
        try:
            value = self._decode(text)
        except json.JSONDecodeError as error:
            reason = error.msg[:1].lower() + error.msg[1:]
            return None, [_at(SYNTAX.at((), reason=reason), error.lineno + line - 1, error.colno)]
        except RecursionError:
            return None, [_at(TOO_DEEP.at((), limit=MAX_DEPTH), line, 1)]
        findings = _repeated(text, line) if self.is_repeating else []
        if _DOUBTFUL.search(text):
            replacing = _Replacing()
            value = replacing.replaced(value, ())
            findings += _placed(replacing.findings, text, line)
        return value, findings


def _at(finding: Finding, line: int, column: int) -> Finding:
    return replace(finding, line=line, column=column)


def _repeated(text: str, line: int) -> list[Finding]:
    """Where keys are repeated; the YAML reader knows, and takes JSON."""
    found = [finding for finding in read_yaml(text, dialect=CORE_12)[1] if finding.code == "yaml.E002"]
    reported = [
        _at(DUPLICATE_KEY.at(item.path, key=str(item.path[-1])[:80]), item.line + line - 1, item.column)
        for item in found
    ]
    return reported or [_at(DUPLICATE_KEY.at((), key="?"), line, 1)]


def _placed(findings: list[Finding], text: str, line: int) -> list[Finding]:
    marks = locate(text, {finding.path for finding in findings}) if findings else {}
    return [_at(finding, marks[finding.path].line + line - 1, marks[finding.path].column) for finding in findings]


class _Replacing:
    """Replaces what a JSON value cannot be, and says so; a text longer than `longest` is only reported."""

    def __init__(self, longest: int = MAX_BYTES) -> None:
        self.findings: list[Finding] = []
        self.longest = longest

    def report(self, rule: Rule, path: Path, **values: Any) -> None:
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(rule.at(path, **values))

    def replaced(self, value: Any, path: Path) -> Any:
        if isinstance(value, dict):
            return {self.text(key, path): self.replaced(item, (*path, key)) for key, item in value.items()}
        if isinstance(value, list):
            return [self.replaced(item, (*path, index)) for index, item in enumerate(value)]
        if isinstance(value, str):
            return self.text(value, path)
        if type(value) is int and not -(2**63) <= value < 2**64:
            return self.large(value, path)
        if type(value) is float and not isfinite(value):
            self.report(NOT_A_NUMBER, path)
            return str(value)
        return value

    def text(self, text: str, path: Path) -> str:
        if len(text) > self.longest:
            self.report(TEXT_TOO_LONG, path, size=len(text), limit=self.longest)
        if not HALF.search(text):
            return text
        self.report(HALF_CHARACTER, path)
        return without_halves(text)

    def large(self, value: int, path: Path) -> Any:
        try:
            rounded = float(value)
        except OverflowError:
            self.report(NOT_A_NUMBER, path)
            return str(value)
        if int(rounded) != value:
            self.report(LOST_DIGITS, path, value=rounded)
        return rounded


def storable(value: Any) -> tuple[Any, list[Finding]]:
    """A value that did not come from a file as files can say it, and what had to change; paths start at the value.

    Whole numbers beyond 64 bits become floats. The errors are about what no file can say: numbers that are not finite,
    half characters, and texts that are too long for a YAML file.
    """
    replacing = _Replacing(MAX_SCALAR)
    return replacing.replaced(value, ()), replacing.findings


def _is_too_deep(raw: bytes) -> bool:
    """Whether nesting passes the limit; brackets inside texts do not count."""
    if raw.count(b"[") + raw.count(b"{") <= MAX_DEPTH:
        return False
    depth = 0
    for match in _BRACKETS.finditer(raw):
        if match[0] in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif match[0] in b"]}":
            depth -= 1
    return False


_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)


def _read(decoder: _Decoder, raw: bytes, line: int, limit: int) -> tuple[Any, list[Finding]]:
    if len(raw) > limit:
        return None, [_at(TOO_LARGE.at((), size=len(raw), limit=limit), line, 1)]
    if _is_too_deep(raw):
        return None, [_at(TOO_DEEP.at((), limit=MAX_DEPTH), line, 1)]
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        return None, [_at(NOT_UTF8.at((), byte=raw[error.start]), line + before.count(b"\n"), column)]
    try:
        return decoder.decode(text, line)
    except ValueError:
        # Python refuses to turn more than some thousand digits into an integer.
        return None, [_at(NOT_A_NUMBER.at(()), line, 1)]


def read(data: bytes | str, *, file: str = "") -> tuple[Any, list[Finding]]:
    """The value of a JSON text and what is wrong with it; the value is None when the text cannot be read.

    A byte order mark is passed over; of equal keys the first counts. Never raises.
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    value, findings = _read(_Decoder(), raw.removeprefix(b"\xef\xbb\xbf"), 1, MAX_BYTES)
    return value, [replace(finding, file=file) for finding in findings]


def read_lines(lines: Iterable[bytes], *, file: str = "") -> Iterator[JsonLine]:
    """The rows of a JSON Lines file, one at a time; blank lines are skipped but counted.

    `lines` is an open binary file or anything else that gives lines of bytes. A row that cannot be read has the value
    None and findings; the rows after it are read all the same. Never raises on any content.
    """
    decoder = _Decoder()
    for number, raw in enumerate(lines, start=1):
        line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        if line.isspace() or not line:
            continue
        value, findings = _read(decoder, line, number, MAX_LINE_BYTES)
        yield JsonLine(number, value, [replace(finding, file=file) for finding in findings])


def write(value: Any, *, is_indented: bool = False) -> bytes:
    """Canonical JSON: keys in their order, UTF-8 as it is, LF at the end; two spaces of indentation if asked for.

    Raises UnwritableError for what JSON cannot hold.
    """
    option = orjson.OPT_APPEND_NEWLINE | (orjson.OPT_INDENT_2 if is_indented else 0)
    try:
        text = orjson.dumps(value, option=option)
        if b"null" in text:
            # orjson writes not-a-number as null without a word.
            json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise UnwritableError(str(error)) from error
    return text
