"""What people said in place of graders and judges: the verdict that counts, with what was said at first kept in it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from runs.grading.graders.contract import Grade, Outcome, State, Verdict
from runs.grading.scoring.results import JudgeResult

# The member of a grade's evidence, and of a judge's payload, that says who overruled it, why, and what it had said.
OVERRULED = "overruled"
PASS, FAIL = "pass", "fail"


@dataclass(frozen=True, slots=True)
class Overruling:
    """What a person says in place of a grader: pass or fail, a score from 0 to 1, and why."""

    passes: bool
    score: float
    reason: str
    by: str
    at: str


def read_overruling(payload: Mapping[str, Any]) -> Overruling | None:
    """What an event says; None where it takes back what was said before."""
    verdict, score = payload.get("verdict"), payload.get("score")
    if verdict not in (PASS, FAIL):
        return None
    given = float(score) if isinstance(score, int | float) else float(verdict == PASS)
    return Overruling(verdict == PASS, given, *(str(payload.get(name, "")) for name in ("reason", "by", "at")))


def overrule_grade(grade: Grade, said: Overruling | None) -> Grade:
    """The grade that counts: what a person said of it, or the grader's own."""
    if said is None:
        return grade
    gone = ("pending", "flags") if said.passes else ("pending",)
    kept = {name: value for name, value in grade.raw.items() if name not in gone}
    before = {"verdict": grade.verdict and grade.verdict.value, "state": grade.state.value, "score": grade.score}
    return replace(
        grade,
        state=State.AVAILABLE,
        outcome=Outcome.PASS if said.passes else Outcome.FAIL,
        verdict=Verdict.PASS if said.passes else Verdict.FAIL,
        score=said.score,
        reason=said.reason,
        raw={**kept, **_note(said, grade.reason, before)},
    )


def overrule_judge(judge: JudgeResult, said: Overruling | None) -> JudgeResult:
    """The result of a judge that counts: what a person said of it, or the judge's own."""
    own = own_result(judge)
    if said is None:
        return own
    return replace(
        own,
        score=said.score,
        reason=said.reason,
        payload={**own.payload, **_note(said, own.reason, {"score": own.score})},
    )


def own_result(judge: JudgeResult) -> JudgeResult:
    """What a judge itself said, whether or not a person overruled it."""
    note = judge.payload.get(OVERRULED)
    if not isinstance(note, Mapping):
        return judge
    payload = {name: value for name, value in judge.payload.items() if name != OVERRULED}
    before = note["before"]
    return replace(judge, score=before["score"], reason=before["reason"], payload=payload)


def _note(said: Overruling, reason: str, before: Mapping[str, Any]) -> dict[str, Any]:
    return {OVERRULED: {"by": said.by, "at": said.at, "reason": said.reason, "before": {**before, "reason": reason}}}


def overruling_in(card: Mapping[str, Any]) -> dict[str, Mapping[str, Any] | None]:
    """The graders and judges of a scorecard by their keys, each with who overruled it and why, if anybody did."""
    grades = {grade["key"]: grade.get("evidence", {}) for grade in card.get("validator_details", ())}
    judges = {judge["judge_key"]: judge.get("payload", {}) for judge in card.get("llm_judge_details", ())}
    return {key: facts.get(OVERRULED) for key, facts in {**judges, **grades}.items()}


def as_said(card: Mapping[str, Any]) -> dict[str, Any]:
    """A scorecard with the verdicts and scores that its graders and judges gave themselves, overruled or not."""
    grades = [_restored(grade, grade.get("evidence", {})) for grade in card.get("validator_details", ())]
    judges = [_restored(judge, judge.get("payload", {})) for judge in card.get("llm_judge_details", ())]
    return {**card, "validator_details": grades, "llm_judge_details": judges}


def _restored(said: Mapping[str, Any], facts: Mapping[str, Any]) -> Mapping[str, Any]:
    if OVERRULED not in facts:
        return said
    before = facts[OVERRULED]["before"]
    verdict = {"verdict": before["verdict"]} if "verdict" in before else {}
    return {**said, "normalized_score": before["score"], **verdict}
