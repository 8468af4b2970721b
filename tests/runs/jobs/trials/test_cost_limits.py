"""Cases whose trials may cost so much together and no more."""

import json

import pytest

from packs.access import Role
from runs.jobs.gating.checks import judge
from runs.jobs.trials.retrying import retry
from runs.launch.launching import Options, add_trials, launch
from runs.models import Agent, RunStatus
from runs.views.results.grid import grid
from tests.people import make_member
from tests.runs.evals import eval_test, publish_evals
from tests.runs.working import work_off
from tests.services import Studio

pytestmark = pytest.mark.django_db

ON_WORKERS = """
import json, sys, time
from packs.access import Role
from packs.models import Team
from runs.launch.launching import launch
from runs.models import Agent, Run
from tests.people import make_member
from tests.runs.evals import eval_test, publish_evals

team = Team.objects.create(slug="default", name="Default team")
user = make_member(team, Role.CURATOR)
limit = {"count": 3, "strategy": "mean", "cost_limit_usd": 0.5}
call = {"type": "model.call.completed", "payload": {"usage": {"total_tokens": 100, "cost_usd": 0.25}}}
config = {"default": {"output": "done", "events": [call]}, "delay_seconds": 0.2}
agent = Agent.objects.create(team=team, name="s", kind="scripted", config=config)
run = launch(user, publish_evals(team, user, *map(eval_test, "abcdef"), trials=limit), [agent])
deadline = time.monotonic() + 480
while not Run.objects.get().finished_at and time.monotonic() < deadline:
    time.sleep(0.05)
run.refresh_from_db()
counts = {}
for key, status in run.trials.order_by("number").values_list("case_key", "status"):
    counts.setdefault(key, []).append(status)
sys.stdout.write(json.dumps([run.status, counts]))
"""
LIMIT = {"count": 4, "strategy": "mean", "cost_limit_usd": 0.5}


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def agent(team):
    """An agent whose every answer costs a quarter of a dollar, but nothing at the case `free`."""
    call = {"type": "model.call.completed", "payload": {"usage": {"total_tokens": 100, "cost_usd": 0.25}}}
    config = {"default": {"output": "done", "events": [call]}, "answers": {"free": "done"}}
    return Agent.objects.create(team=team, name="s", kind="scripted", config=config)


@pytest.fixture
def limited(team, curator):
    return publish_evals(team, curator, eval_test("a"), eval_test("free"), trials=LIMIT)


def states(run, case="a"):
    return list(run.trials.filter(case_key=case).order_by("number").values_list("status", flat=True))


def test_no_further_trial_of_a_case_begins_once_it_has_cost_what_it_may(limited, curator, agent):
    run = launch(curator, limited, [agent])
    assert run.counts == {"queued": 2, "held": 6}
    work_off(run)
    assert states(run) == ["passed", "passed", "cancelled", "cancelled"]
    assert states(run, "free") == ["passed"] * 4
    left_out = run.trials.filter(status="cancelled")
    assert {(trial.stop_reason, trial.fault, trial.event_count) for trial in left_out} == {("trial_cost_limit", "", 0)}


def test_a_run_with_trials_that_were_left_out_is_complete_and_those_that_took_place_are_its_verdict(
    limited, curator, agent
):
    run = work_off(launch(curator, limited, [agent]))
    assert run.status == RunStatus.COMPLETED
    _, rows = grid(run, list(run.agents.values_list("pk", flat=True)), {})
    assert [cell.joint.verdict for row in rows for cell in row.cells] == ["pass", "pass"]
    assert {task.task_id: task.verdict for task in judge(run, "ci_merge_gate").candidate.tasks} == {
        "a": "pass",
        "free": "pass",
    }


def test_trials_of_a_limited_case_are_made_one_after_the_other_agent_by_agent(limited, team, curator, agent):
    other = Agent.objects.create(team=team, name="other", kind="scripted", config={"default": {"output": "done"}})
    run = work_off(launch(curator, limited, [agent, other]))
    assert states(run).count("passed") == 2 + 4
    for entry in run.agents.all():
        times = run.trials.filter(run_agent=entry, case_key="a", status="passed").order_by("number")
        spans = list(times.values_list("started_at", "finished_at"))
        assert all(before[1] <= after[0] for before, after in zip(spans, spans[1:], strict=False))


def test_without_a_limit_all_trials_are_made_at_once(team, curator, agent):
    version = publish_evals(team, curator, eval_test("a"), trials={"count": 4})
    run = launch(curator, version, [agent])
    assert run.counts == {"queued": 4}
    assert work_off(run).counts == {"passed": 4}


def test_what_was_left_out_stays_so_when_it_is_tried_again_or_trials_are_added(limited, curator, agent):
    run = work_off(launch(curator, limited, [agent]))
    assert retry(run, "cancelled") == 2
    assert states(work_off(run)) == ["passed", "passed", "cancelled", "cancelled"]
    assert add_trials(run, 1) == 2
    assert states(work_off(run)) == ["passed", "passed", *["cancelled"] * 3]
    assert states(run, "free") == ["passed"] * 5


def test_what_an_earlier_attempt_cost_counts(limited, curator, agent):
    run = work_off(launch(curator, limited, [agent], Options(trials=1)))
    run.trials.update(status="error")
    retry(run)
    work_off(run)
    add_trials(run, 1)
    assert states(work_off(run)) == ["passed", "cancelled"]


@pytest.mark.services
def test_two_workers_with_many_threads_spend_no_more_than_that_on_any_case(tmp_path):
    studio = Studio(tmp_path)
    try:
        studio.start_worker(slots=2)
        said = studio.manage("shell", "--no-imports", "--verbosity", "0", "--command", ON_WORKERS)
    finally:
        studio.close()
    status, counts = json.loads(said)
    assert status == "completed"
    assert counts == dict.fromkeys("abcdef", ["passed", "passed", "cancelled"])
