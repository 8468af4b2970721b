"""The gold answer of a case: what the `reference` agent says; and all answers that agents must not read.

A pack does not state one as such. It is taken from what the final output is compared with: first a check for equality
or likeness, then the reference answer of a judge, then every text that the output must contain.
"""

from collections.abc import Iterable, Iterator
from json import dumps
from typing import Any

import orjson

from packs.formats.case_values import CaseValues
from packs.formats.challenge_pack.stored import as_json
from packs.formats.document import Document
from packs.formats.task import Answer, EvidenceCase, GraderSpec, JudgeSpec

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


def reference_answer(evidence: EvidenceCase, graders: Iterable[GraderSpec], judges: Iterable[JudgeSpec]) -> str | None:
    """The gold answer that a case and its checks state; None where they state none."""
    case = CaseValues(evidence)
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
    """The expectations of a case that state a value of their own, objects and lists as JSON; those that take an input
    are meant to be read."""
    expectations = case.get("expectations")
    for position, stated in enumerate(expectations if isinstance(expectations, list) else ()):
        value = stated.get("value") if isinstance(stated, dict) and not stated.get("source") else None
        if isinstance(value, str | dict | list):
            told = value if isinstance(value, str) else dumps(value, ensure_ascii=False)
            yield Answer(("expectations", position, "value"), told)


def _first_of(grader: GraderSpec, expected: str | None) -> str | None:
    if grader.kind not in SEVERAL or expected is None or not expected.startswith("["):
        return expected
    try:
        listed = orjson.loads(expected)
    except orjson.JSONDecodeError:
        return expected
    return next((item for item in listed if isinstance(item, str)), expected)


def expected_text(case: CaseValues, reference: str) -> str | None:
    """The text behind an evidence reference to a literal or to the case; None when it leads nowhere."""
    if reference.startswith("literal:"):
        return reference.removeprefix("literal:")
    return _as_text(case.find(reference).value)


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
