"""The bin: what is deleted is gone everywhere, comes back whole, and is protected where something needs it."""

from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.urls import reverse
from django.utils import timezone
from django_celery_beat.models import PeriodicTask

from packs.models import AuditEvent, Pack, SearchEntry
from packs.models.reindexing import comparisons, rebuild
from packs.publish import publish
from runs import bin as binned
from runs.bin import BinRefused, bring_back, delete, dependents, finish_purges, in_bin, purge, purge_old
from runs.launch.gating.scheduling import start_scheduled, task_name, tell_beat
from runs.launch.launching import Options, launch
from runs.launch.refusals import LaunchRefused
from runs.models import Agent, Gate, GateSchedule, GateSettings, Release, Run, RunAgent, SharedPage, Trial
from runs.models.trial_counts import TrialCount
from tests.people import client_of
from tests.runs.gated import gated_run, publish_suites
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(version, author, agents):
    made = launch(author, version, [agents["echo"]], Options())
    work_off(made)
    return Run.objects.get(pk=made.pk)


def test_a_deleted_run_is_gone_from_lists_addresses_and_search_until_it_is_brought_back(run, administrator):
    entries = SearchEntry.objects.filter(kind__in=("run", "trial")).count()
    client = client_of(administrator)
    page = reverse("runs:show", args=[run.pk])
    assert entries == 4
    assert "Trials: 3" in client.get(reverse("runs:delete", args=[run.pk])).content.decode()
    client.post(reverse("runs:delete", args=[run.pk]))
    trial = Trial.objects.filter(run=run).first()
    assert client.get(page).status_code == 404
    assert client.get(reverse("runs:trial", args=[trial.pk])).status_code == 404
    assert client.get(f"/api/v1/runs/{run.pk}/").status_code == 404
    assert f"#{run.pk}" not in client.get(reverse("runs:list")).content.decode()
    for _ in range(2):
        assert SearchEntry.objects.filter(kind__in=("run", "trial")).count() == 0
        assert all(kind.is_right for kind in comparisons())
        list(rebuild())
    shown = client.get(reverse("runs:bin", args=[run.team.slug])).content.decode()
    assert administrator.username in shown
    assert "30 days left" in shown
    client.post(reverse("runs:bin-act", args=[run.team.slug, "run", run.pk, "restore"]))
    assert client.get(page).status_code == 200
    assert SearchEntry.objects.filter(kind__in=("run", "trial")).count() == entries
    assert all(kind.is_right for kind in comparisons())
    assert {"run.deleted", "run.restored"} <= set(AuditEvent.objects.values_list("kind", flat=True))


def test_a_pack_takes_its_runs_with_it_and_brings_those_back(run, version, administrator, author, agents):
    other = launch(author, version, [agents["echo"]], Options())
    work_off(other)
    other = Run.objects.get(pk=other.pk)
    delete(other, administrator)
    pack = Pack.objects.get(pk=version.pack_id)
    delete(pack, administrator)
    assert not Run.objects.exists()
    assert client_of(administrator).get(reverse("packs:overview", args=[pack.team.slug, pack.slug])).status_code == 404
    with pytest.raises(LaunchRefused, match="bin"):
        launch(author, version, [agents["echo"]], Options())
    bring_back(Pack._base_manager.get(pk=pack.pk), administrator)
    assert [row.pk for row in Run.objects.all()] == [run.pk]


def test_a_run_of_a_release_and_one_that_has_not_ended_stay(run, version, administrator, author, agents):
    client = client_of(administrator)
    release = Release.objects.create(pack=version.pack, run=run, name="2.4.0")
    for row in (run, version.pack):
        with pytest.raises(BinRefused, match=r"2\.4\.0"):
            delete(row, administrator)
    client.post(reverse("runs:delete", args=[run.pk]))
    assert Run.objects.filter(pk=run.pk).exists()
    release.delete()
    waiting = launch(author, version, [agents["echo"]], Options())
    for row in (waiting, version.pack):
        with pytest.raises(BinRefused, match="has not ended"):
            delete(row, administrator)
    delete(run, administrator)


def test_what_was_brought_back_meanwhile_is_neither_purged_nor_brought_back_again(run, administrator):
    delete(run, administrator)
    found = Run._base_manager.get(pk=run.pk)
    bring_back(found, administrator)
    for act in (purge, bring_back):
        with pytest.raises(BinRefused, match="not in the bin any more"):
            act(found, administrator)
    assert Run.objects.filter(pk=run.pk).exists()
    assert AuditEvent.objects.filter(kind="run.restored").count() == 1


def test_every_public_link_that_shows_it_is_counted(run, version, team, administrator, author, agents):
    other = work_off(launch(author, version, [agents["echo"]], Options()))
    trial = run.trials.first()
    shown = [f"run:{run.pk}", f"comparison:{other.pk},{run.pk}@{other.pk}", f"replay:{trial.pk}"]
    for subject in [*shown, f"run:{other.pk}", f"replay:{other.trials.first().pk}"]:
        SharedPage.objects.create(team=team, subject=subject)
    SharedPage.objects.create(team=team, subject=f"run:{run.pk}", ended_at=timezone.now())
    assert (3, "Public links") in dependents(run)
    assert (5, "Public links") in dependents(Pack.objects.get(pk=version.pack_id))


def test_a_schedule_names_no_run_that_lies_in_the_bin(run, team, administrator, agents):
    row = GateSchedule.objects.create(
        pack=run.version.pack, agent=agents["echo"], last_run=run, last_started_at=timezone.now()
    )
    client, address = client_of(administrator), f"/api/v1/gate-schedules/{row.pk}/"
    page = reverse("runs:gate-schedule", args=[row.pk])
    assert client.get(address).json()["last_run"] == run.pk
    assert f'href="/runs/{run.pk}/"' in client.get(page).text
    delete(run, administrator)
    assert client.get(address).json()["last_run"] is None
    assert f'href="/runs/{run.pk}/"' not in client.get(page).text


def test_the_pinned_baseline_of_a_gate_stays(run, administrator):
    GateSettings.objects.create(pack=run.version.pack, gate=Gate.MERGE, section={"baseline": {"run_id": run.pk}})
    with pytest.raises(BinRefused, match="baseline of the gate"):
        delete(run, administrator)


def test_a_baseline_that_the_newest_version_names_stays(team, author, administrator):
    run = gated_run(author, publish_suites(team, author))
    pack = Pack.objects.get(pk=run.version.pack_id)
    pack.document["gates"]["nightly"] = {"baseline": {"policy": "pinned", "run_id": str(run.pk)}}
    pack.save()
    publish(pack, author)
    with pytest.raises(BinRefused, match="baseline of the gate Nightly"):
        delete(run, administrator)
    pack.document["gates"]["nightly"] = {}
    pack.save()
    publish(pack, author)
    delete(run, administrator)


def test_a_name_is_free_once_its_pack_is_in_the_bin(version, team, administrator, author):
    gone = Pack.objects.get(pk=version.pack_id)
    delete(gone, administrator)
    publish_text(team, author, pack_text({"default": 1}))
    with pytest.raises(BinRefused, match="Another pack"):
        bring_back(Pack._base_manager.get(pk=gone.pk), administrator)


def test_what_was_in_the_bin_for_long_is_purged_and_nothing_else(run, version, team, administrator, author):
    kept = publish_text(team, author, pack_text({"default": 1}, slug="kept"), slug="kept").pack
    recent = publish_text(team, author, pack_text({"default": 1}, slug="recent"), slug="recent").pack
    delete(version.pack, administrator)
    long_ago = timezone.now() - timedelta(days=31)
    Pack._base_manager.filter(deleted_at__isnull=False).update(deleted_at=long_ago)
    Run._base_manager.update(deleted_at=long_ago)
    delete(recent, administrator)
    purge_old()
    assert set(Pack._base_manager.values_list("slug", flat=True)) == {kept.slug, "recent"}
    assert not Run._base_manager.exists()
    assert not Trial.objects.exists()
    assert not TrialCount.objects.exists()
    assert all(kind.is_right for kind in comparisons())


def test_a_schedule_rests_while_its_pack_lies_in_the_bin_and_goes_on_when_it_is_back(
    run, version, administrator, author, agents
):
    schedule = GateSchedule.objects.create(pack=version.pack, agent=agents["echo"], gate="nightly", owner=author)
    tell_beat(schedule)
    client, address = client_of(administrator), f"/api/v1/gate-schedules/{schedule.pk}/"
    page = reverse("runs:gate-schedule", args=[schedule.pk])
    delete(version.pack, administrator)
    assert [client.get(each).status_code for each in (address, page)] == [404, 404]
    assert start_scheduled(schedule.pk) is None
    schedule.refresh_from_db()
    assert (schedule.trouble, schedule.last_started_at) == ("", None)
    bring_back(Pack._base_manager.get(pk=version.pack_id), administrator)
    assert [client.get(each).status_code for each in (address, page)] == [200, 200]
    assert start_scheduled(schedule.pk) is not None


def test_an_agent_goes_with_its_schedules_at_rest_and_comes_back(run, team, administrator, author, version, agents):
    agent, client = agents["echo"], client_of(administrator)
    schedule = GateSchedule.objects.create(pack=version.pack, agent=agent, gate="nightly", owner=author)
    asked = client.get(reverse("runs:agent-delete", args=[agent.pk])).text
    assert "Runs that it took part in, and that stay: 1" in asked
    assert "Schedules that rest until it is back: 1" in asked
    client.post(reverse("runs:agent-delete", args=[agent.pk]))
    assert client.get(reverse("runs:agent", args=[agent.pk])).status_code == 404
    assert not SearchEntry.objects.filter(kind="agent", ref=agent.pk).exists()
    assert start_scheduled(schedule.pk) is None
    page = reverse("runs:gate-schedule", args=[schedule.pk])
    assert "The agent echo is in the bin." in client.get(page).text
    assert client.get(f"/api/v1/gate-schedules/{schedule.pk}/").json()["next_at"] is None
    with pytest.raises(LaunchRefused, match="not an active agent"):
        launch(author, version, [Agent._base_manager.get(pk=agent.pk)])
    assert reverse("runs:agent", args=[agent.pk]) not in client.get(reverse("runs:configuration", args=[run.pk])).text
    assert "echo" in client.get(reverse("runs:bin", args=[team.slug])).text
    client.post(reverse("runs:bin-act", args=[team.slug, "agent", agent.pk, "restore"]))
    assert SearchEntry.objects.filter(kind="agent", ref=agent.pk).exists()
    assert start_scheduled(schedule.pk) is not None


def test_an_agent_leaves_for_ever_with_its_timetable_and_not_with_its_runs(run, administrator, version, agents):
    agent = agents["echo"]
    schedule = GateSchedule.objects.create(pack=version.pack, agent=agent, gate="nightly")
    tell_beat(schedule)
    delete(agent, administrator)
    Agent(team=agent.team, name=agent.name, kind="echo").save()
    gone = Agent._base_manager.get(pk=agent.pk)
    with pytest.raises(BinRefused, match="Another agent") as caught:
        bring_back(gone, administrator)
    assert [obstacle.code for obstacle in caught.value.obstacles] == ["name_is_taken"]
    Agent._base_manager.filter(pk=agent.pk).update(deleted_at=timezone.now() - timedelta(days=31))
    purge_old()
    assert not PeriodicTask.objects.filter(name=task_name(schedule)).exists()
    assert not GateSchedule.objects.exists()
    entry = RunAgent.objects.get(run=run)
    assert (entry.agent, entry.name) == (None, "echo")
    kinds = AuditEvent.objects.filter(kind__startswith="agent.").exclude(kind="agent.created")
    assert list(kinds.order_by("pk").values_list("kind", flat=True)) == ["agent.deleted", "agent.purged"]


def test_the_timetable_forgets_the_schedules_of_a_purged_pack(run, administrator, version, agents):
    schedule = GateSchedule.objects.create(pack=version.pack, agent=agents["echo"], gate="nightly")
    tell_beat(schedule)
    delete(version.pack, administrator)
    purge(Pack._base_manager.get(pk=version.pack_id), administrator)
    assert not PeriodicTask.objects.filter(name=task_name(schedule)).exists()


class Failing:
    """Lets the database fail once it was asked to delete trials so many times."""

    def __init__(self, after):
        self.left = after

    def __call__(self, execute, sql, params, many, context):
        if sql.startswith('DELETE FROM "runs_trial"'):
            self.left -= 1
            if self.left < 0:
                raise OperationalError("the disk went away")
        return execute(sql, params, many, context)


@pytest.mark.django_db(transaction=True)
def test_a_purge_that_was_cut_off_keeps_what_it_did_and_goes_on(run, team, administrator, monkeypatch):
    monkeypatch.setattr(binned, "BATCH", 2)
    delete(run, administrator)
    gone = Run._base_manager.get(pk=run.pk)
    with connection.execute_wrapper(Failing(1)), pytest.raises(OperationalError):
        purge(gone, administrator)
    assert Trial.objects.filter(run=run.pk).count() == 1
    assert not in_bin(team, "run").exists()
    for act in (bring_back, purge):
        with pytest.raises(BinRefused):
            act(gone, administrator)
    purge_old()
    assert not Run._base_manager.filter(pk=run.pk).exists()
    assert not Trial.objects.exists()
    assert AuditEvent.objects.filter(kind="run.purged").count() == 1


def test_workers_purge_and_index_what_is_too_large_for_a_request(
    run, version, team, administrator, monkeypatch, django_capture_on_commit_callbacks
):
    monkeypatch.setattr(binned, "AT_ONCE", 2)
    monkeypatch.setattr(binned, "BATCH", 2)
    client = client_of(administrator)
    entries = SearchEntry.objects.filter(kind="trial")
    with django_capture_on_commit_callbacks() as waiting:
        delete(run, administrator)
    assert (len(waiting), entries.count()) == (1, 3)
    binned.index_trials(run.pk)
    assert not entries.exists()
    with django_capture_on_commit_callbacks() as waiting:
        answer = client.post(reverse("runs:bin-act", args=[team.slug, "run", run.pk, "purge"]), follow=True)
    assert "is being deleted for ever" in answer.text
    assert (len(waiting), Run._base_manager.filter(pk=run.pk).exists()) == (1, True)
    finish_purges(team.pk)
    assert not Run._base_manager.filter(pk=run.pk).exists()
    assert Pack.objects.filter(pk=version.pack_id).exists()
