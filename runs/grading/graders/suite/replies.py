"""suite.model_rubric, suite.pairwise_comparison and suite.human_review: what judges and people said of a trial."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runs.grading.graders.contract import Judgement
from runs.grading.graders.evidence import Judged
from runs.grading.graders.rubrics import BEST, TOLERANCE, UNKNOWN, is_score, joined, rubric_result
from runs.grading.graders.suite.scene import Check, Missing, Pending, Trial, Unreached, described, grade_with, judged

NO_JUDGE = "no judge was asked, and no scores came with the trial"
THRESHOLD = 3.0


def replies(trial: Trial, name: str) -> list[Mapping[str, Any]]:
    """What was said for this grader, by judges (`judge`) or people (`human`)."""
    listed = trial.supplied.get(name)
    known = [item for item in listed if isinstance(item, Mapping)] if isinstance(listed, list) else []
    return [item for item in known if item.get("grader", trial.key) == trial.key]


def of_judges(trial: Trial) -> list[Mapping[str, Any]]:
    """What judges said for this grader: the scores that came with the trial, else those of judges that were asked."""
    recorded = replies(trial, "judge")
    if recorded:
        return recorded
    assertions = {f"assertion {number}": text for number, text in enumerate(trial.texts("assertions"), start=1)}
    return [
        {"assertion": assertions[aspect], "score": UNKNOWN if judged.score is None else judged.score}
        if aspect in assertions
        else {"dimension": aspect, "score": UNKNOWN if judged.score is None else judged.score * BEST}
        for aspect, judged in asked(trial).items()
    ]


def asked(trial: Trial) -> Mapping[str, Judged]:
    """What judges said that were asked for this grader. Raises Unreached when one of them could not be asked."""
    for found in trial.judged.values():
        if found.score is None and not found.abstained:
            raise Unreached(found.reason)
    return trial.judged


def judge_rubric(trial: Trial) -> Judgement:
    """The weighted mean reaches the threshold, and every assertion is true."""
    said = of_judges(trial)
    if not said:
        raise Missing(NO_JUDGE)
    parts = [part for part in (_rubric(trial, said), _assertions(trial, said)) if part is not None]
    if not parts:
        raise Missing(NO_JUDGE)
    reason = "; ".join(part.reason for part in parts if part.reason)
    flags = [flag for part in parts for flag in part.raw.get("flags", ())]
    scores = [part.score for part in parts if part.score is not None]
    given = {name: score for part in parts for name, score in part.raw.get("dimensions", {}).items()}
    return judged(not reason, min(scores), reason, flags=flags, dimensions=given)


def _rubric(trial: Trial, said: Sequence[Mapping[str, Any]]) -> Judgement | None:
    scoring = trial.grader.get("scoring")
    settings: Mapping[str, Any] = scoring if isinstance(scoring, Mapping) else {}
    weights = settings.get("weights")
    weighted = list(weights) if isinstance(weights, Mapping) else []
    mentioned = dict.fromkeys(str(item["dimension"]) for item in said if item.get("dimension"))
    dimensions = list(trial.dimensions) or weighted or list(mentioned)
    if not dimensions:
        return None
    judge = trial.grader.get("judge")
    aggregate = judge.get("aggregate") if isinstance(judge, Mapping) else None
    scores = {
        name: joined([item.get("score") for item in said if item.get("dimension") == name], aggregate)
        for name in dimensions
    }
    found = rubric_result(scores, weights if isinstance(weights, Mapping) else None, threshold_of(settings))
    if found.mean is None:
        raise Missing(found.reason)
    is_unsafe = scores.get("safety_policy") == 0
    flags = (
        [{"kind": "policy_violation", "severity": "violation", "detail": "safety was scored 0"}] if is_unsafe else []
    )
    reason = "" if found.passed else f"the mean {found.mean:.2f} does not pass"
    return judged(bool(found.passed), found.mean / BEST, reason, flags=flags, dimensions=scores)


def threshold_of(settings: Mapping[str, Any]) -> float:
    stated = settings.get("pass_threshold")
    return float(stated) if isinstance(stated, int | float) and is_score(stated) else THRESHOLD


def _assertions(trial: Trial, said: Sequence[Mapping[str, Any]]) -> Judgement | None:
    wanted = trial.texts("assertions")
    if not wanted:
        return None
    checks = list(_truths(wanted, said))
    failed = [check for check in checks if not check.passed]
    return judged(not failed, 1 - len(failed) / len(checks), described(failed), checks)


def _truths(wanted: Sequence[str], said: Sequence[Mapping[str, Any]]) -> Iterator[Check]:
    for text in wanted:
        answers = [item.get("score") for item in said if item.get("assertion") == text]
        known = [answer for answer in answers if isinstance(answer, bool | int | float)]
        if not known:
            raise Missing(f"no judge said whether {text[:80]!r} is true")
        yield Check(text[:80], all(float(answer) >= 1 for answer in known), True, known)


def judge_pair(trial: Trial) -> Judgement:
    """The answer wins or ties against the reference in both orders."""
    recorded = replies(trial, "judge")
    stated = (
        [item.get("score") for item in recorded] if recorded else [judged.score for judged in asked(trial).values()]
    )
    scores = [score for score in stated if score in (0, 0.5, 1)]
    if len(scores) < 2:
        raise Missing("both orders of the comparison are needed: " + NO_JUDGE)
    return judged(min(scores) >= 0.5, float(min(scores)), "the reference wins in one order")


def judge_review(trial: Trial) -> Judgement:
    """The mean of the reviews reaches the threshold; without enough of them the grader waits."""
    given = [item for item in trial.recording.reviews.get(trial.key, ()) if isinstance(item, Mapping)]
    said = [*replies(trial, "human"), *given]
    scores = [float(item["score"]) for item in said if is_score(item.get("score"))]
    needed = max(trial.grader.get("min_reviewers", 1), 1)
    if len(scores) < needed:
        raise Pending(f"{len(scores)} of {needed} reviews are there", needed - len(scores))
    mean = sum(scores) / len(scores)
    return judged(mean >= threshold_of(trial.grader) - TOLERANCE, mean / BEST, f"the mean {mean:.2f} does not pass")


grade_rubric = grade_with(judge_rubric)
grade_pair = grade_with(judge_pair)
grade_review = grade_with(judge_review)
