"""What all trials of a run together may use up; a run ends early when nothing is left."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class RunBudgets:
    """What ends a whole run early; None means nothing does.

    Cost in US dollars, time in seconds from its first trial. `interval_points` is how exactly every agent's pass rate
    is to be known: percentage points on either side, at 95 %.
    """

    cost_usd: float | None = None
    total_tokens: int | None = None
    wall_seconds: float | None = None
    interval_points: float | None = None

    @classmethod
    def read(cls, stated: Mapping[str, Any]) -> "RunBudgets":
        """Budgets from JSON values; empty for no limits. Raises ValueError for what is no budget, naming it."""
        unknown = stated.keys() - {each.name for each in fields(cls)}
        if unknown:
            raise ValueError(f"{sorted(unknown)[0]} is no budget of a run")
        given = {name: value for name, value in stated.items() if value is not None}
        for name, value in given.items():
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            is_number = is_whole or (isinstance(value, float) and name != "total_tokens")
            if not is_number or not 0 < value < float("inf"):
                raise ValueError(f"{name} must be a {'whole ' if name == 'total_tokens' else ''}number above 0")
        return cls(**given)

    def as_dict(self) -> dict[str, float]:
        """The stated limits as JSON values."""
        return {name: limit for name, limit in asdict(self).items() if limit is not None}

    def used_up(self, cost_usd: float = 0.0, total_tokens: int = 0, wall_seconds: float = 0.0) -> str:
        """The name of the first budget of which nothing is left; empty while a further trial may start."""
        spent = {"cost_usd": cost_usd, "total_tokens": total_tokens, "wall_seconds": wall_seconds}
        limits = self.as_dict()
        return next((name for name, used in spent.items() if name in limits and used >= limits[name]), "")
