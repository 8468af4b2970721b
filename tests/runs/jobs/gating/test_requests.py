"""Verdicts that are wanted once a run has ended."""

import pytest

from runs.jobs.gating.requests import due_requests
from runs.jobs.tasks import execute_gate
from runs.jobs.trials.retrying import retry
from runs.launch.launching import Options, launch
from runs.models import GateRequest, Run, Trial
from tests.runs.gated import answering, gated_run, publish_suites
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

MERGE = "ci_merge_gate"


@pytest.fixture
def suites(team, author):
    return publish_suites(team, author)


def wish(run, **more):
    return GateRequest.objects.create(run=run, gate=MERGE, **more)


def test_nothing_is_due_before_the_run_has_ended(suites, author):
    run = launch(author, suites, [answering(suites)], Options(input_set="all"))
    wish(run)
    assert not due_requests().exists()
    work_off(run)
    assert due_requests().exists()


def test_the_verdict_is_kept_once(suites, author):
    run = gated_run(author, suites)
    row = wish(run, created_by=author)
    execute_gate(row.pk)
    execute_gate(row.pk)
    assert [(check.verdict, check.created_by) for check in run.gate_checks.all()] == [("pass", author)]


def test_a_run_that_went_on_gets_another_verdict(suites, author):
    run = gated_run(author, suites, capital_1="Madrid")
    row = wish(run)
    execute_gate(row.pk)
    retry(run, "failed")
    work_off(run)
    execute_gate(row.pk)
    assert run.gate_checks.count() == 2


def test_each_agent_of_a_run_gets_its_verdict(suites, author):
    agents = [answering(suites, "good"), answering(suites, "bad", capital_1="Madrid")]
    run = work_off(launch(author, suites, agents, Options(input_set="all")))
    execute_gate(wish(run).pk)
    assert {check.run_agent.name: check.verdict for check in run.gate_checks.all()} == {"good": "pass", "bad": "fail"}


def test_trials_that_the_machine_broke_are_tried_twice_again_before_the_gate_is_asked(suites, author):
    run = gated_run(author, suites)
    row = wish(run)
    for _ in range(2):
        spoil(run)
        execute_gate(row.pk)
        assert not run.gate_checks.exists()
        work_off(run)
    spoil(run)
    execute_gate(row.pk)
    assert run.gate_checks.get().verdict == "incomplete"


def spoil(run):
    """Let the first golden trial have ended by a fault of the machine."""
    trial = Trial.objects.filter(run=run, case_key="capital_1").first()
    Trial.objects.filter(pk=trial.pk).update(status="error", fault="machine")
    run.refresh_from_db()


def test_a_request_that_makes_no_sense_says_why_and_rests(suites, version, author, agents):
    other = work_off(launch(author, version, [agents["reference"]]))
    row = wish(gated_run(author, suites), baseline=other)
    execute_gate(row.pk)
    row.refresh_from_db()
    assert row.trouble
    assert not due_requests().exists()
    assert Run.objects.get(pk=row.run_id).gate_checks.count() == 0
