"""Ranking all agents of a run at one case."""

import json
import re

import pytest

from runs.grading.judges import Bench, ask_ranking
from tests.runs.grading.judges.benches import Notes, bench_to, evidence_of, judged_task, prompt_of, ranking

OUTPUTS = {"a1": "The best answer.", "a2": "A fair answer.", "a3": "A poor answer."}
MERIT = list(OUTPUTS.values())


def candidates(**changes):
    return {name: evidence_of(output) for name, output in {**OUTPUTS, **changes}.items()}


def rank_by_merit(request):
    """A judge that knows: it ranks the labels by what stands under them."""
    shown = re.findall(r"candidate ([A-Z]): final_output\n(.*)", prompt_of(request))
    order = sorted(shown, key=lambda pair: MERIT.index(pair[1]))
    return json.dumps({"ranking": [label for label, _ in order], "reasoning": "by merit"})


def rank(model_server, judge=None, given=None, limits=None, seed="run/1"):
    judge = judge or ranking(samples=3)
    task = judged_task(judge, limits=limits)
    return ask_ranking(task, judge, given or candidates(), seed, bench_to(model_server), Notes())


@pytest.mark.parametrize("rotates", [True, False])
def test_every_agent_is_worth_its_place_whatever_its_label(model_server, rotates):
    model_server.answer = rank_by_merit
    found = rank(model_server, ranking(samples=3, position_debiasing=rotates))
    assert {name: result.score for name, result in found.items()} == {"a1": 1.0, "a2": 0.5, "a3": 0.0}
    assert all(result.confidence == "high" and result.sample_count == 3 for result in found.values())


def test_rotation_gives_every_agent_every_place(model_server):
    model_server.answer = rank_by_merit
    found = rank(model_server, ranking(samples=3, position_debiasing=True))
    labels = {name: {call["label"] for call in result.payload["calls"]} for name, result in found.items()}
    assert all(each == {"A", "B", "C"} for each in labels.values())


def test_a_judge_that_always_prefers_the_first_place_makes_no_winner(model_server):
    model_server.reply('{"ranking": ["A", "B", "C"]}')
    found = rank(model_server, ranking(samples=3, position_debiasing=True))
    assert {result.score for result in found.values()} == {0.5}
    assert {result.confidence for result in found.values()} == {"low"}


def test_the_same_seed_shows_the_agents_in_the_same_order(model_server):
    model_server.answer = rank_by_merit
    rank(model_server)
    rank(model_server)
    rank(model_server, seed="run/2")
    first, second, third = (model_server.requests[start : start + 3] for start in (0, 3, 6))
    assert first == second
    assert first != third


def test_evidence_of_the_case_is_shown_once(model_server):
    model_server.answer = rank_by_merit
    rank(model_server, ranking(context=("case.payload.question", "final_output")))
    assert prompt_of(model_server.requests[0]).count("Where is PX-1?") == 1


def test_a_context_without_anything_of_the_agents_is_completed_by_their_output(model_server):
    model_server.answer = rank_by_merit
    found = rank(model_server, ranking(context=("case.payload.question",)))
    assert found["a1"].score == 1.0


def test_an_agent_without_the_evidence_is_not_ranked_and_does_not_spoil_the_others(model_server):
    model_server.answer = rank_by_merit
    found = rank(model_server, given=candidates(a2=None))
    assert (found["a2"].score, found["a2"].payload["problem"]) == (None, "missing_context")
    assert (found["a1"].score, found["a3"].score) == (1.0, 0.0)


@pytest.mark.parametrize(
    "given", [{"a1": evidence_of("x")}, {str(number): evidence_of(f"{number}") for number in range(27)}]
)
def test_one_agent_alone_or_more_than_labels_cannot_be_ranked(model_server, given):
    found = rank(model_server, given=given)
    assert {result.payload["problem"] for result in found.values()} == {"unrankable"}
    assert model_server.requests == []


def test_without_a_connection_nobody_is_ranked():
    found = ask_ranking(judged_task(ranking()), ranking(), candidates(), "s", Bench(), Notes())
    assert {result.payload["problem"] for result in found.values()} == {"not_connected"}


@pytest.mark.parametrize("reply", ['{"ranking": ["A", "B"]}', '{"ranking": ["A", "A", "B"]}', "A, then B, then C"])
def test_an_incomplete_ranking_counts_for_nothing(model_server, reply):
    model_server.reply(reply)
    found = rank(model_server)
    assert {result.score for result in found.values()} == {None}
    assert {result.payload["problem"] for result in found.values()} == {"no_usable_reply"}


def test_limits_hold_for_rankings(model_server):
    model_server.answer = rank_by_merit
    found = rank(model_server, limits={"max_tokens": 15})
    assert len(model_server.requests) == 2
    assert [call.get("problem") for call in found["a1"].payload["calls"]] == [None, None, "limit"]
