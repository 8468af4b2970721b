"""Assertions about the text of the answer, and whether it is JSON (agentv F.4)."""

from collections.abc import Callable, Sequence
from typing import Any

from runs.grading.graders.agentv.rows import ScoreRow, one
from runs.grading.graders.agentv.scene import Judge, Raised, Scene
from runs.grading.graders.values import parse_json

# Of a long text a check shows this much.
SHOWN = 200


def contains(scene: Scene) -> ScoreRow:
    """The answer has the text in it."""
    return _substring(scene, str)


def icontains(scene: Scene) -> ScoreRow:
    """The same, whatever the case of letters."""
    return _substring(scene, str.lower)


def _substring(scene: Scene, fold: Callable[[str], str]) -> ScoreRow:
    value = text_of(scene)
    return one(fold(value) in fold(scene.answer), f"the answer contains {value[:SHOWN]!r}")


def _of_list(combine: Callable[[Sequence[bool]], bool], word: str, fold: Callable[[str], str]) -> Judge:
    def judge(scene: Scene) -> ScoreRow:
        values, answer = texts_of(scene), fold(scene.answer)
        found = [fold(value) in answer for value in values]
        missed = [value[:SHOWN] for value, is_found in zip(values, found, strict=True) if not is_found]
        return one(combine(found), f"the answer contains {word} of {len(values)} texts", f"not found: {missed}")

    return judge


contains_any = _of_list(any, "any", str)
icontains_any = _of_list(any, "any", str.lower)
contains_all = _of_list(all, "all", str)
icontains_all = _of_list(all, "all", str.lower)


def starts_with(scene: Scene) -> ScoreRow:
    """The trimmed answer begins with the trimmed text."""
    value = text_of(scene).strip()
    return one(scene.answer.strip().startswith(value), f"the answer begins with {value[:SHOWN]!r}")


def ends_with(scene: Scene) -> ScoreRow:
    """The trimmed answer ends with the trimmed text."""
    value = text_of(scene).strip()
    return one(scene.answer.strip().endswith(value), f"the answer ends with {value[:SHOWN]!r}")


def equals(scene: Scene) -> ScoreRow:
    """The trimmed answer is the trimmed text."""
    value = text_of(scene).strip()
    return one(scene.answer.strip() == value, f"the answer is {value[:SHOWN]!r}")


def is_json(scene: Scene) -> ScoreRow:
    """The whole answer is JSON of any kind; fenced text is not."""
    try:
        parse_json(scene.answer)
    except ValueError as error:
        return one(False, "the answer is JSON", str(error)[:SHOWN])
    return one(True, "the answer is JSON")


def text_of(scene: Scene, name: str = "value") -> str:
    """A text of the assertion. Raises Raised."""
    value: Any = scene.assertion.get(name)
    if not isinstance(value, str):
        raise Raised(f"{name} is not text")
    return value


def texts_of(scene: Scene) -> list[str]:
    """The texts of the assertion's list. Raises Raised."""
    value = scene.assertion.get("value")
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Raised("value is not a list of texts")
    return value
