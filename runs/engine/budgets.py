"""What a trial may use up: counted as events come, and refused before a limit is passed.

Limits are inclusive, and what would pass one is refused rather than done (task-suite 3). Tokens and cost of a model
call are known only when it has ended, so there the call that passes the limit is the last one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from packs.formats.task import Budgets, Price
from runs.agents.contract import AgentFailed
from runs.grading.graders.values import as_number
from runs.grading.scoring.costs import MILLION, find_price

# Why a trial stopped at a limit -> what the limit is of.
LIMITS = {
    "timeout": "time",
    "step_limit": "steps",
    "tool_limit": "tool calls",
    "token_limit": "tokens",
    "cost_limit": "cost",
}
TOKENS = ("input_tokens", "output_tokens", "total_tokens")
# No call of a model uses more; a report of more, or of less than nothing, counts as none.
MOST_TOKENS = 10**12


@dataclass(slots=True)
class Spending:
    """What one trial used up so far.

    `tokens` adds up the usage of the model calls: input, output, total; `cost_usd` is None while no call with a known
    price was made. A call's price is that of `prices`, and where they have none what the event itself says it cost.
    """

    budgets: Budgets = field(default_factory=Budgets)
    prices: Sequence[Price] = ()
    steps: int = 0
    tool_calls: int = 0
    tokens: dict[str, int] = field(default_factory=dict)
    cost_usd: float | None = None
    open_calls: int = 0

    def refuse(self, event_type: str) -> None:
        """Raises AgentFailed for an event that begins what there is no budget for."""
        if event_type == "system.step.started":
            self._refuse(self.steps, self.budgets.steps, "step_limit")
        elif event_type == "tool.call.started" or (is_end_of_call(event_type) and not self.open_calls):
            self._refuse(self.tool_calls, self.budgets.tool_calls, "tool_limit")

    def _refuse(self, used: int, limit: int | None, reason: str) -> None:
        if limit is not None and used >= limit:
            raise AgentFailed(described(reason, limit), reason)

    def count(self, event_type: str, payload: Mapping[str, Any]) -> None:
        """Add what an event tells of."""
        if event_type == "system.step.started":
            self.steps += 1
        elif event_type == "tool.call.started":
            self.tool_calls += 1
            self.open_calls += 1
        elif is_end_of_call(event_type):
            # Calls of which only the ends were reported were made all the same.
            self.tool_calls += 0 if self.open_calls else 1
            self.open_calls = max(0, self.open_calls - 1)
        elif event_type == "model.call.completed" and isinstance(payload.get("usage"), Mapping):
            self._count_usage(payload, payload["usage"])

    def _count_usage(self, payload: Mapping[str, Any], usage: Mapping[str, Any]) -> None:
        used = {name: usage[name] for name in TOKENS if is_tokens(usage.get(name))}
        if "total_tokens" not in used and used:
            used["total_tokens"] = sum(used.values())
        for name, count in used.items():
            self.tokens[name] = self.tokens.get(name, 0) + count
        cost = self._cost(payload, used)
        if cost is not None:
            self.cost_usd = (self.cost_usd or 0.0) + cost

    def _cost(self, payload: Mapping[str, Any], used: Mapping[str, int]) -> float | None:
        provider, model = (str(payload.get(name) or "") for name in ("provider_key", "provider_model_id"))
        price = find_price(self.prices, provider, model)
        if price is None:
            return as_cost(payload["usage"].get("cost_usd"))
        spent = used.get("input_tokens", 0) * price.input_per_million
        return (spent + used.get("output_tokens", 0) * price.output_per_million) / MILLION

    def limits(self) -> dict[str, float | None]:
        """What may be used up, by the reason for which a trial stops there."""
        budgets = self.budgets
        return {
            "step_limit": budgets.steps,
            "tool_limit": budgets.tool_calls,
            "token_limit": budgets.total_tokens,
            "cost_limit": budgets.cost_usd,
            "timeout": budgets.wall_seconds,
        }

    def exceeded(self, seconds: float | None = None) -> str:
        """The reason of the first limit that was passed; empty while none was.

        `seconds` is how long the agent took. A trial that is going on has its own clock, and leaves it out.
        """
        used: dict[str, float] = {
            "step_limit": self.steps,
            "tool_limit": self.tool_calls,
            "token_limit": self.tokens.get("total_tokens", 0),
            "cost_limit": self.cost_usd or 0.0,
            "timeout": seconds or 0.0,
        }
        passed = (reason for reason, limit in self.limits().items() if limit is not None and used[reason] > limit)
        return next(passed, "")

    def check(self) -> None:
        """Raises AgentFailed when more was used than the budgets allow."""
        reason = self.exceeded()
        if reason:
            raise AgentFailed(self.described(reason), reason)

    def described(self, reason: str) -> str:
        """A passed limit in words."""
        return described(reason, self.limits()[reason])

    def usage(self) -> dict[str, float]:
        """Everything that is known of what was used up."""
        known: dict[str, float] = {"steps": self.steps, "tool_calls": self.tool_calls, **self.tokens}
        return known if self.cost_usd is None else {**known, "cost_usd": self.cost_usd}


def is_tokens(value: Any) -> bool:
    """Whether a value is a number of tokens."""
    return type(value) is int and 0 <= value <= MOST_TOKENS


def as_cost(value: Any) -> float | None:
    """US dollars as an event tells them; None for what is no amount."""
    amount = as_number(value)
    return amount if amount is not None and 0 <= amount < float("inf") else None


def is_end_of_call(event_type: str) -> bool:
    return event_type in ("tool.call.completed", "tool.call.failed")


def described(reason: str, limit: float | None) -> str:
    """The message of an agent that was stopped at a limit."""
    units = {**LIMITS, "cost_limit": "US dollars", "timeout": "seconds"}
    if limit is None:
        return f"The agent was stopped at a limit of its {LIMITS[reason]}."
    amount = f"{limit:,g} {units[reason]}" if isinstance(limit, float) else f"{limit} {units[reason]}"
    return f"The agent was stopped: it may not use more than {amount}."
