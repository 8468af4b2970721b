import pytest

from runs.grading.scoring import agent_score, compare
from runs.grading.scoring.comparison import RANKINGS, AgentScore, find_winner, rank
from tests.runs.grading.scoring.trials import FAILS, MISSES, PASSES, by_grader, card


def agent(name, overall, **dimensions):
    return AgentScore(name, name.upper(), overall, dimensions)


@pytest.mark.parametrize(
    ("agents", "status", "winner", "code"),
    [
        ((agent("a", None),), "winner", "a", "single_agent"),
        ((agent("a", 0.5), agent("b", 0.6)), "winner", "b", "overall_score"),
        ((agent("a", 0.5), agent("b", None)), "winner", "a", "overall_score"),
        ((agent("a", 0.5, correctness=0.1), agent("b", 0.5, correctness=0.2)), "winner", "b", "correctness_tiebreak"),
        (
            (agent("a", 0.5, correctness=1, reliability=1), agent("b", 0.5, correctness=1, reliability=0)),
            "winner",
            "a",
            "reliability_tiebreak",
        ),
        ((agent("a", 0.5), agent("b", 0.5)), "tie", "", "scores_equal"),
        ((agent("a", None), agent("b", None)), "inconclusive", "", "no_scores"),
        ((), "inconclusive", "", "no_scores"),
    ],
)
def test_the_winner_has_the_highest_score_and_ties_are_broken(agents, status, winner, code):
    found = find_winner(agents)
    assert (found.status, found.run_agent_id, found.reason_code) == (status, winner, code)


def test_an_agent_has_the_means_of_its_trials():
    dimension = by_grader("d", PASSES)
    cards = [
        card(dimension, graders=(PASSES,)),
        card(by_grader("d", FAILS), graders=(FAILS,)),
        card(by_grader("d", MISSES), graders=(MISSES,)),
    ]
    found = agent_score("a", "A", cards)
    assert (found.overall, found.dimensions, found.trials, found.passed) == (0.5, {"d": 0.5}, 3, 2)
    assert agent_score("a", "A", cards[2:]).dimensions == {"d": None}


def test_a_ranking_puts_those_without_a_score_last():
    agents = [agent("a", None, cost=0.9), agent("b", 0.2, cost=0.5), agent("c", 0.8)]
    assert [found.run_agent_id for found in rank(agents)] == ["c", "b", "a"]
    assert [found.run_agent_id for found in rank(agents, "cost")] == ["a", "b", "c"]
    assert set(RANKINGS) == {"composite", "correctness", "reliability", "latency", "cost"}


def test_the_document_of_a_run_tells_winner_differences_and_what_is_missing():
    agents = [agent("a", 0.5, correctness=0.25), agent("b", 0.75, correctness=1.0, tone=None)]
    document = compare("run", "spec", "weighted", agents)
    assert document["winning_run_agent_id"] == "b"
    assert document["winner_determination"]["status"] == "winner"
    assert [found["run_agent_id"] for found in document["agents"]] == ["b", "a"]
    assert document["dimension_deltas"] == {"correctness": {"a": -0.75, "b": 0.0}, "tone": {}}
    assert document["evidence_quality"]["missing_fields"] == ["B: tone"]
    assert "winning_run_agent_id" not in compare("run", "spec", "weighted", [])
