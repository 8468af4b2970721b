"""Agents, runs and trials in curation."""

import pytest
from django.urls import reverse
from django.utils import timezone

from runs.launch.launching import launch, seed_agents
from runs.models import Agent, Run, RunStatus, Trial, TrialStatus, WorkerBeat
from tests.packs.admin.acts import act, ids
from tests.people import client_of
from tests.runs.studio_packs import pack_text, publish_text


@pytest.fixture
def run(administrator, version, agents):
    return launch(administrator, version, [next(iter(agents.values()))])


@pytest.fixture
def their_run(other_team, stranger):
    """A run of another team."""
    version = publish_text(other_team, stranger, pack_text({"default": 1}))
    seed_agents(other_team, stranger)
    return launch(stranger, version, [Agent.objects.filter(team=other_team).first()])


@pytest.mark.parametrize(("kind", "place"), [("agent", "runs:agent"), ("run", "runs:show"), ("trial", "runs:trial")])
def test_lists_and_pages_open_and_lead_into_the_studio(curator, run, kind, place):
    client = client_of(curator)
    page = client.get(reverse(f"admin:runs_{kind}_changelist"))
    row = page.context["cl"].result_list[0]
    shown = client.get(reverse(f"admin:runs_{kind}_change", args=[row.pk])).content.decode()
    assert reverse(place, args=[row.pk]) in shown
    assert "<textarea" not in shown


def test_an_entry_of_a_run_shows_its_agent_as_it_was(as_superuser, curator, run):
    entry = run.agents.get()
    assert ids(as_superuser.get(reverse("admin:runs_runagent_changelist"))) == [entry.pk]
    page = client_of(curator).get(reverse("admin:runs_runagent_change", args=[entry.pk])).content.decode()
    assert reverse("runs:show", args=[run.pk]) in page


def test_a_run_is_cancelled_with_all_that_waits(as_superuser, run):
    act(as_superuser, "runs_run", "cancel_runs", run.pk)
    run.refresh_from_db()
    assert run.status == RunStatus.CANCELLED
    assert set(run.trials.values_list("status", flat=True)) == {TrialStatus.CANCELLED}


def test_a_run_that_ended_is_not_cancelled_again(as_superuser, run):
    ended = timezone.now()
    Run.objects.update(status=RunStatus.COMPLETED, finished_at=ended)
    act(as_superuser, "runs_run", "cancel_runs", run.pk)
    run.refresh_from_db()
    assert (run.status, run.cancel_requested_at) == (RunStatus.COMPLETED, None)


def test_agents_leave_use_and_come_back(as_superuser, agents):
    key = next(iter(agents.values())).pk
    act(as_superuser, "runs_agent", "deactivate", key)
    assert not Agent.objects.get(pk=key).is_active
    act(as_superuser, "runs_agent", "activate", key)
    assert Agent.objects.get(pk=key).is_active


def test_trials_are_found_by_status_and_by_whose_fault_it_was(as_superuser, run):
    broken = run.trials.first()
    Trial.objects.filter(pk=broken.pk).update(status=TrialStatus.ERROR, fault="pack")
    url = reverse("admin:runs_trial_changelist")
    assert ids(as_superuser.get(url, {"status__exact": "error"})) == [broken.pk]
    assert ids(as_superuser.get(url, {"fault": "pack"})) == [broken.pk]
    assert ids(as_superuser.get(url, {"fault": "machine"})) == []


def test_curators_see_and_cancel_runs_of_their_own_teams_only(curator, run, their_run):
    client = client_of(curator)
    assert ids(client.get(reverse("admin:runs_run_changelist"))) == [run.pk]
    for kind, key in (("run", their_run.pk), ("trial", their_run.trials.first().pk)):
        assert client.get(reverse(f"admin:runs_{kind}_change", args=[key])).status_code == 302
    act(client, "runs_run", "cancel_runs", their_run.pk)
    their_run.refresh_from_db()
    assert their_run.cancel_requested_at is None


@pytest.mark.parametrize("kind", ["agent", "run", "runagent", "trial"])
def test_lists_take_as_many_queries_for_many_rows_as_for_few(
    as_superuser, administrator, version, agents, django_assert_max_num_queries, kind
):
    for _ in range(6):
        launch(administrator, version, list(agents.values())[:2])
    with django_assert_max_num_queries(12):
        assert as_superuser.get(reverse(f"admin:runs_{kind}_changelist")).status_code == 200


def test_signs_of_life_are_for_superusers_and_written_by_workers_alone(as_superuser, curator):
    beat = WorkerBeat.objects.create(name="one", seen_at=timezone.now(), started_at=timezone.now())
    assert ids(as_superuser.get(reverse("admin:runs_workerbeat_changelist"))) == [beat.pk]
    url = reverse("admin:runs_workerbeat_change", args=[beat.pk])
    assert as_superuser.get(url).status_code == 200
    assert as_superuser.post(url, {"name": "two"}).status_code == 403
    assert client_of(curator).get(url).status_code == 403
