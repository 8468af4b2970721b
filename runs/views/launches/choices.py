"""What is ticked and typed on the launch page, read from its address or its form."""

from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from packs.formats.characters import storable
from packs.formats.testers import read_policy
from runs.launch.launching import Options
from runs.launch.refusals import LaunchRefused
from runs.models.runs import ResponseCache
from runs.views.launches.answerers import Answers, as_connections, read_answers


@dataclass(frozen=True, slots=True)
class Choice:
    """What is ticked on the page. Numbers stay texts until they are sent, so that a wrong one is shown again."""

    input_set: str = ""
    agents: tuple[int, ...] = ()
    trials: str = ""
    limit: str = ""
    at_once: str = ""
    cost: str = ""
    tokens: str = ""
    within: str = ""
    cache: str = ResponseCache.OFF
    name: str = ""
    answers: Answers = ()
    tester: str = ""

    def options(self, key: str = "") -> Options:
        """The options of a launch. Raises LaunchRefused for what is not a number."""
        trials = whole(self.trials, "invalid_trials", "Trials for each case must be a whole number.")
        limit = whole(self.limit, "invalid_max_iterations", "The step limit must be a whole number.")
        return Options(
            self.input_set,
            self.name,
            trials,
            limit,
            concurrency=whole(self.at_once, "invalid_concurrency", "Trials at once must be a whole number."),
            response_cache=self.cache,
            budgets=self.budgets(),
            connections=as_connections(self.answers),
            idempotency_key=key,
            tester=self.policy(),
        )

    @property
    def has_limits(self) -> bool:
        """Whether any limit of the run was set."""
        typed = self.limit or self.at_once or self.cost or self.tokens or self.within
        return bool(typed) or self.cache != ResponseCache.OFF

    def budgets(self) -> dict[str, Any]:
        """What ends the run early. Raises LaunchRefused for what is not a number."""
        tokens = whole(self.tokens, "invalid_budgets", "The budget of tokens must be a whole number.")
        cost = number(self.cost, "invalid_budgets", "The budget must be a number of US dollars, such as 2.50.")
        within = number(self.within, "invalid_budgets", "How exactly pass rates are known must be a number, such as 5.")
        return {"cost_usd": cost, "total_tokens": tokens, "interval_points": within}

    def policy(self) -> dict[str, Any]:
        """What checkers may run. Raises LaunchRefused for a text that does not say it."""
        if not self.tester.strip():
            return {}
        policy, findings = read_policy(self.tester)
        if findings:
            raise LaunchRefused("invalid_tester", findings[0].message)
        return policy

    def words(self) -> list[str]:
        """The limits as options of the command line."""
        given = {
            "--max-iterations": self.limit,
            "--concurrency": self.at_once,
            "--max-cost": self.cost,
            "--max-tokens": self.tokens,
            "--within": self.within,
            "--cache": "" if self.cache == ResponseCache.OFF else self.cache,
        }
        return [word for name, value in given.items() if value.strip() for word in (name, value.strip())]

    def members(self) -> dict[str, Any]:
        """The limits as members of a call of the API; a wrong number is left out."""
        try:
            options = self.options()
        except LaunchRefused:
            return {}
        budgets = {name: value for name, value in options.budgets.items() if value is not None}
        given = {"max_iterations": options.max_iterations, "concurrency": options.concurrency}
        cache = {} if self.cache == ResponseCache.OFF else {"response_cache": self.cache}
        stated = {name: value for name, value in given.items() if value}
        return {**stated, **cache, **({"budgets": budgets} if budgets else {})}


def whole(text: str, code: str, message: str) -> int | None:
    """A text as a number, None for an empty one. Raises LaunchRefused."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise LaunchRefused(code, message)
    return int(text)


def number(text: str, code: str, message: str) -> float | None:
    """A text as a number, None for an empty one. Raises LaunchRefused."""
    try:
        return float(text) if text.strip() else None
    except ValueError:
        raise LaunchRefused(code, message) from None


def read_choice(data: QueryDict) -> Choice:
    return Choice(
        input_set=data.get("set", ""),
        agents=tuple(dict.fromkeys(int(pk) for pk in data.getlist("agent") if pk.isdecimal() and len(pk) < 19)),
        trials=data.get("trials", "").strip(),
        limit=data.get("limit", ""),
        at_once=data.get("at_once", ""),
        cost=data.get("cost", ""),
        tokens=data.get("tokens", ""),
        within=data.get("within", ""),
        cache=data.get("cache", ResponseCache.OFF),
        name=storable(data.get("name", ""))[:300],
        answers=read_answers(data),
        tester=data.get("tester", "").replace("\r\n", "\n")[:10_000],
    )


def whole_or_none(text: str) -> int | None:
    """A short text as a number; None for an empty one, 0 for what is none."""
    return None if not text else int(text) if text.isdecimal() and len(text) < 6 else 0
