"""Asks a schema what it refuses in a document, and says it by the rules of a format."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.schema import SchemaCheck, Violation, compile_schema
from packs.formats.schema.pieces import Schema
from packs.formats.structure.published import published
from packs.formats.structure.words import SHOWN, described, types_described

_UNIONS = ("oneOf", "anyOf")
_NUMBER = re.compile(r"\+?[0-9]+", re.ASCII)
# What a limit asks for, by the word of the schema.
_LIMITS: Mapping[str, Callable[[Any], str]] = {
    "minimum": lambda limit: f"at least {limit}",
    "maximum": lambda limit: f"at most {limit}",
    "exclusiveMinimum": lambda limit: f"above {limit}",
    "exclusiveMaximum": lambda limit: f"below {limit}",
    "minLength": lambda limit: "not empty" if limit == 1 else f"at least {limit} characters long",
    "maxLength": lambda limit: f"at most {limit} characters long",
    "minItems": lambda limit: "not empty" if limit == 1 else f"a list of at least {limit} entries",
}
# The rule that stands for a word which has none of its own.
_GROUPS: Mapping[str, str] = {**dict.fromkeys(_LIMITS, "limit"), "const": "enum"}


@dataclass(frozen=True, slots=True)
class Structure:
    """The check of structure of one kind of node.

    `rules` says by which rule a broken word of the schema is reported: by the word itself, or by `limit` for any limit
    of a number or a length, and `enum` for `const` too. Where a part of the schema states `x-rules`, such as
    `{"required": "no_type"}`, that names the rule. A word without a rule is passed over: a rule that no schema can say
    reports it. What stands for an absent field is fine where the schema says so (`packs.formats.schema.pieces`).

    Rules may use `{name}`, `{expected}`, `{found}`, and for `enum` `{known}`. Raises TypeError for an unusable schema.
    """

    schema: Schema
    rules: Mapping[str, Rule]
    check: SchemaCheck = field(init=False)

    def __post_init__(self) -> None:
        schema = published(self.schema)
        check = compile_schema(schema)
        if not isinstance(check, SchemaCheck):
            raise TypeError(check.message)
        object.__setattr__(self, "schema", schema)
        object.__setattr__(self, "check", check)

    def examine(self, document: Document, reported: Iterable[Path] = ()) -> Iterator[Finding]:
        """What the schema refuses, one finding for each value; paths start at the document.

        Places of `reported` are passed over: other rules, which know more, have said already what is wrong there.
        """
        if self.check.is_valid(document):
            return
        found: dict[Path, Finding] = {}
        for violation in self.check.violations(document):
            for part in _flattened(violation):
                for finding in self._findings(part, document):
                    # Of several things wrong with a value its type says most.
                    if finding.path not in found or part.keyword == "type":
                        found[finding.path] = finding
        known = set(reported)
        yield from (finding for path, finding in found.items() if path not in known)

    def beside(self, document: Document, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings of other rules about a document, and after them what the schema refuses besides."""
        reported = list(findings)
        yield from reported
        yield from self.examine(document, [finding.path for finding in reported])

    def _findings(self, violation: Violation, document: Document) -> Iterator[Finding]:
        rule = self._rule(violation)
        path, value = _found(document, violation.path)
        if rule is None:
            return
        expected = violation.expected
        if violation.keyword in ("required", "additionalProperties"):
            for key in [expected] if isinstance(expected, str) else expected:
                yield rule.at((*path, key), name=key)
        else:
            yield rule.at(path, name=_called(path), found=described(value), **_wanted(violation))

    def _rule(self, violation: Violation) -> Rule | None:
        part: Any = self.schema
        for step in violation.place[:-1]:
            part = part[step]
        named = part.get("x-rules", {}).get(violation.keyword, violation.keyword)
        return self.rules.get(named) or self.rules.get(_GROUPS.get(named, ""))


def _wanted(violation: Violation) -> dict[str, str]:
    """What a rule may say of what was expected."""
    expected, keyword = violation.expected, violation.keyword
    if keyword == "type":
        return {"expected": types_described([expected] if isinstance(expected, str) else expected), "known": ""}
    if keyword in ("enum", "const"):
        known = ", ".join(str(value) for value in (expected if keyword == "enum" else [expected]) if value is not None)
        return {"expected": f"one of: {known}", "known": known}
    return {"expected": _LIMITS[keyword](expected) if keyword in _LIMITS else "", "known": ""}


def _flattened(violation: Violation) -> Iterator[Violation]:
    """The violation itself; of a union what is wrong by the branch that was meant, or the types of all branches."""
    if violation.keyword not in _UNIONS:
        yield violation
        return
    branches = [[part for each in branch for part in _flattened(each)] for branch in violation.branches]
    meant = [branch for branch in branches if not any(_is_of_type(part, violation.path) for part in branch)]
    if meant:
        yield from min(meant, key=len)
        return
    types = [part.expected for branch in branches for part in branch if _is_of_type(part, violation.path)]
    flat = [name for each in types for name in ([each] if isinstance(each, str) else each)]
    yield Violation(violation.path, "type", flat, violation.message, place=violation.place)


def _is_of_type(violation: Violation, path: Path) -> bool:
    """Whether it says that the value at a path has another type."""
    return violation.keyword == "type" and violation.path == path


def _found(document: Any, path: Path) -> tuple[Path, Any]:
    """The value at a path of a validator, and the path with its steps as the document has them."""
    steps: Path = ()
    for step in path:
        step = _key(document, step) if isinstance(document, dict) else step
        steps, document = (*steps, step), document[step]
    return steps, document


def _key(mapping: Document, step: str | int) -> str:
    """The key that a step means: a validator gives the number 1 for the keys "1", "01" and "+1"."""
    if isinstance(step, str):
        return step
    return next(key for key in (str(step), *mapping) if key in mapping and _NUMBER.fullmatch(key) and int(key) == step)


def _called(path: Path) -> str:
    """What a message calls the value at a path: an entry of a list is called by its list."""
    name = next((step for step in reversed(path) if isinstance(step, str)), "this")[:SHOWN]
    return f"an entry of {name}" if path and isinstance(path[-1], int) else name
