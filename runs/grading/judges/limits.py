"""What the calls of judges may use up: the judge limits of a scorecard, the caps of a trial (challenge-pack d.7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from packs.formats.task import Budgets, Price, Task
from runs.agents.endpoints.contract import Usage
from runs.grading.graders.values import as_number
from runs.grading.scoring.costs import MILLION, find_price

# What a call is thought to use up until it has ended: a token for so many characters of the prompt, and the reply.
CHARACTERS_PER_TOKEN = 4
REPLY_TOKENS = 700
# How many times as much it may turn out to be, as long as no call has reported it.
DOUBT = 4


@dataclass(slots=True)
class Allowance:
    """Tokens and US dollars that calls may still use up; None means no limit.

    `must_know_cost` holds where the pack limits the cost of judges as such: without a known cost no more is spent.
    """

    tokens: float | None = None
    cost_usd: float | None = None
    must_know_cost: bool = False
    prices: Sequence[Price] = ()
    used_tokens: int = 0
    used_usd: float = 0.0
    largest: int = 0
    is_cost_unknown: bool = False
    under_way: dict[int, int] = field(default_factory=dict)

    def refusal(self) -> str:
        """Why no call may be begun any more, empty while one may."""
        if self.tokens is not None and self.used_tokens >= self.tokens:
            return f"the judges may use {self.tokens:g} tokens, and have used {self.used_tokens}"
        if self.cost_usd is not None and self.used_usd >= self.cost_usd:
            return f"the judges may cost {self.cost_usd:g} US dollars, and have cost {self.used_usd:.4f}"
        if self.cost_usd is not None and self.must_know_cost and self.is_cost_unknown:
            return "the cost of the judges is limited and not known: give the model a price in its connection"
        return ""

    def has_room(self, tokens: int) -> bool:
        """Whether one more call of about so many tokens fits beside those under way; alone it always does.

        Each is thought to take as much as the largest one so far, or several times what was estimated.
        """
        if not self.under_way:
            return True
        tokens = sum(self._thought(estimated) for estimated in [tokens, *self.under_way.values()])
        if self.tokens is not None and self.used_tokens + tokens > self.tokens:
            return False
        if self.cost_usd is not None:
            if not self.used_tokens or self.is_cost_unknown:
                return False
            each = self.used_usd / self.used_tokens
            return self.used_usd + each * tokens <= self.cost_usd
        return True

    def _thought(self, estimated: int) -> int:
        return max(estimated, self.largest) if self.largest else DOUBT * estimated

    def priced(self, usage: Usage, provider: str, model: str) -> Usage:
        """The usage of a call with its cost, by the price of the pack where the connection has none."""
        if usage.cost_usd is not None or usage.total_tokens is None:
            return usage
        price = find_price(self.prices, provider, model)
        if price is None:
            return usage
        received = (usage.input_tokens or 0) * price.input_per_million
        given = (usage.output_tokens or 0) * price.output_per_million
        return replace(usage, cost_usd=(received + given) / MILLION)

    def note(self, usage: Usage, estimated: int = 0) -> None:
        """Count what a call has used up; where nobody counted its tokens, what was estimated."""
        tokens = estimated if usage.total_tokens is None else usage.total_tokens
        self.used_tokens += tokens
        self.largest = max(self.largest, tokens)
        self.used_usd += usage.cost_usd or 0.0
        self.is_cost_unknown = self.is_cost_unknown or usage.cost_usd is None


def allowance_of(task: Task) -> Allowance:
    """What the judges of one trial may use up: the tighter of the judge limits and of the caps of the trial."""
    # Decisive budgets are the agent's own.
    limits, budgets = task.scoring.judge_limits, Budgets() if task.budgets.are_decisive else task.budgets
    stated = positive(limits, "max_calls_usd")
    tokens = positive(limits, "max_tokens")
    return Allowance(
        tokens=least(tokens, budgets.total_tokens),
        cost_usd=least(stated, budgets.cost_usd),
        must_know_cost=stated is not None,
        prices=task.scoring.prices,
    )


def samples_of(task: Task, wanted: int) -> int:
    """How many samples a judge takes of each model: what it wants, capped by the judge limits."""
    most = positive(task.scoring.judge_limits, "max_samples_per_judge")
    return wanted if most is None else min(wanted, int(most))


def positive(limits: Mapping[str, Any], name: str) -> float | None:
    """A limit; None where it is absent or 0, which means none."""
    limit = as_number(limits.get(name))
    return limit if limit is not None and limit > 0 else None


def least(one: float | None, other: float | None) -> float | None:
    known = [limit for limit in (one, other) if limit is not None]
    return min(known) if known else None


def estimate(messages: Sequence[Mapping[str, str]]) -> int:
    """About how many tokens a call takes."""
    return sum(len(message["content"]) for message in messages) // CHARACTERS_PER_TOKEN + REPLY_TOKENS
