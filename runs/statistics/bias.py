"""Biases of judges: a taste for what stands first in a ranking, and for answers of their own model."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from runs.statistics.comparing.pairs import ScorePairs, clustered_pairs_of

# Where a candidate stood (1 first, 0 last) and what it was ranked (1 best, 0 worst), for one candidate of one case.
Showings = Sequence[tuple[float, float]]


def order_effect(cases: Iterable[Sequence[Showings]]) -> ScorePairs | None:
    """What a candidate gains by standing first rather than last: 1 where the order shown is the ranking, 0 without
    the bias. None where no candidate stood in two places.

    Of each case the slope of rank by place within its candidates, so that better answers do not look like a bias; the
    mean over cases.
    """
    return clustered_pairs_of([slope] for case in cases if (slope := _slope(case)) is not None)


def _slope(candidates: Sequence[Showings]) -> float | None:
    joint = spread = 0.0
    for shown in candidates:
        place, rank = fmean(at for at, _ in shown), fmean(worth for _, worth in shown)
        joint += sum((at - place) * (worth - rank) for at, worth in shown)
        spread += sum((at - place) ** 2 for at, _ in shown)
    return joint / spread if spread else None


def self_preference(cases: Iterable[tuple[Sequence[float], Sequence[float]]]) -> ScorePairs | None:
    """How much more a judge gives answers of its own model than another judge does, beyond what it gives all answers.

    A case comes with how much higher this judge scored the answers of its own model, and those of other models. None
    where no case has both. That judges prefer their own: Panickssery, A. et al. (2024), LLM evaluators recognize and
    favor their own generations; the other judge stands for the worth of the answers.
    """
    return clustered_pairs_of([fmean(own) - fmean(others)] for own, others in cases if own and others)
