"""Scoring: grades, metrics, judges and human preference become a scorecard and a verdict (challenge-pack d.8, d.9).

Pure: the result depends on the arguments only, so a stored trial can be scored again at any time.
"""

from collections.abc import Iterator, Sequence

from packs.formats.task import GraderSpec, Scoring
from runs.grading.graders import grade
from runs.grading.graders.contract import Grade, State
from runs.grading.graders.evidence import Evidence, Judged
from runs.grading.scoring.comparison import AgentScore, agent_score, compare
from runs.grading.scoring.dimensions import Results, score_dimension
from runs.grading.scoring.document import grade_document, read_judge
from runs.grading.scoring.metrics import Trial, cost, measure
from runs.grading.scoring.overruling import overrule_grade, overrule_judge, read_overruling
from runs.grading.scoring.results import NO_USABLE_REPLY, DimensionResult, JudgeResult, Overall, Ratio
from runs.grading.scoring.scorecard import Scorecard
from runs.grading.scoring.strategies import STRATEGIES
from runs.grading.scoring.tracked import track
from runs.grading.scoring.validity import validity

__all__ = [
    "AgentScore",
    "JudgeResult",
    "Scorecard",
    "agent_score",
    "compare",
    "failed_scorecard",
    "grade_document",
    "read_judge",
    "score",
    "score_grades",
]


def score(
    scoring: Scoring,
    graders: Sequence[GraderSpec],
    evidence: Evidence,
    judges: Sequence[JudgeResult] = (),
    human_preference: float | None = None,
) -> Scorecard:
    """Grade a trial and make its scorecard.

    `judges` are the results of the LLM judges (`runs.grading.scoring.judges` makes them from replies);
    `human_preference` is 0 to 1. A judge without a result is unavailable. What people said in place of a grader or a
    judge counts instead of its own.
    """
    said = {key: read_overruling(payload) for key, payload in evidence.recording.overrulings.items()}
    judges = [overrule_judge(judge, said.get(judge.judge_key)) for judge in judges]
    heard = evidence.with_judged({judge.judge_key: _heard(judge) for judge in judges})
    grades = [overrule_grade(grade(spec, heard), said.get(spec.key)) for spec in graders]
    return score_grades(scoring, grades, evidence, judges, human_preference)


def _heard(judge: JudgeResult) -> Judged:
    """What graders read of a judge: without a usable reply it abstained, else one without a score was not asked."""
    return Judged(judge.score, judge.reason, judge.payload.get("problem") == NO_USABLE_REPLY)


def score_grades(
    scoring: Scoring,
    grades: Sequence[Grade],
    evidence: Evidence,
    judges: Sequence[JudgeResult] = (),
    human_preference: float | None = None,
) -> Scorecard:
    """The scorecard of a trial whose grades are known already."""
    trial = Trial(evidence, grades, scoring)
    metrics = [measure(metric, trial) for metric in scoring.metrics]
    results = Results(trial, metrics, judges, human_preference)
    dimensions = [score_dimension(dimension, results) for dimension in scoring.dimensions]
    verdict, reason = validity(grades, metrics, dimensions)
    return Scorecard(
        scoring=scoring,
        status=_status(dimensions),
        overall=_overall(scoring, dimensions),
        validity=verdict,
        validity_reason=reason,
        warnings=tuple(dict.fromkeys(_warnings(evidence, dimensions, judges))),
        dimensions=dimensions,
        grades=grades,
        metrics=metrics,
        judges=judges,
        side_metrics=_side_metrics(trial),
        tracked=track(scoring.tracking, evidence, grades),
    )


def failed_scorecard(scoring: Scoring, reason: str) -> Scorecard:
    """The scorecard of a trial that could not be evaluated: our machinery failed, and nothing is said of the agent."""
    return Scorecard(scoring, "failed", Overall(None, None, reason), "invalid", reason)


def _overall(scoring: Scoring, dimensions: Sequence[DimensionResult]) -> Overall:
    strategy = STRATEGIES.get(scoring.strategy)
    if strategy is None:
        return Overall(None, None, f"there is no strategy {scoring.strategy!r}", State.ERROR)
    return strategy(scoring, dimensions)


def _status(dimensions: Sequence[DimensionResult]) -> str:
    complete = bool(dimensions) and all(result.state is State.AVAILABLE for result in dimensions)
    return "complete" if complete else "partial"


def _warnings(
    evidence: Evidence, dimensions: Sequence[DimensionResult], judges: Sequence[JudgeResult]
) -> Iterator[str]:
    yield from _evidence_warnings(evidence)
    for result in dimensions:
        if result.state is State.UNAVAILABLE and result.reason:
            yield f"dimension {result.dimension.key!r}: {result.reason}"
    for judge in judges:
        yield from judge.warnings


def _evidence_warnings(evidence: Evidence) -> Iterator[str]:
    recording = evidence.recording
    if len(evidence.cases) != 1:
        yield f"{len(evidence.cases)} cases are in scope, so evidence of the case is not available"
    if recording.final_output is None:
        yield "the agent gave no final output"
    if recording.completed is None:
        yield "the end of the run was not recorded"
    for captured in recording.files.values():
        if captured.truncated:
            yield f"the captured file {captured.key!r} was cut off, so its end was not judged"


def _side_metrics(trial: Trial) -> dict[str, Ratio]:
    """What a passed grader cost; reported where the pack states prices."""
    if not trial.scoring.prices:
        return {}
    spent = cost(trial)
    passed = sum(grade.verdict == "pass" for grade in trial.grades)
    reason = spent.reason or ("" if passed else "no grader passed")
    return {"cost_per_correct_usd": Ratio("usd", spent.value, float(passed), reason)}
