"""What the trials of a run say together."""

import pytest

from packs.access import Role
from runs.launch.launching import launch
from runs.models import Agent, Trial
from runs.results.case_verdicts import case_verdicts, summary_of
from runs.statistics.estimates import wilson
from tests.people import make_member
from tests.runs.evals import eval_test, publish_evals
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def run(team, curator):
    """Three cases, each tried twice: `a` passes on average although one trial fails, `b` fails, `c` is broken."""
    tests = [eval_test("a"), eval_test("b"), eval_test("c")]
    version = publish_evals(team, curator, *tests, trials={"count": 2, "strategy": "mean"})
    call = {"type": "model.call.completed", "payload": {"usage": {"total_tokens": 100, "cost_usd": 0.25}}}
    config = {"default": {"output": "done", "events": [call]}, "answers": {"b": "no"}}
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config=config)
    run = work_off(launch(curator, version, [agent]))
    run.trials.filter(case_key="a", number=2).update(status="failed", score=0.6)
    run.trials.filter(case_key="c", number=1).update(status="error", score=None)
    return run


def test_each_case_has_the_verdict_of_its_rule(run):
    firsts = list(Trial.objects.filter(run=run, number=1).order_by("pk"))
    told = [joint.as_dict() for joint in case_verdicts(run, firsts)]
    found = [(each["case_key"], each["verdict"], each["rule"], each["n"], each["c"]) for each in told]
    assert found == [("a", "pass", "mean", 2, 1), ("b", "fail", "mean", 2, 0), ("c", "incomplete", "mean", 1, 1)]
    assert (told[0]["estimate"], told[0]["threshold"], told[0]["is_flaky"]) == (0.8, 0.8, True)
    assert [(trial["number"], trial["score"]) for trial in told[0]["trials"]] == [(1, 1), (2, 0.6)]


def test_a_summary_counts_cases_by_the_rules_of_the_pack(run):
    (agent,) = summary_of(run)["agents"]
    assert agent["cases"] == {"pass": 1, "fail": 1, "incomplete": 1}
    assert (agent["verdict"], agent["flaky"], agent["left_out"]) == ("fail", 1, 0)
    assert agent["trials"] == {"passed": 2, "failed": 3, "error": 1}
    assert (agent["pass_rate"], agent["coverage"]) == (2 / 5, 5 / 6)
    assert (agent["case_pass_rate"], agent["case_coverage"]) == (1 / 2, 2 / 3)
    assert (agent["wilson95"], agent["case_wilson95"]) == (list(wilson(2, 5)), list(wilson(1, 2)))
    assert (agent["cost_usd"], agent["total_tokens"]) == (1.0, 400)


def test_without_a_rule_the_first_valid_trial_of_a_case_decides(author, version, agents):
    run = work_off(launch(author, version, [agents["echo"], agents["reference"]]))
    told = [joint.as_dict() for joint in case_verdicts(run, list(Trial.objects.filter(run=run).order_by("pk")))]
    assert {(each["rule"], each["k"], each["threshold"]) for each in told} == {("first", 1, None)}
    summary = summary_of(run)
    assert {agent["name"]: agent["verdict"] for agent in summary["agents"]}["reference"] == "pass"
    assert summary["is_final"]


def test_a_run_that_has_not_begun_is_open(author, version, agents):
    (agent,) = summary_of(launch(author, version, [agents["echo"]]))["agents"]
    assert (agent["verdict"], agent["cases"]["incomplete"], agent["trials"]) == ("incomplete", 3, {"queued": 3})
