"""What a new pack begins with: what the agent is asked, what a right answer is, and how it is checked."""

import re
from dataclasses import dataclass
from typing import Any

import orjson

from packs.formats.patterns import PatternTrouble, compile_pattern

# Kinds of check that need no model, in the order in which they are offered, and how the right answer is written for
# each. A format says in FIRST_CHECKS which of them it has.
ANSWERS = {
    "contains": "The words that have to be in the answer.",
    "exact_match": "The whole answer, letter by letter.",
    "regex_match": "A regular expression that has to match somewhere in the answer.",
    "numeric_match": "A number, with how far off it may be: 42 or 42 ± 0.5.",
    "json_path_match": 'A place in the JSON and the value there: hub.name = "Leeds".',
}

_NUMBER = r"(?:\d{1,15}\.?\d{0,15}|\.\d{1,15})"
_NEAR = re.compile(rf"\s*([+-]?{_NUMBER})\s*(?:(?:±|\+/?-)\s*({_NUMBER})\s*)?")
_PLACE = re.compile(r"\s*\$?\.?([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+|\[\d{1,3}\])*)\s*=(.*)", re.DOTALL)
_STEP = re.compile(r"\[(\d+)\]|([A-Za-z0-9_-]+)")


class AnswerRefused(ValueError):
    """The answer does not suit the check: the sentence says how to write it."""


@dataclass(frozen=True, slots=True)
class First:
    """The three answers; `check` is a kind of `packs.formats.kinds`."""

    question: str
    answer: str
    check: str = "contains"

    def pattern(self) -> str:
        """The pattern of the RE2 dialect. Raises AnswerRefused."""
        found = compile_pattern(self.answer)
        if isinstance(found, PatternTrouble):
            raise AnswerRefused(f"This is no regular expression: {found.message}. {found.hint}".strip())
        return self.answer

    def number(self) -> tuple[float, float]:
        """The number and its tolerance. Raises AnswerRefused."""
        found = _NEAR.fullmatch(self.answer)
        if found is None:
            raise AnswerRefused("Write a number, such as 42, or 42 ± 0.5.")
        value = found.group(1)
        return int(value) if value.lstrip("+-").isdecimal() else float(value), float(found.group(2) or 0)

    def fact(self) -> "Fact":
        """The place in the JSON and its value. Raises AnswerRefused."""
        found = _PLACE.fullmatch(self.answer)
        if found is None or not found.group(2).strip():
            raise AnswerRefused('Write a place and its value, such as hub.name = "Leeds".')
        text = found.group(2).strip()
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            value = text
        return Fact(found.group(1), value)


@dataclass(frozen=True, slots=True)
class Fact:
    """A value of a JSON object; `path` is names and `[index]`, joined by dots."""

    path: str
    value: Any

    @property
    def steps(self) -> list[str | int]:
        return [int(index) if index else name for index, name in _STEP.findall(self.path)]

    def example(self) -> Any:
        """The smallest JSON in which the fact is true."""
        found = self.value
        for step in reversed(self.steps):
            found = {step: found} if isinstance(step, str) else [*[None] * step, found]
        return found

    def schema(self) -> dict[str, Any]:
        """A JSON Schema that just those fulfil in which the fact is true."""
        found: dict[str, Any] = {"const": self.value}
        for step in reversed(self.steps):
            if isinstance(step, str):
                found = {"type": "object", "required": [step], "properties": {step: found}}
            else:
                found = {"type": "array", "minItems": step + 1, "prefixItems": [*[{}] * step, found]}
        return found


EXAMPLE = First("Which hub holds the parcel?", "Leeds")
