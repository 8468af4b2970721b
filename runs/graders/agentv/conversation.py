"""conversation: every turn is judged by its own assertions, the whole by those of the test (agentv C.7)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from runs.graders.agentv.rows import Check, Row, RowVerdict, mapping, negated, prefixed
from runs.graders.agentv.scene import Missing, Needed, Scene, Skipped, row_of
from runs.graders.questions import Need
from runs.graders.values import as_number

AGGREGATIONS: Mapping[Any, Callable[[Sequence[float]], float]] = {
    "mean": lambda scores: sum(scores) / len(scores),
    "min": min,
    "max": max,
}
# What judges a turn that states an expected output and no assertion.
EXPECTED: Mapping[str, Any] = {
    "name": "expected-output",
    "type": "llm-grader",
    "prompt": "The answer says what the reference answer says.",
}


def judge(scene: Scene) -> Row:
    """The score that turns and whole give together. Turns after one that failed count 0 where the test stops then."""
    parts = _parts(scene)
    rows: list[Row] = []
    needs: list[Need] = []
    for part, assertions in parts:
        try:
            rows.append(score_of(part, assertions))
        except Needed as needed:
            needs += needed.needs
    if needs:
        raise Needed(*needs)
    if scene.assertion.get("on_turn_failure") == "stop":
        rows = _stopped(rows, scene.case.threshold)
    aggregate = AGGREGATIONS.get(scene.assertion.get("aggregation"), AGGREGATIONS["mean"])
    checks = tuple(check for row in rows for check in prefixed(row.name, row.checks))
    return Row(aggregate([row.score for row in rows]), checks, members=tuple(rows))


def _parts(scene: Scene) -> list[tuple[Scene, Sequence[Any]]]:
    """The scene of each turn with its assertions, and that of the whole where the test has assertions of its own."""
    turns = [mapping(turn) for turn in scene.assertion.get("turns") or ()]
    played = scene.recording.turns
    if len(played) < len(turns):
        raise Missing(f"{len(played)} of {len(turns)} turns were played")
    parts: list[tuple[Scene, Sequence[Any]]] = [
        (_turn(scene, number, turn, played[number - 1].assistant), _assertions(turn))
        for number, turn in enumerate(turns, start=1)
    ]
    whole = scene.assertion.get("assertions") or ()
    return [*parts, (scene.member({"name": "conversation"}, "conversation"), whole)] if whole else parts


def _turn(scene: Scene, number: int, turn: Mapping[str, Any], answer: str) -> Scene:
    said = ({"role": "user", "content": turn.get("input")},)
    expected = turn.get("expected_output")
    messages = () if expected is None else ({"role": "assistant", "content": expected},)
    reference = str(turn.get("reference_answer") or "")
    case = replace(scene.case, input=said, expected_output=messages, reference=reference)
    recording = replace(scene.recording, final_output=answer)
    member = scene.member({"name": f"turn-{number}"}, f"turn-{number}")
    return replace(member, case=case, recording=recording)


def _assertions(turn: Mapping[str, Any]) -> Sequence[Any]:
    stated = turn.get("assertions") or ()
    return stated or ((EXPECTED,) if turn.get("expected_output") is not None else ())


def score_of(scene: Scene, assertions: Sequence[Any]) -> Row:
    """Assertions as one row: their mean by weight, 0 where a required one is below its gate; 1 without any.

    Raises Needed with what all of them need, Skipped and more.
    """
    found: list[tuple[Mapping[str, Any], Row]] = []
    needs: list[Need] = []
    for assertion in map(mapping, assertions):
        member = scene.member(assertion, str(assertion.get("name")))
        try:
            row = row_of(member)
        except Needed as needed:
            needs += needed.needs
        else:
            found.append((assertion, negated(row) if assertion.get("negate") is True else row))
    if needs:
        raise Needed(*needs)
    name = str(scene.assertion.get("name"))
    if any(row.says is RowVerdict.SKIP for _, row in found):
        raise Skipped(f"an assertion of {name} was skipped")
    score = _mean(found) if found else 1.0
    if any(row.score < _gate(assertion, scene.case.threshold) for assertion, row in found):
        score = 0.0
    checks = tuple(check for _, row in found for check in prefixed(row.name, row.checks))
    return Row(score, checks, name=name, type="turn", members=tuple(row for _, row in found))


def _mean(found: Sequence[tuple[Mapping[str, Any], Row]]) -> float:
    weights = [_weight(assertion) for assertion, _ in found]
    total = sum(weights)
    return sum(weight * row.score for weight, (_, row) in zip(weights, found, strict=True)) / total if total else 0.0


def _weight(assertion: Mapping[str, Any]) -> float:
    weight = as_number(assertion.get("weight"))
    return 1.0 if weight is None else weight


def _gate(assertion: Mapping[str, Any], threshold: float) -> float:
    """The score that a required assertion needs; 0 for one that is not."""
    required = assertion.get("required", False)
    if not required:
        return 0.0
    stated = as_number(assertion.get("min_score", None if required is True else required))
    return threshold if stated is None else stated


def _stopped(rows: Sequence[Row], threshold: float) -> list[Row]:
    """The rows with every turn after the first that failed at 0."""
    found: list[Row] = []
    has_failed = False
    for row in rows:
        if has_failed and row.name != "conversation":
            row = replace(row, score=0.0, checks=(Check("it is reached", False, "an earlier turn failed"),), members=())
        found.append(row)
        has_failed = has_failed or row.score < threshold
    return found
