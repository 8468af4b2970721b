"""conversation: every turn is judged by its own assertions, the whole by those of the test (agentv C.7)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from packs.formats.values import mapping
from runs.grading.graders.agentv.rows import Check, ScoreRow, mean_of, negated, prefixed, weight_of
from runs.grading.graders.agentv.scene import Missing, Needed, Raised, Scene, row_of
from runs.grading.graders.evidence.transcript import Turn
from runs.grading.graders.questions import Need
from runs.grading.graders.values import as_number

# A turn or the whole, with what it is judged by.
Part = tuple[Scene, Sequence[Any]]
# The name of the row for the whole.
WHOLE = "conversation"
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


def judge(scene: Scene) -> ScoreRow:
    """The score that turns and whole give together. Turns after one that failed count 0 where the test stops then."""
    if not _turns(scene):
        raise Raised("there is no assertion of type 'conversation'")
    whole = scene.assertion.get("assertions") or ()
    parts = [*_parts(scene), *([(_whole(scene), whole)] if whole else ())]
    rows = _rows(parts)
    if _stops(scene):
        rows = _stopped(scene, rows)
    aggregate = AGGREGATIONS.get(scene.assertion.get("aggregation"), AGGREGATIONS["mean"])
    checks = tuple(check for row in rows for check in prefixed(row.name, row.checks))
    return ScoreRow(aggregate([row.score for row in rows]), checks, members=tuple(rows))


def last_turn(scene: Scene) -> ScoreRow | None:
    """The row of the turn that was played last, where a conversation ends with one that fails; None elsewhere.

    Raises Needed, Skipped and what assertions raise.
    """
    parts = _parts(scene) if _stops(scene) else []
    return score_of(*parts[-1]) if parts else None


def has_failed(scene: Scene, row: ScoreRow) -> bool:
    """Whether a turn fails: it stays below what the test has to reach."""
    return row.score < scene.case.threshold


def _stops(scene: Scene) -> bool:
    return scene.assertion.get("on_turn_failure") == "stop"


def _turns(scene: Scene) -> list[Mapping[str, Any]]:
    return [mapping(turn) for turn in scene.assertion.get("turns") or ()]


def _rows(parts: Sequence[Part]) -> list[ScoreRow]:
    """The rows of turns and whole. What several of them need is needed at once. Raises Needed and more."""
    rows: list[ScoreRow] = []
    needs: list[Need] = []
    for part, assertions in parts:
        try:
            rows.append(score_of(part, assertions))
        except Needed as needed:
            needs += needed.needs
    if needs:
        raise Needed(*needs)
    return rows


def _parts(scene: Scene) -> list[Part]:
    """The scene of each turn that was played, with its assertions. Raises Missing where one should have been."""
    turns, played = _turns(scene), scene.recording.turns
    if len(played) < len(turns) and not _stops(scene):
        raise Missing(f"{len(played)} of {len(turns)} turns were played")
    pairs = zip(turns, played, strict=False)
    return [(_turn(scene, number, *pair), _assertions(scene, pair[0])) for number, pair in enumerate(pairs, start=1)]


def _turn(scene: Scene, number: int, turn: Mapping[str, Any], played: Turn) -> Scene:
    """A turn's own scene: what was asked, answered, called and used up in it. What was said before is its input."""
    said = (*_said(scene, number - 1), {"role": "user", "content": turn.get("input")})
    expected = turn.get("expected_output")
    messages = () if expected is None else ({"role": "assistant", "content": expected},)
    reference = str(turn.get("reference_answer") or "")
    case = replace(scene.case, input=said, expected_output=messages, reference=reference)
    whole = scene.recording
    part = whole.parts.get(played.index, whole)
    recording = replace(
        part,
        final_output=played.assistant,
        turns=[played],
        workspace=whole.workspace,
        executions=whole.executions,
        replies=whole.replies,
    )
    member = scene.member({"name": f"turn-{number}"}, f"turn-{number}")
    return replace(member, case=case, recording=recording)


def _whole(scene: Scene) -> Scene:
    """The scene of the whole: the last reply is its answer, and all that was said before is its input."""
    said = _said(scene, len(scene.recording.turns))[:-1]
    return replace(scene.member({"name": WHOLE}, WHOLE), case=replace(scene.case, input=said))


def _said(scene: Scene, count: int) -> tuple[Any, ...]:
    """The messages of the test and of its first turns."""
    pairs = ((("user", turn.user), ("assistant", turn.assistant)) for turn in scene.recording.turns[:count])
    talk = ({"role": role, "content": content} for pair in pairs for role, content in pair)
    return (*scene.case.input, *talk)


def _assertions(scene: Scene, turn: Mapping[str, Any]) -> Sequence[Any]:
    stated = turn.get("assertions") or ()
    expected = {**EXPECTED, "preprocessors": scene.assertion.get("preprocessors")}
    return stated or ((expected,) if turn.get("expected_output") is not None else ())


def score_of(scene: Scene, assertions: Sequence[Any]) -> ScoreRow:
    """Assertions as one row: their mean by weight, 0 where a required one is below its gate; 1 without any.

    Raises Needed with what all of them need, Skipped and more.
    """
    found: list[tuple[Mapping[str, Any], ScoreRow]] = []
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
    score = mean_of((row.score, weight_of(stated.get("weight"))) for stated, row in found) if found else 1.0
    if any(row.score < _gate(assertion, scene.case.threshold) for assertion, row in found):
        score = 0.0
    checks = tuple(check for _, row in found for check in prefixed(row.name, row.checks))
    return ScoreRow(score, checks, name=name, type="turn", members=tuple(row for _, row in found))


def _gate(assertion: Mapping[str, Any], threshold: float) -> float:
    """The score that a required assertion needs; 0 for one that is not."""
    required = assertion.get("required", False)
    if not required:
        return 0.0
    stated = as_number(assertion.get("min_score", None if required is True else required))
    return threshold if stated is None else stated


def _stopped(scene: Scene, rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    """The rows with every turn after the first that failed at 0. Raises Missing where turns are left without one."""
    turns = [row for row in rows if row.name != WHOLE]
    failed = next((number for number, row in enumerate(turns) if has_failed(scene, row)), None)
    count = len(_turns(scene))
    if failed is None and len(turns) < count:
        raise Missing(f"{len(turns)} of {count} turns were played")
    kept = turns if failed is None else turns[: failed + 1]
    left = [_unreached(number) for number in range(len(kept) + 1, count + 1)]
    return [*kept, *left, *rows[len(turns) :]]


def _unreached(number: int) -> ScoreRow:
    check = Check("it is reached", False, "an earlier turn failed")
    return ScoreRow(0.0, (check,), name=f"turn-{number}", type="turn")
