import pytest

from runs.statistics.summaries import Judging, summarise_trials


def row(status, score=None, fault="", **dimensions):
    card = {"dimensions": {key: {"score": value} for key, value in dimensions.items()}, "warnings": ["w"]}
    return {"status": status, "fault": fault, "score": score, "scorecard": card}


def test_what_machine_or_pack_broken_says_nothing_about_the_agent():
    summary = summarise_trials(
        [
            row("passed", 1.0, correctness=1.0),
            row("failed", 0.0, correctness=0.5),
            row("error", fault="machine"),
            row("undecided"),
        ]
    )
    assert summary["overall_score"] == 0.5
    assert summary["dimensions"] == {"correctness": 0.75}
    assert summary["statuses"] == {"passed": 1, "failed": 1, "error": 1, "undecided": 1}
    assert summary["faults"] == {"machine": 1}
    assert summary["warnings"] == ["w"]


def test_without_a_verdict_there_is_no_score():
    summary = summarise_trials([row("error", fault="pack", correctness=None)])
    assert (summary["passed"], summary["overall_score"]) == (0, None)
    assert summary["dimensions"] == {"correctness": None}
    assert summarise_trials([])["trials"] == 0


def test_what_judges_used_up_for_earlier_scorings_still_counts():
    earlier = {"calls": 2, "tokens": 20, "cost_usd": 0.2}
    card = {"earlier_judging": earlier, "llm_judge_details": [{"payload": {"usage": {**earlier, "calls": 1}}}]}
    summary = summarise_trials([row("passed", 1.0) | {"scorecard": card}])
    assert summary["judging"] == {"calls": 3, "tokens": 40, "cost_usd": pytest.approx(0.4)}


def test_use_that_is_taken_out_leaves_the_rest():
    left = Judging(5, 50, 0.5).without(Judging(2, 20, 0.2))
    assert left.as_dict() == {"calls": 3, "tokens": 30, "cost_usd": pytest.approx(0.3)}
    assert Judging(1, 1, 0.1).without(Judging(2, 2, 0.2)).as_dict() == {"calls": 0, "tokens": 0, "cost_usd": 0}
    assert Judging(5, 50, 0.5).without(Judging(2, 20, is_cost_known=False)).as_dict()["cost_usd"] is None


def test_what_judges_used_up_is_added_up_with_each_agents_part_of_rankings():
    used = {"calls": 3, "tokens": 30, "cost_usd": 0.3}
    shared = {"calls": 4, "tokens": 40, "cost_usd": 0.4, "shared_by": 2}
    judges = [{"payload": {"usage": used}}, {"payload": {"usage": shared}}, {"payload": {"problem": "waiting"}}]
    trial = row("passed", 1.0) | {"scorecard": {"llm_judge_details": judges}}
    assert summarise_trials([trial])["judging"] == {"calls": 5, "tokens": 50, "cost_usd": pytest.approx(0.5)}
    judges.append({"payload": {"usage": {"calls": 1, "tokens": 5, "cost_usd": None}}})
    assert summarise_trials([trial])["judging"]["cost_usd"] is None
    assert "judging" not in summarise_trials([row("passed", 1.0)])


def test_models_that_graders_asked_count_as_judging():
    judging = Judging()
    usage = {"calls": 2, "tokens": 25, "cost_usd": 0.75}
    judging.add_all({"validator_details": [{"evidence": {"usage": usage}}, {"evidence": {}}, {}]})
    assert judging.as_dict() == usage
