"""The gold answer of a case: what the `reference` agent says; and all answers that agents must not read.

A pack does not state one as such. It is taken from what the final output is compared with: first a check for equality
or likeness, then the reference answer of a judge, then every text that the output must contain.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from json import dumps
from typing import TYPE_CHECKING, Any

import orjson

from packs.formats.answers import Answer
from packs.formats.case_values import CaseValues, EvidenceCase
from packs.formats.challenge_pack.stored import as_json
from packs.formats.document import Document
from packs.formats.kinds import KINDS, Gold
from packs.formats.later import Later

if TYPE_CHECKING:
    from packs.formats import jsonio
    from packs.formats.task import GraderSpec, JudgeSpec
else:
    # Few answers are JSON that has to be read.
    jsonio = Later("packs.formats.jsonio")

FINAL_OUTPUT = ("final_output", "run.final_output")


def reference_answer(
    evidence: EvidenceCase, graders: "Iterable[GraderSpec]", judges: "Iterable[JudgeSpec]"
) -> str | None:
    """The gold answer that a case and its checks state; None where they state none."""
    case = CaseValues(evidence)
    on_output = [grader for grader in graders if grader.target in FINAL_OUTPUT]
    equal = (_equal_to(grader, expected_text(case, grader.expected)) for grader in on_output)
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
            reported = value if isinstance(value, str) else dumps(value, ensure_ascii=False)
            yield Answer(("expectations", position, "value"), reported)


def _equal_to(grader: "GraderSpec", expected: str | None) -> str | None:
    """The text that a check compares the output with; None for checks that only look at a part or a property of it."""
    if expected is None:
        return None
    kind = KINDS.get(grader.kind)
    if kind is not None and kind.gold:
        return _first_of(expected) if kind.gold is Gold.FIRST else expected
    return _JSON_EQUALITY[grader.kind](expected) if grader.kind in _JSON_EQUALITY else None


def _constant(expected: str) -> str | None:
    """The only value that is valid under a schema which says so by `const`, for the whole or for each of its parts."""
    try:
        return _json(_only_value(_parsed(expected)))
    except KeyError:
        return None


def _only_value(schema: Any) -> Any:
    """The one value that a schema takes. Raises KeyError for a schema that takes more than one, or may do so."""
    if not isinstance(schema, dict):
        raise KeyError("const")
    if "const" in schema or schema.get("additionalProperties") is not False:
        return schema["const"]
    parts, required = schema["properties"], schema["required"]
    if not isinstance(parts, dict) or not isinstance(required, list) or not all(name in required for name in parts):
        raise KeyError("const")
    return {name: _only_value(part) for name, part in parts.items()}


def _at_the_root(expected: str) -> str | None:
    """The value that the whole output must equal, where that is what an expectation of json_path_match asks."""
    stated = _parsed(expected)
    if not isinstance(stated, dict) or stated.get("path") != "$" or "value" not in stated:
        return None
    return _json(stated["value"]) if stated.get("comparator", "equals") == "equals" else None


def _parsed(text: str) -> Any:
    value, _ = jsonio.read(text)
    return value


_JSON_EQUALITY: Mapping[str, Callable[[str], str | None]] = {
    "json_schema": _constant,
    "json_path_match": _at_the_root,
}


def _first_of(expected: str) -> str:
    """The first of several references, where the text is a JSON list of them."""
    if not expected.startswith("["):
        return expected
    listed = _parsed(expected)
    texts = (item for item in listed if isinstance(item, str)) if isinstance(listed, list) else ()
    return next(iter(texts), expected)


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
