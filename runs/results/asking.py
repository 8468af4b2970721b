"""What it takes to ask the judges of a run again, before anybody is asked."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from runs.grading.judges.probes import ORDERED, padded
from runs.grading.judges.verdicts import PAIR
from runs.models import Asks, Probe, Run
from runs.statistics.summaries import Judging

# So many cases are read of a run, from all over it, and so many scorecards; the others are taken to be like them.
CASES, MOST_CARDS = 20, 200
# About so many characters make a token.
TOKEN_CHARACTERS = 4


def asking_of(run: Run) -> dict[str, dict[str, float | None]]:
    """About how many calls and tokens, and how much money (None where no price is known), the judges of a run take when
    `all` are asked, or for a probe, by its name; empty where no judge was asked.

    Made of what the judges of some trials used, at the prices of then. Replies from the response cache take nothing.
    """
    asked = run.trials.filter(judge_tokens__gt=0)
    total = asked.count()
    if not total:
        return {}
    last = asked.aggregate(last=Max("case_position"))["last"]
    places = {last * at // (CASES - 1) for at in range(CASES)}
    rows = asked.filter(case_position__in=places, number=1).order_by("case_position", "pk")[:MOST_CARDS]
    cards = list(rows.values_list("scorecard", "final_output"))
    every, swapped, longer = Judging(), Judging(), 0.0
    for card, output in cards:
        every.add_all({**card, "earlier_judging": {}})
        both = _seen_both_ways(card)
        for judge in card.get("llm_judge_details", ()):
            usage = judge.get("payload", {}).get("usage") or {}
            calls = usage.get("calls", 0)
            longer += calls * (len(padded(output)) - len(output)) / TOKEN_CHARACTERS
            if judge["mode"] in ORDERED and calls and not (judge["mode"] == PAIR and _pair_of(judge) in both):
                swapped.add(usage)
    scale = total / max(1, len(cards))
    found = {Asks.ALL.value: _scaled(every, scale), Probe.SWAPPED.value: _scaled(swapped, scale)}
    return {**found, Probe.PADDED.value: _scaled(_lengthened(every, longer), scale)}


def _lengthened(judging: Judging, tokens: float) -> Judging:
    """The same with so many more tokens, which cost what the others do in the mean."""
    grown = 1 + tokens / judging.tokens if judging.tokens else 1.0
    return Judging(judging.calls, judging.tokens * grown, judging.cost_usd * grown, judging.is_cost_known)


def _scaled(judging: Judging, scale: float) -> dict[str, float | None]:
    used = Judging(judging.calls * scale, judging.tokens * scale, judging.cost_usd * scale, judging.is_cost_known)
    return {**used.as_dict(), "calls": round(used.calls), "tokens": round(used.tokens)}


def _pair_of(judge: Mapping[str, Any]) -> str:
    return str(judge["judge_key"]).rpartition("/")[0]


def _seen_both_ways(card: Mapping[str, Any]) -> set[str]:
    """The graders whose judges of pairs were shown both orders: swapping them asks nobody."""
    pairs = [_pair_of(judge) for judge in card.get("llm_judge_details", ()) if judge["mode"] == PAIR]
    return {key for key in pairs if key and pairs.count(key) > 1}
