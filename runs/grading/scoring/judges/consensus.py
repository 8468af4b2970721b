"""From the votes of samples and models to the result of one judge (challenge-pack d.7)."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, median, pvariance
from typing import Any

from packs.formats.task import JudgeSpec
from runs.grading.graders.rubrics import AGGREGATES
from runs.grading.graders.values import as_number
from runs.grading.scoring.judges.replies import JudgeReply, Vote, read_reply
from runs.grading.scoring.results import JudgeResult

# How far scores may lie apart when the consensus states no threshold of its own.
DEFAULT_SPREAD = 0.25


def majority(scores: Sequence[float]) -> float:
    """1 when at least half of the scores are on the side of a pass; a tie passes."""
    return float(2 * sum(score >= 0.5 for score in scores) >= len(scores))


def unanimous(scores: Sequence[float]) -> float:
    """1 only when every score is at least 0.5."""
    return float(all(score >= 0.5 for score in scores))


AGGREGATIONS: dict[str, Callable[[Sequence[float]], float]] = {
    "median": median,
    "mean": fmean,
    "majority_vote": majority,
    "unanimous": unanimous,
}


def judge_replies(judge: JudgeSpec, replies: Sequence[JudgeReply]) -> JudgeResult:
    """The result of a rubric, reference or assertion judge; no score when no reply can be used."""
    return conclude(judge, [read_reply(judge, reply) for reply in replies])


def conclude(judge: JudgeSpec, votes: Sequence[Vote]) -> JudgeResult:
    """One result from all votes: first per model, then over the models."""
    scores = [vote.score for vote in votes if vote.score is not None]
    by_model = _by_model(judge, votes)
    final = _over_models(judge, list(by_model.values())) if by_model else None
    apart = _apart(judge, list(by_model.values()) if len(by_model) > 1 else scores)
    return JudgeResult(
        judge_key=judge.key,
        mode=judge.mode,
        score=final,
        confidence=_confidence(scores, len(votes), apart) if by_model else "",
        variance=pvariance(scores) if len(scores) > 1 else None,
        sample_count=len(votes),
        model_count=len({vote.model for vote in votes}),
        reason=_reason(votes, final),
        payload=_payload(votes, by_model),
        warnings=tuple(_warnings(judge, votes, apart)),
    )


def _by_model(judge: JudgeSpec, votes: Sequence[Vote]) -> dict[str, float]:
    """One score of each model: its samples joined as the judge says, else by median, for assertions by majority."""
    samples: dict[str, list[float]] = {}
    for vote in votes:
        if vote.score is not None:
            samples.setdefault(vote.model, []).append(vote.score)
    usual = majority if judge.mode == "assertion" else median
    aggregate = AGGREGATES.get(judge.aggregate, usual)
    return {model: float(aggregate(scores)) for model, scores in samples.items()}


def _over_models(judge: JudgeSpec, scores: Sequence[float]) -> float:
    if len(scores) == 1:
        return scores[0]
    stated = (judge.consensus or {}).get("aggregation")
    usual = "majority_vote" if judge.mode == "assertion" else "mean"
    return float(AGGREGATIONS.get(stated or usual, fmean)(scores))


def _apart(judge: JudgeSpec, scores: Sequence[float]) -> tuple[float, float]:
    """How far scores lie apart, and how far they may."""
    stated = as_number((judge.consensus or {}).get("min_agreement_threshold"))
    return (max(scores) - min(scores) if scores else 0.0), stated or DEFAULT_SPREAD


def _confidence(scores: Sequence[float], count: int, apart: tuple[float, float]) -> str:
    """Low when replies were lost or scores lie too far apart, high when they agree."""
    spread, allowed = apart
    if len(scores) < count or spread > allowed:
        return "low"
    return "high" if spread == 0 else "medium"


def _reason(votes: Sequence[Vote], final: float | None) -> str:
    """The reasoning of the vote nearest to the result; without a result why there is none."""
    if final is None:
        reported = next((vote.reason for vote in votes if vote.reason), "the judge was not asked")
        return f"no reply could be used: {reported}" if votes else reported
    usable = [vote for vote in votes if vote.score is not None]
    return min(usable, key=lambda vote: abs((vote.score or 0.0) - final)).reason


def _warnings(judge: JudgeSpec, votes: Sequence[Vote], apart: tuple[float, float]) -> list[str]:
    lost = [vote for vote in votes if vote.score is None]
    warnings = [f"judge {judge.key!r}, model {vote.model!r}: {vote.reason}" for vote in lost]
    if (judge.consensus or {}).get("flag_on_disagreement") is True and apart[0] > apart[1]:
        warnings.append(f"judge {judge.key!r}: the models lie {apart[0]:.2f} apart")
    return warnings


def _payload(votes: Sequence[Vote], by_model: Mapping[str, float]) -> dict[str, Any]:
    return {"calls": [vote.as_dict() for vote in votes], "model_scores": dict(by_model)}
