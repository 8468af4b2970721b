"""Whether every grader and dimension counts: each is turned round alone, over the answers that were tried."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from packs.formats.task import Dimension, GraderSpec, Task
from runs.engine.outcome import Outcome
from runs.grading.graders.contract import Grade, State, Verdict
from runs.grading.graders.contract import Outcome as Class
from runs.grading.graders.evidence import Evidence
from runs.grading.scoring import score_grades
from runs.proof.rules import looks_beside_answers

# Sources of dimensions that answers reach; others measure the trial around them.
_REACHED = ("validators", "grader")


def unused_graders(task: Task, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The keys of graders whose verdict changes no verdict of the case, for none of the answers."""
    keys = {grade.key for outcome in outcomes for grade in outcome.grades if _is_judged(grade)}
    chosen = list({_sign(outcome): outcome for outcome in _telling(outcomes)}.values())
    for spec in task.graders:
        if spec.key in keys and not any(_matters(task, outcome, spec.key) for outcome in chosen):
            yield spec.key


def _sign(outcome: Outcome) -> tuple[Any, ...]:
    """What the verdict of an answer rests on; of answers for which it is the same, one shows what all of them do."""
    grades = tuple((grade.key, grade.state, grade.verdict, grade.score) for grade in outcome.grades)
    return outcome.verdict, grades, str(outcome.scorecard.get("metric_details"))


def unusable_graders(outcomes: Sequence[Outcome]) -> dict[str, str]:
    """The keys of graders that can never be used as their author set them up, with what is wrong."""
    found = [{grade.key: grade for grade in outcome.grades} for outcome in outcomes]
    broken = {
        key: grade.reason for key, grade in (found[0] if found else {}).items() if grade.outcome is Class.PACK_ERROR
    }
    return {
        key: why
        for key, why in broken.items()
        if all(each[key].outcome is Class.PACK_ERROR for each in found if key in each)
    }


def _telling(outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
    """Outcomes in which all graders judged: beside one that could not, another decides more than it does otherwise.

    All of them where these neither pass nor fail alone.
    """
    whole = [outcome for outcome in outcomes if all(_is_judged(grade) for grade in outcome.grades)]
    return whole if len({outcome.verdict for outcome in whole}) > 1 else outcomes


def _is_judged(grade: Grade) -> bool:
    return grade.state is State.AVAILABLE and grade.verdict in (Verdict.PASS, Verdict.FAIL)


def _matters(task: Task, outcome: Outcome, key: str) -> bool:
    if outcome.recording is None:
        return False
    grades = [turned(grade) if grade.key == key and _is_judged(grade) else grade for grade in outcome.grades]
    if grades == list(outcome.grades):
        return False
    after = score_grades(task.scoring, grades, Evidence([], outcome.recording))
    return bool(after.verdict != outcome.scorecard.get("verdict"))


def turned(grade: Grade) -> Grade:
    """A grade with the other verdict, and the score that goes with it."""
    passes = grade.verdict is not Verdict.PASS
    return replace(
        grade,
        verdict=Verdict.PASS if passes else Verdict.FAIL,
        outcome=Class.PASS if passes else Class.FAIL,
        score=float(passes),
    )


def _graders_of(task: Task, dimension: Dimension) -> Iterator[GraderSpec]:
    return (spec for spec in task.graders if not dimension.graders or spec.key in dimension.graders)


def is_reached(spec: GraderSpec) -> bool:
    """Whether right and wrong answers in words can move a grader both ways."""
    stated = (spec.config or {}).get("assertion")
    is_guard = isinstance(stated, dict) and stated.get("negate") is True
    return not looks_beside_answers(spec.kind) and not is_guard


def stuck_dimensions(task: Task, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The keys of dimensions that graders make and that had one score for all answers, passed or not.

    Dimensions of what agents do beside their answers, and of what they must not say, are not reached by the answers
    that are tried, and so are not judged by them.
    """
    if len({outcome.verdict for outcome in outcomes}) < 2:
        return
    for dimension in task.scoring.dimensions:
        if dimension.source not in _REACHED or not any(is_reached(spec) for spec in _graders_of(task, dimension)):
            continue
        shown = [outcome.scorecard.get("dimensions", {}).get(dimension.key, {}) for outcome in outcomes]
        scores = {entry.get("score") for entry in shown if entry.get("state") == State.AVAILABLE.value}
        if len(scores) == 1:
            yield dimension.key
