"""The six dimensions of a trial from 0 to 4 with what each score means, and its tracked metrics (task-suite 5, 9)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from runs.grading.graders.rubrics import is_score
from runs.grading.scoring.six_dimensions import ANCHORS, WEIGHTS, mean_of
from runs.grading.scoring.tracked import restored
from runs.replay.trajectories.definitions import DEFINITIONS
from runs.replay.trajectories.tracked import UNITS, plain

BEST = 4


@dataclass(frozen=True, slots=True)
class Scored:
    """One dimension: its mean score from 0 to 4, None where nobody knows, and the anchors, one of which it meets."""

    name: str
    weight: float
    score: float | None
    anchors: list[tuple[int, str, bool]]

    @property
    def meaning(self) -> str:
        """What the score says: the anchor that is nearest."""
        return next((text for _, text, is_met in self.anchors if is_met), "")


def six_dimensions(card: Mapping[str, Any]) -> dict[str, Any]:
    """The dimensions that graders scored in a scorecard, with their mean; empty where none is one of the six."""
    said: dict[str, list[Any]] = defaultdict(list)
    for grade in card.get("validator_details", ()):
        scores = grade.get("evidence", {}).get("dimensions")
        for name, score in scores.items() if isinstance(scores, Mapping) else ():
            if name in WEIGHTS:
                said[name].append(score)
    if not said:
        return {}
    scores = {name: _mean(values) for name, values in said.items()}
    known = {name: score for name, score in scores.items() if score is not None}
    mean = mean_of(known, has_several_agents="collaboration" in known)
    rows = [
        Scored(name, WEIGHTS[name], scores[name], _anchors(name, scores[name])) for name in WEIGHTS if name in scores
    ]
    return {"rows": rows, "mean": mean, "percent": None if mean is None else mean / BEST}


def _mean(values: list[Any]) -> float | None:
    known = [float(value) for value in values if is_score(value)]
    return sum(known) / len(known) if known else None


def _anchors(name: str, score: float | None) -> list[tuple[int, str, bool]]:
    """The anchors from 4 down, each with whether the score is nearest to it; halves are rounded down."""
    met = None if score is None else ceil(score - 0.5)
    return [(value, text, value == met) for value, text in ANCHORS[name].items()]


def tracked_shown(card: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tracked metrics of a trial with units and definitions."""
    return [
        {
            "name": name,
            "value": _spelled(plain(restored(kept))),
            "unit": UNITS.get(name, ""),
            "definition": DEFINITIONS.get(name, ""),
        }
        for name, kept in card.get("tracked", {}).items()
    ]


def _spelled(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{kind} × {count}" for kind, count in value.items()) or "none"
    return "–" if value is None else f"{value:.6g}"
