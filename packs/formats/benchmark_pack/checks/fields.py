"""Rules about the fields of `input` and `eval` of a family (benchmark-pack 6), read from its schema."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from packs.formats.advice import did_you_mean
from packs.formats.benchmark_pack.checks.nested import (
    check_checker,
    check_needed_commands,
    check_repository_tests,
)
from packs.formats.benchmark_pack.checks.values import UNKNOWN_FIELD, WRONG_VALUE, is_amount, is_words_or_number
from packs.formats.benchmark_pack.header import section
from packs.formats.benchmark_pack.schema.families import EVAL, INPUT
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule, render_path
from packs.formats.schema.pieces import Schema
from packs.formats.values import is_text, is_texts

MISSING = Rule(
    "benchmark_pack.E202",
    "{name} is missing: this family needs it.",
    hint="Fill it in; the form of the family shows every field.",
    rule="ConfigError",
)

# What a value must be, and the words for it, by the `x-test` of its schema; None stands for rules of its own.
_TESTS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "text": (is_text, "text that is not blank"),
    "string": (lambda value: isinstance(value, str), "text"),
    "context": (lambda value: is_text(value) or isinstance(value, dict), "text that is not blank, or an object"),
    "choices": (is_texts, "a list of texts, none of them blank"),
    "answer": (
        lambda value: is_words_or_number(value) or _is_answers(value),
        "text, a number, or a list of these that is not empty",
    ),
    "answers": (lambda value: _is_answers(value), "a list of texts or numbers that is not empty"),
    "amount": (is_amount, "a number from 0 up"),
    "object": (lambda value: isinstance(value, dict), "an object"),
    "anything": (lambda value: True, "anything"),
}
_OWN_RULES: Mapping[str, Callable[[Any, Path], Iterator[Finding]]] = {
    "repository_tests": check_repository_tests,
    "checker": check_checker,
    "needed_commands": check_needed_commands,
}


def _is_answers(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(is_words_or_number, value))


@dataclass(frozen=True, slots=True)
class Part:
    """The rules of `input` or `eval` of one family."""

    name: str
    fields: Mapping[str, str]
    required: frozenset[str]
    tests: Mapping[str, Callable[[Any], bool]]

    def is_fine(self, given: Document) -> bool:
        """Whether nothing can be said against these values; quick, for rows as they should be."""
        tests = self.tests
        for name, value in given.items():
            test = tests.get(name)
            if test is None or not test(value):
                return False
        return self.required <= given.keys()

    def check(self, given: Document) -> Iterator[Finding]:
        """What is wrong, in the order in which the format looks at it."""
        unknown = sorted(given.keys() - self.fields.keys())
        if unknown:
            yield UNKNOWN_FIELD.at((self.name,), name=self.name, keys=", ".join(unknown), advice=self.advice(unknown))
        for name, kind in self.fields.items():
            if name in given:
                yield from _check_value(kind, given[name], (self.name, name))
            elif name in self.required:
                yield MISSING.at((self.name, name), name=f"{self.name}.{name}")

    def advice(self, unknown: list[str]) -> str:
        return did_you_mean(unknown[0], self.fields, f"Known fields here: {', '.join(self.fields)}.")


def _check_value(kind: str, value: Any, path: Path) -> Iterator[Finding]:
    if kind in _OWN_RULES:
        yield from _OWN_RULES[kind](value, path)
        return
    is_fine, expected = _TESTS[kind]
    if not is_fine(value):
        yield WRONG_VALUE.at(path, name=render_path(path), expected=expected)


def _part(name: str, schema: Schema) -> Part:
    fields = {field: part["x-test"] for field, part in schema["properties"].items()}
    tests = {
        field: _TESTS[kind][0] if kind in _TESTS else _without_finding(_OWN_RULES[kind])
        for field, kind in fields.items()
    }
    return Part(name, fields, frozenset(schema["required"]), tests)


def _without_finding(rules: Callable[[Any, Path], Iterator[Finding]]) -> Callable[[Any], bool]:
    return lambda value: next(rules(value, ()), None) is None


PARTS: Mapping[str, tuple[Part, Part]] = {
    family: (_part("input", INPUT[family]), _part("eval", EVAL[family])) for family in INPUT
}


def check_fields(family: str, row: Document) -> Iterator[Finding]:
    """The findings of a family's own rules; other families than the six pass unchecked."""
    for part in PARTS.get(family, ()):
        given = row.get(part.name)
        if given is None or isinstance(given, dict):
            fields = section(row, part.name)
            if not part.is_fine(fields):
                yield from part.check(fields)
