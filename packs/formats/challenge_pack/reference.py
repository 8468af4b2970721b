"""The gold answer of a case: what the `reference` agent says; and all answers that agents must not read.

A pack does not state one as such. It is taken from what the final output is compared with: first a check for equality
or likeness, then the reference answer of a judge, then every text that the output must contain.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from packs.formats.challenge_pack.stored import as_json, read_stored
from packs.formats.document import Document
from packs.formats.findings import index_of
from packs.formats.task import Answer, GraderSpec, JudgeSpec

FINAL_OUTPUT = ("final_output", "run.final_output")
EQUALITY = (
    "exact_match",
    "normalized_match",
    "numeric_match",
    "boolean_assert",
    "math_equivalence",
    "fuzzy_match",
    "token_f1",
    "bleu_score",
    "rouge_score",
    "chrf_score",
)
# Kinds whose expected text may be a JSON list of several references.
SEVERAL = ("bleu_score", "rouge_score", "chrf_score")
MAX_HOPS = 8


def reference_answer(stored: Document, graders: Iterable[GraderSpec], judges: Iterable[JudgeSpec]) -> str | None:
    """The gold answer that a stored document and its checks state; None where they state none."""
    case = read_stored(stored)
    on_output = [grader for grader in graders if grader.target in FINAL_OUTPUT]
    equal = (_first_of(grader, expected_text(case, grader.expected)) for grader in on_output if grader.kind in EQUALITY)
    judged = (expected_text(case, judge.reference) for judge in judges if judge.mode == "reference")
    for answer in (*equal, *judged):
        if answer is not None:
            return answer
    parts = [expected_text(case, grader.expected) for grader in on_output if grader.kind == "contains"]
    found = [part for part in dict.fromkeys(parts) if part]
    return "\n".join(found) if found else None


def answers_of(case: Document) -> Iterator[Answer]:
    """The expectations of a case that state a text of their own; those that take an input are meant to be read."""
    expectations = case.get("expectations")
    for position, stated in enumerate(expectations if isinstance(expectations, list) else ()):
        if isinstance(stated, dict) and isinstance(stated.get("value"), str) and not stated.get("source"):
            yield Answer(("expectations", position, "value"), stated["value"])


def _first_of(grader: GraderSpec, expected: str | None) -> str | None:
    if grader.kind not in SEVERAL or expected is None or not expected.startswith("["):
        return expected
    try:
        listed = orjson.loads(expected)
    except orjson.JSONDecodeError:
        return expected
    return next((item for item in listed if isinstance(item, str)), expected)


def expected_text(case: Document, reference: str) -> str | None:
    """The text behind an evidence reference to a literal or to the case; None when it leads nowhere."""
    if reference.startswith("literal:"):
        return reference.removeprefix("literal:")
    if reference == "challenge_input":
        return _as_text(case["payload"])
    match reference.split("."):
        case ["case", "payload", *path]:
            return _as_text(_step(case["payload"], path))
        case ["case", "inputs" | "expectations" as kind, key, *path]:
            return _as_text(_step(_part(case, kind, key, MAX_HOPS), path))
        case _:
            return None


def _part(case: Document, kind: str, key: str, hops: int) -> Any:
    """The value of an input or expectation; a source leads to an input (challenge-pack d.2)."""
    parts = case.get(kind) or []
    part = next((part for part in parts if part.get("key") == key), None)
    if part is None or hops == 0:
        return None
    if part.get("value") is not None:
        return part["value"]
    source = part.get("source", "")
    if source.startswith("input:"):
        return _part(case, "inputs", source.removeprefix("input:").strip(), hops - 1)
    return None


def _step(value: Any, path: list[str]) -> Any:
    for step in path:
        index = index_of(step)
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and index is not None and index < len(value):
            value = value[index]
        else:
            return None
    return value


def _as_text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict):
        inner = next((value[name] for name in ("value", "content", "text", "answer") if name in value), None)
        return _json(value) if inner is None else _as_text(inner)
    if isinstance(value, list) and len(value) == 1:
        return _as_text(value[0])
    return _json(value)


def _json(value: Any) -> str:
    return orjson.dumps(as_json(value), option=orjson.OPT_SORT_KEYS).decode()
