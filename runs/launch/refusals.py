"""What a launch is refused for, and the quotas of a team among it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from packs.formats.later import Later
from packs.quotas import QuotaReached
from runs.models import Agent, Run
from runs.quotas import heed_trials

if TYPE_CHECKING:
    from runs.launch import estimating
else:
    # What a run will cost is asked where a quota of money stands.
    estimating = Later("runs.launch.estimating")


class LaunchRefused(Exception):
    """A run that cannot be started as asked. `code` is stable; `choices` lists what could be given instead."""

    def __init__(self, code: str, message: str, choices: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.choices = list(choices)


def heed_quotas(run: Run, asked: int, agents: Iterable[Agent]) -> None:
    """Raises LaunchRefused where the team of a run may not have so many trials of it, which are written already."""

    def expected() -> float:
        cost = estimating.expected_cost(run.version.pack, list(agents), asked) or 0.0
        limit = run.budgets.get("cost_usd")
        return cost if limit is None else min(cost, limit)

    try:
        heed_trials(run.team, asked, expected)
    except QuotaReached as reached:
        raise LaunchRefused(reached.code, reached.message) from reached
