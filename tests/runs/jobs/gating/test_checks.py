"""Gates over the rows of runs."""

from xml.etree import ElementTree

import pytest

from packs.access import FrozenError, Role
from runs.jobs.gating.checks import GateRefused, judge, junit_of, keep, report_of
from runs.jobs.trials.facts import fill_facts
from runs.jobs.trials.retrying import retry
from runs.launch.launching import Options, launch
from runs.models import Agent, Event, GateSettings, StoredProof, TrialFacts
from runs.views.results.grid import grid
from tests.people import make_member
from tests.runs.evals import eval_test, publish_evals
from tests.runs.gated import answering, gated_run, publish_suites
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

MERGE = "ci_merge_gate"


@pytest.fixture
def suites(team, author):
    return publish_suites(team, author)


def statuses(result):
    return {condition.id: condition.status for condition in result.conditions}


def test_a_run_that_does_everything_right_passes(suites, author):
    result = judge(gated_run(author, suites), MERGE).result
    assert (result.verdict, result.exit_code) == ("pass", 0)
    assert [task.task_id for task in result.members] == ["attack_1", "capital_1", "incident_1"]
    assert {task.suite: len(task.trials) for task in result.members}["adversarial"] == 3


def test_a_golden_task_that_breaks_names_the_trial_that_decided_it(suites, author):
    before = gated_run(author, suites)
    keep(judge(before, MERGE))
    run = gated_run(author, suites, capital_1="Madrid")
    check = keep(judge(run, MERGE))
    assert (check.verdict, check.exit_code, check.baseline) == ("fail", 1, before)
    (broken,) = [condition for condition in check.conditions if condition["id"] == "golden_regression"]
    (offender,) = broken["offenders"]
    decided = run.trials.get(pk=offender["trial_ids"][0])
    assert (decided.case_key, decided.status) == ("capital_1", "failed")
    (member,) = [each for each in check.members if each["task_id"] == "capital_1"]
    assert (member["before"], member["is_paired"]) == ("pass", True)
    assert "string_match" in member["trials"][0][3]


def test_a_forbidden_call_fails_the_gate_whatever_the_answer(suites, author):
    call = {"type": "tool.call.failed", "payload": {"tool_name": "wire", "arguments": {}}}
    run = gated_run(author, suites, attack_1={"output": "No.", "events": [call]})
    found = statuses(judge(run, MERGE).result)
    assert (found["forbidden_tool_called"], found["any_safety_violation"]) == ("fail", "fail")


def test_slower_steps_fail_the_gate(suites, author):
    def slow(milliseconds):
        payload = {"usage": {"total_tokens": 1}, "timing": {"total_latency_ms": milliseconds}}
        return {"output": "Lisbon", "events": [{"type": "model.call.completed", "payload": payload}]}

    before = gated_run(author, suites, capital_1=slow(100))
    judged = judge(gated_run(author, suites, capital_1=slow(200)), MERGE, baseline=before)
    (latency,) = [condition for condition in judged.result.conditions if condition.id == "latency_p95"]
    assert (latency.status, latency.observed) == ("fail", 100)


def test_facts_of_trials_are_there_when_they_end_and_are_made_anew_when_they_are_tried_again(suites, author):
    run = gated_run(author, suites, capital_1="Madrid")
    (agent,) = run.agents.all()
    assert fill_facts(agent) == 0
    retry(run, "failed")
    work_off(run)
    assert fill_facts(agent) == 0
    TrialFacts.objects.filter(trial__case_key="capital_1").delete()
    assert fill_facts(agent) == 3


def test_a_gate_reads_no_events_of_trials_whose_facts_are_kept(suites, author):
    run = gated_run(author, suites)
    Event.objects.filter(trial__run=run).delete()
    assert judge(run, MERGE).result.verdict == "pass"


def test_what_was_kept_is_told_as_it_was(suites, author):
    judged = judge(gated_run(author, suites, capital_1="Madrid"), MERGE)
    check = keep(judged, author)
    assert report_of(check)["tasks"] == [
        {"task_id": task.task_id, "suite": task.suite, "verdict": task.verdict, "k": task.k, "metric": task.metric}
        | {"n": len(task.valid), "c": task.passes, "estimate": task.estimate, "ci": list(task.interval)}
        for task in judged.result.members
    ]
    root = ElementTree.fromstring(junit_of(check))
    assert root.find(".//testcase[@name='capital_1']/failure").text.startswith("trial 1: string_match")


def test_a_kept_verdict_cannot_change(suites, author):
    check = keep(judge(gated_run(author, suites), MERGE))
    check.verdict = "fail"
    with pytest.raises(FrozenError):
        check.save()


def test_a_changed_policy_is_tried_without_keeping_anything(suites, author):
    run = gated_run(author, suites, incident_1="No idea")
    assert judge(run, MERGE).result.verdict == "fail"
    relaxed = judge(run, MERGE, section={"suite_thresholds": {"failure_replays": None}})
    assert relaxed.result.verdict == "pass"
    assert not run.gate_checks.exists()


def test_a_gate_judges_one_agent_of_a_run(suites, author):
    agents = [answering(suites, "one"), answering(suites, "two")]
    run = work_off(launch(author, suites, agents, Options(input_set="all")))
    with pytest.raises(GateRefused) as refused:
        judge(run, MERGE)
    assert refused.value.code == "agent_not_named"
    assert judge(run, MERGE, agent="two").result.verdict == "pass"


def test_a_run_that_has_not_ended_has_no_verdict(suites, author):
    run = launch(author, suites, [answering(suites, "one")], Options(input_set="all"))
    with pytest.raises(GateRefused) as refused:
        judge(run, MERGE)
    assert refused.value.code == "run_not_ended"


def test_a_pack_without_gates_of_its_own_may_not_get_worse(version, author, agents):
    good = work_off(launch(author, version, [agents["reference"]]))
    bad = work_off(launch(author, version, [agents["empty"]]))
    judged = judge(bad, MERGE, baseline=good)
    assert judged.result.verdict == "fail"
    assert [task.suite for task in judged.result.members] == ["default"] * 3
    assert judge(good, MERGE, baseline=bad).result.verdict == "pass"


def test_settings_of_a_pack_without_gates_of_its_own_are_what_is_asked(version, author, agents):
    bad = work_off(launch(author, version, [agents["empty"]]))
    section = {"fail_on": [], "suite_thresholds": {"default": 0.5}}
    GateSettings.objects.create(pack=version.pack, gate=MERGE, section=section)
    judged = judge(bad, MERGE)
    assert (judged.source, statuses(judged.result)["suite_below_threshold:default"]) == ("settings", "fail")


def test_a_run_of_another_pack_is_nothing_to_compare_with(suites, version, author, agents):
    other = work_off(launch(author, version, [agents["reference"]]))
    with pytest.raises(GateRefused) as refused:
        judge(gated_run(author, suites), MERGE, baseline=other)
    assert refused.value.code == "baseline_of_another_pack"


@pytest.mark.parametrize(("strategy", "verdict"), [("mean", "pass"), ("confidence_interval", "fail")])
def test_a_gate_joins_trials_as_the_grid_of_their_run_does(team, strategy, verdict):
    curator = make_member(team, Role.CURATOR)
    version = publish_evals(team, curator, eval_test("a"), trials={"count": 3, "strategy": strategy})
    agent = Agent.objects.create(team=team, name="agent", kind="scripted", config={"default": {"output": "done"}})
    run = work_off(launch(curator, version, [agent]))
    run.trials.filter(number=1).update(score=0.5, status="failed")
    _, (row,) = grid(run, list(run.agents.values_list("pk", flat=True)), {})
    joint = row.cells[0].joint
    (task,) = judge(run, MERGE).candidate.tasks
    assert (task.verdict, task.estimate) == (joint.verdict, joint.estimate)
    assert task.verdict == verdict
    check = keep(judge(run, MERGE))
    assert report_of(check)["tasks"][0]["verdict"] == verdict
    failure = ElementTree.fromstring(junit_of(check)).find(".//testcase[@name='a']/failure")
    assert (failure is not None) is (verdict == "fail")


def test_a_gate_can_ask_that_the_cases_behind_its_verdict_are_proven(version, author, agents):
    run = work_off(launch(author, version, [agents["empty"]]))
    asked = GateSettings.objects.create(pack=version.pack, gate=MERGE, section={"fail_on": []})
    assert "unproven_case" not in statuses(judge(run, MERGE).result)
    asked.section = {"fail_on": ["unproven_case"]}
    asked.save()
    first, *others = version.cases.order_by("position")
    proof = {"digest": "x", "strength": 1.0, "revision": 1, "document": {}}
    StoredProof.objects.create(pack=version.pack, version=version, node=first.pk, state="proven", **proof)
    StoredProof.objects.create(pack=version.pack, version=version, node=others[0].pk, state="refuted", **proof)
    found = judge(run, MERGE).result
    condition = next(each for each in found.conditions if each.id == "unproven_case")
    assert (found.verdict, condition.observed) == ("fail", 2)
    assert [each.task_id for each in condition.offenders] == [case.key for case in others]
    StoredProof.objects.filter(version=version).delete()
    for case in version.cases.all():
        StoredProof.objects.create(pack=version.pack, version=version, node=case.pk, state="proven", **proof)
    assert statuses(judge(run, MERGE).result)["unproven_case"] == "pass"
