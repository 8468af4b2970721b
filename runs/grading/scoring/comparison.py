"""Comparing the agents of a run: who wins, the ranking and the differences (challenge-pack h.6)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from runs.grading.scoring.scorecard import Scorecard

SCHEMA_VERSION = "2026-04-14"
# Dimensions that break a tie of the overall scores, in this order.
TIE_BREAKERS = ("correctness", "reliability")
RANKINGS = ("composite", "correctness", "reliability", "latency", "cost")


@dataclass(frozen=True, slots=True)
class AgentScore:
    """What one agent of a run reached: mean scores over its trials, None where no trial has one."""

    run_agent_id: str
    label: str = ""
    overall: float | None = None
    dimensions: Mapping[str, float | None] = field(default_factory=dict)
    trials: int = 0
    passed: int = 0
    warnings: tuple[str, ...] = ()

    def by(self, name: str) -> float | None:
        return self.overall if name == "composite" else self.dimensions.get(name)

    def as_dict(self) -> dict[str, Any]:
        return {
            "run_agent_id": self.run_agent_id,
            "label": self.label,
            "overall_score": self.overall,
            "dimensions": dict(self.dimensions),
            "trials": self.trials,
            "passed": self.passed,
        }


def agent_score(run_agent_id: str, label: str, cards: Sequence[Scorecard]) -> AgentScore:
    """The mean scores of an agent over the scorecards of its trials."""
    scores: dict[str, list[float]] = {}
    for card in cards:
        for result in card.dimensions:
            known = scores.setdefault(result.dimension.key, [])
            if result.score is not None:
                known.append(result.score)
    return AgentScore(
        run_agent_id,
        label,
        _mean([card.score for card in cards if card.score is not None]),
        {key: _mean(known) for key, known in scores.items()},
        len(cards),
        sum(card.passed is True for card in cards),
        tuple(dict.fromkeys(warning for card in cards for warning in card.warnings)),
    )


def _mean(scores: Sequence[float]) -> float | None:
    return fmean(scores) if scores else None


@dataclass(frozen=True, slots=True)
class Winner:
    """`status` is winner, tie or inconclusive; the code says by what it was decided."""

    status: str
    reason_code: str
    run_agent_id: str = ""


def find_winner(agents: Sequence[AgentScore]) -> Winner:
    """The agent with the highest overall score; ties are broken by correctness, then by reliability."""
    if len(agents) == 1:
        return Winner("winner", "single_agent", agents[0].run_agent_id)
    best = _best(agents, lambda agent: agent.overall)
    if not best:
        return Winner("inconclusive", "no_scores")
    reason = "overall_score"
    for name in TIE_BREAKERS:
        if len(best) == 1:
            break
        best = _best(best, _dimension(name)) or best
        reason = f"{name}_tiebreak"
    return Winner("winner", reason, best[0].run_agent_id) if len(best) == 1 else Winner("tie", "scores_equal")


def _dimension(name: str) -> Callable[[AgentScore], float | None]:
    return lambda agent: agent.dimensions.get(name)


def _best(agents: Sequence[AgentScore], read: Callable[[AgentScore], float | None]) -> list[AgentScore]:
    """The agents that share the highest score; none when nobody has one."""
    scores = [score for agent in agents if (score := read(agent)) is not None]
    return [agent for agent in agents if scores and read(agent) == max(scores)]


def rank(agents: Sequence[AgentScore], by: str = "composite") -> list[AgentScore]:
    """The agents from best to worst by one of `RANKINGS`; those without a score last, in their order."""
    return sorted(agents, key=lambda agent: -1.0 if (score := agent.by(by)) is None else score, reverse=True)


def compare(run_id: str, evaluation_spec_id: str, strategy: str, agents: Sequence[AgentScore]) -> dict[str, Any]:
    """The document that compares the agents of a run."""
    winner = find_winner(agents)
    return {
        "schema_version": SCHEMA_VERSION,
        "run_id": run_id,
        "evaluation_spec_id": evaluation_spec_id,
        **({"winning_run_agent_id": winner.run_agent_id} if winner.run_agent_id else {}),
        "winner_determination": {
            "strategy": strategy,
            "status": winner.status,
            "reason_code": winner.reason_code,
        },
        "agents": [agent.as_dict() for agent in rank(agents)],
        "dimension_deltas": _deltas(agents),
        "evidence_quality": _evidence_quality(agents),
    }


def _deltas(agents: Sequence[AgentScore]) -> dict[str, dict[str, float]]:
    """For each dimension how far each agent lies below the best one (0 for the best)."""
    deltas: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(name for agent in agents for name in agent.dimensions):
        scores = {agent.run_agent_id: score for agent in agents if (score := agent.by(name)) is not None}
        deltas[name] = {agent: score - max(scores.values()) for agent, score in scores.items()}
    return deltas


def _evidence_quality(agents: Sequence[AgentScore]) -> dict[str, list[str]]:
    missing = [
        f"{agent.label or agent.run_agent_id}: {name}"
        for agent in agents
        for name, score in {"overall_score": agent.overall, **agent.dimensions}.items()
        if score is None
    ]
    return {"missing_fields": missing, "warnings": list(dict.fromkeys(w for agent in agents for w in agent.warnings))}
