"""Means of scores by weight (challenge-pack d.8, task-suite 4.1, agentv F.5)."""

from collections.abc import Iterable


def weighted_mean(scores: Iterable[tuple[float | None, float]]) -> float | None:
    """The mean of the scores that are known, each with its weight; the plain mean where all weights are 0.

    None without a score.
    """
    known = [(score, weight) for score, weight in scores if score is not None]
    total = sum(weight for _, weight in known)
    if not known:
        return None
    if not total:
        return sum(score for score, _ in known) / len(known)
    return sum(score * weight for score, weight in known) / total
