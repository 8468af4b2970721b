"""Trials that wait for the cases that theirs depends on."""

import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from packs.access import Role
from packs.models import VersionCase
from runs.engine.limiter import Limiter
from runs.jobs.queue.leases import claim, new_mark
from runs.jobs.tasks import sweep
from runs.jobs.trials.claiming import Lane
from runs.jobs.trials.control import cancel
from runs.jobs.trials.dependencies import holds_trials, let_go_on, ready_trials
from runs.jobs.trials.retrying import retry
from runs.jobs.trials.saving import Ledger
from runs.launch.launching import Options, add_trials, launch
from runs.models import Agent, Dependency, RunStatus, Trial
from tests.people import make_member
from tests.runs.evals import eval_test, publish_evals
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def chain(team, curator):
    """Three tests, the last first: `c` needs `b`, which needs `a`; `d` needs nothing."""
    return publish_evals(
        team,
        curator,
        eval_test("c", depends_on=["b"], on_dependency_failure="fail"),
        eval_test("b", depends_on=["a"]),
        eval_test("a"),
        eval_test("d"),
    )


@pytest.fixture
def speaker(team):
    """An agent that says what is asked for, and one that breaks at `a`."""
    make = Agent.objects.create
    answers = {"a": {"error": "out of order"}}
    return {
        "whole": make(team=team, name="whole", kind="scripted", config={"default": {"output": "done"}}),
        "broken": make(
            team=team, name="broken", kind="scripted", config={"default": {"output": "done"}, "answers": answers}
        ),
        "wrong": make(team=team, name="wrong", kind="scripted", config={"default": {"output": "no"}}),
    }


def statuses(run, agent="whole"):
    return dict(run.trials.filter(run_agent__name=agent).values_list("case_key", "status"))


def test_trials_begin_when_those_that_their_case_needs_have_ended(chain, curator, speaker):
    run = launch(curator, chain, [speaker["whole"]])
    assert run.counts == {"queued": 2, "held": 2}
    assert [trial.case_key for trial in claim(run, 9, new_mark())] == ["a", "d"]
    Trial.objects.filter(run=run).exclude(status="held").update(status="queued", lease="", attempt=0)
    work_off(run)
    assert (run.status, run.counts) == (RunStatus.COMPLETED, {"passed": 4})
    ended = list(run.trials.order_by("started_at").values_list("case_key", flat=True))
    assert ended.index("a") < ended.index("b") < ended.index("c")


def test_a_low_score_keeps_nobody_waiting(chain, curator, speaker):
    run = work_off(launch(curator, chain, [speaker["wrong"]]))
    assert run.counts == {"failed": 4}


def test_who_depends_on_what_broke_is_not_tried_and_says_why(chain, curator, speaker):
    run = work_off(launch(curator, chain, [speaker["broken"], speaker["whole"]]))
    assert statuses(run) == dict.fromkeys("abcd", "passed")
    assert statuses(run, "broken") == {"a": "failed", "b": "error", "c": "error", "d": "passed"}
    given_up = run.trials.get(run_agent__name="broken", case_key="b")
    assert (given_up.stop_reason, given_up.fault, given_up.event_count) == ("dependency_failed", "agent", 0)
    assert "'a'" in given_up.error


def test_who_runs_in_any_case_waits_only(team, curator, speaker):
    version = publish_evals(
        team, curator, eval_test("b", depends_on=["a"], on_dependency_failure="run"), eval_test("a")
    )
    run = work_off(launch(curator, version, [speaker["broken"]]))
    assert statuses(run, "broken") == {"a": "failed", "b": "passed"}


def test_trials_of_another_input_set_are_not_waited_for(team, curator, speaker):
    lone = {"name": "two", "tests": [eval_test("a")]}
    version = publish_evals(
        team, curator, eval_test("b", depends_on=["a"]), eval_test("a"), suites={"two.eval.yaml": lone}
    )
    run = launch(curator, version, [speaker["whole"]], Options(input_set="all"))
    assert Dependency.objects.filter(run=run).count() == 1
    assert work_off(run).counts == {"passed": 3}


def test_cases_that_are_not_part_of_the_run_are_not_waited_for(chain, curator, speaker):
    only = frozenset(VersionCase.objects.filter(version=chain, key__in=["b", "d"]).values_list("pk", flat=True))
    assert launch(curator, chain, [speaker["whole"]], Options(cases=only)).counts == {"queued": 2}


def test_what_is_tried_again_or_once_more_waits_anew(chain, curator, speaker):
    run = work_off(launch(curator, chain, [speaker["broken"]]))
    assert retry(run, "errors") == 2
    assert statuses(run, "broken") == {"a": "failed", "b": "queued", "c": "held", "d": "passed"}
    assert retry(run, "failed") == 1
    assert statuses(run, "broken") == {"a": "queued", "b": "held", "c": "held", "d": "passed"}
    run.agents.update(config=speaker["whole"].config)
    assert work_off(run).counts == {"passed": 4}
    assert add_trials(run, 1) == 4
    assert set(run.trials.filter(number=2, status="held").values_list("case_key", flat=True)) == {"b", "c"}
    assert work_off(run).counts == {"passed": 8}


def test_a_run_that_is_stopped_keeps_nothing_waiting(chain, curator, speaker):
    run = launch(curator, chain, [speaker["whole"]])
    assert cancel(run)
    run.refresh_from_db()
    assert (run.status, run.counts) == (RunStatus.CANCELLED, {"cancelled": 4})


def test_what_a_lost_worker_did_not_let_go_on_the_sweeper_does(chain, curator, speaker):
    run = launch(curator, chain, [speaker["whole"]])
    run.trials.filter(status="queued").update(status="passed")
    sweep()
    assert statuses(run) == {"a": "passed", "b": "queued", "c": "held", "d": "passed"}
    assert let_go_on(run.pk) == 0


def test_claiming_never_looks_at_what_a_case_depends_on(chain, curator, speaker):
    run = launch(curator, chain, [speaker["whole"]])
    with CaptureQueriesContext(connection) as asked:
        claim(run, 9, new_mark())
    assert asked.captured_queries
    assert not [query for query in asked.captured_queries if Dependency._meta.db_table in query["sql"]]


def test_a_job_of_a_run_that_holds_nothing_back_never_asks_who_may_go_on(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    lane = Lane(run, Ledger(new_mark()), 1, Limiter(1), threading.Lock(), holds=holds_trials(run.pk))
    lane.finished = 3
    with CaptureQueriesContext(connection) as asked:
        lane.release()
    assert not asked.captured_queries


def steps_of_asking(run):
    """How many hundreds of instructions SQLite takes to find the trials of a run that need not wait any more."""
    told = []
    connection.connection.set_progress_handler(lambda: told.append(1), 100)
    try:
        list(ready_trials(run.pk))
    finally:
        connection.connection.set_progress_handler(None, 0)
    return len(told)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="counts the instructions of SQLite")
@pytest.mark.parametrize("needed", [lambda place: 0, lambda place: place - 1], ids=["all need one", "a chain"])
def test_finding_who_need_not_wait_grows_with_the_trials_and_not_with_their_square(author, version, agents, needed):
    taken = []
    for count in (300, 1200):
        run = launch(author, version, [agents["echo"]])
        entry = run.agents.get()
        run.trials.all().delete()
        Trial.objects.bulk_create(
            [Trial(run=run, run_agent=entry, case_position=place, status="held") for place in range(count)]
        )
        Dependency.objects.bulk_create(
            [Dependency(run=run, position=place, needed=needed(place)) for place in range(1, count)]
        )
        taken.append(steps_of_asking(run))
    assert 0 < taken[1] < 6 * taken[0]
