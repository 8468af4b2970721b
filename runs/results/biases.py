"""What two judgings of the same answers say of biases that show only across the agents of a run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runs.grading.judges.judgements import models_of, placings_of, scores_of
from runs.models import Rescore, RescoreResult, Run, RunAgent
from runs.statistics.bias import order_effect, self_preference
from runs.statistics.comparing.pairs import ScorePairs

# The scorecards that are read of each judging, of all agents together.
MOST_CARDS = 2000
SCORECARD = "scorecard"


@dataclass(frozen=True, slots=True)
class Bias:
    """One bias of a judge. Of self-preference: `model` is whose answers are its own, and `is_shared` says that all
    others are of the other judge's model, so that the figure is the preference of both together."""

    judge: str
    effect: ScorePairs
    model: str = ""
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class Biases:
    """`orders`: what standing first gains with judges that rank. `own`: what judges give answers of their model."""

    orders: Sequence[Bias] = ()
    own: Sequence[Bias] = ()


@dataclass(slots=True)
class Seen:
    """One judge in both judgings, by case and agent: its scores before and now, and how its rankings were shown."""

    scores: dict[int, dict[int, list[float]]] = field(default_factory=dict)
    showings: dict[int, dict[tuple[int, int], list[tuple[float, float]]]] = field(default_factory=dict)
    models: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))


def biases_of(row: Rescore, other: Rescore | None = None) -> Biases:
    """The biases that a re-score shows against another one of its run, or against what was said before."""
    seen: dict[str, Seen] = {}
    chosen = [_chosen(row.run, other), _chosen(row.run, row)]
    for position, number, agent, cards in _pairs_of_cards(row, other):
        scores = [scores_of(card, with_ranks=True) for card in cards]
        for side, card in enumerate(cards):
            for judge, models in models_of(card).items():
                asked = {chosen[side].get(model, {}).get("model", model) for model in models}
                seen.setdefault(judge, Seen()).models[side].update(map(plain_name, asked))
            for judge, showings in placings_of(card).items():
                of_case = seen.setdefault(judge, Seen()).showings.setdefault(position, {})
                of_case.setdefault((agent, number), []).extend(showings)
        for judge in scores[0].keys() & scores[1].keys():
            of_case_scores = seen.setdefault(judge, Seen()).scores.setdefault(position, {})
            of_case_scores.setdefault(agent, []).append(scores[1][judge] - scores[0][judge])
    entered = {agent.pk: name for agent in row.run.agents.all() if (name := model_of(agent))}
    return Biases(list(_orders(seen)), list(_own(seen, entered)))


def plain_name(model: Any) -> str:
    """A model's name without the provider that gateways put before it, to see whether two names are of one model."""
    return model.rpartition("/")[2].casefold() if isinstance(model, str) else ""


def model_of(agent: RunAgent) -> str | None:
    """The plain name of the model that an agent is; None where its configuration names none."""
    return plain_name(agent.config.get("model")) or None


def _chosen(run: Run, row: Rescore | None) -> Mapping[str, Any]:
    return run.connections if row is None else {**run.connections, **row.connections}


def _pairs_of_cards(row: Rescore, other: Rescore | None) -> Iterator[tuple[int, int, int, list[Mapping[str, Any]]]]:
    """Position of the case, number and agent of trials in their order, with the scorecards before and now."""
    places = ("trial__case_position", "trial__number", "trial__run_agent")
    now = RescoreResult.objects.filter(rescore=row).order_by(*places)
    if other is None:
        for *place, before, card in now.values_list(*places, "trial__scorecard", SCORECARD)[:MOST_CARDS].iterator(200):
            yield *place, [before, card]
        return
    cards = [
        {tuple(place): card for *place, card in results.values_list(*places, SCORECARD)[:MOST_CARDS].iterator(200)}
        for results in (RescoreResult.objects.filter(rescore=other).order_by(*places), now)
    ]
    for place in cards[0].keys() & cards[1].keys():
        yield *place, [side[place] for side in cards]


def _orders(seen: Mapping[str, Seen]) -> Iterator[Bias]:
    for judge, found in sorted(seen.items()):
        effect = order_effect(list(of_case.values()) for of_case in found.showings.values())
        if effect is not None:
            yield Bias(judge, effect)


def _own(seen: Mapping[str, Seen], entered: Mapping[int, str]) -> Iterator[Bias]:
    """Of each judge that answered with different models, the preference of those that are models of agents."""
    for judge, found in sorted(seen.items()):
        before, now = found.models
        for model in sorted((before ^ now) & set(entered.values())):
            sign = 1 if model in now else -1
            neither = {agent for agent, name in entered.items() if name not in before | now}
            agents = {agent for of_case in found.scores.values() for agent in of_case}
            strangers = neither | (agents - entered.keys())
            own = {agent for agent, name in entered.items() if name == model}
            rest = strangers or agents - own
            effect = self_preference(_cases(found, own, rest, sign))
            if effect is not None:
                yield Bias(judge, effect, model, not strangers)


def _cases(found: Seen, own: set[int], rest: set[int], sign: int) -> Iterator[tuple[list[float], list[float]]]:
    for of_case in found.scores.values():
        yield (
            [sign * value for agent in own for value in of_case.get(agent, ())],
            [sign * value for agent in rest for value in of_case.get(agent, ())],
        )
