"""The scorecard of six dimensions, each from 0 to 4 (task-suite 9)."""

from collections.abc import Mapping

from packs.formats.six_dimensions import ANCHORS, WEIGHTS

__all__ = ["ANCHORS", "WEIGHTS", "mean_of"]


def mean_of(scores: Mapping[str, float], *, has_several_agents: bool = False) -> float | None:
    """The weighted mean from 0 to 4 over the dimensions that have a score; None where none has. Times 25: percent."""
    names = [name for name in WEIGHTS if name in scores and (has_several_agents or name != "collaboration")]
    total = sum(WEIGHTS[name] for name in names)
    return sum(WEIGHTS[name] * scores[name] for name in names) / total if total else None
