"""Old recordings go by the rule of a team; what they said stays, and what something needs stays whole."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from packs.models import AuditEvent, Team
from runs.jobs.scores.overruling import OverruleRefused, Wanted, overrule
from runs.launch.launching import launch
from runs.models import Event, GateSettings, Release, Rescore, ReviewRequest, Run, Trial
from runs.results.rescoring import RescoreRefused, ask_rescore
from runs.retention import forecast, remove_old
from tests.people import client_of
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def version(team, author):
    return publish_text(team, author, pack_text({"default": 2}))


def finished(version, author, agents, days):
    """A run of an agent that ended so many days ago."""
    run = work_off(launch(author, version, [agents["reference"]]))
    ended = timezone.now() - timedelta(days=days)
    Run.objects.filter(pk=run.pk).update(finished_at=ended)
    Trial.objects.filter(run=run).update(finished_at=ended)
    return Run.objects.get(pk=run.pk)


def keep_for(team, days):
    Team.objects.filter(pk=team.pk).update(recording_days=days)
    team.refresh_from_db()


def has_recordings(run):
    return Event.objects.filter(trial__run=run).exists()


def test_what_is_too_old_goes_and_its_verdict_stays(team, version, author, agents, as_author):
    old, young = finished(version, author, agents, 31), finished(version, author, agents, 29)
    before = as_author.get(f"/api/v1/runs/{old.pk}/").json()
    trial = old.trials.first()
    remove_old()
    assert has_recordings(old)
    keep_for(team, 30)
    goes = forecast(team, 30)
    assert (goes.runs, goes.trials, goes.events) == (1, 2, Event.objects.filter(trial__run=old).count())
    remove_old()
    assert (has_recordings(old), has_recordings(young)) == (False, True)
    after = as_author.get(f"/api/v1/runs/{old.pk}/").json()
    assert after.pop("recordings_removed_at") is not None
    assert before.pop("recordings_removed_at") is None
    assert after == before
    kept = Trial.objects.get(pk=trial.pk)
    assert (kept.status, kept.score, kept.final_output, kept.scorecard) == (
        trial.status,
        trial.score,
        trial.final_output,
        trial.scorecard,
    )
    assert kept.grades.count() == trial.grades.count() > 0
    [event] = AuditEvent.objects.filter(kind="sweep.recordings")
    assert event.changes == {"trials": 2, "older_than_days": 30}
    remove_old()
    assert AuditEvent.objects.filter(kind="sweep.recordings").count() == 1


def test_a_sweep_that_was_cut_off_is_gone_on_with(team, version, author, agents):
    run = finished(version, author, agents, 31)
    keep_for(team, 30)
    first = run.trials.first()
    Run.objects.filter(pk=run.pk).update(recordings_removed_at=timezone.now() - timedelta(days=1))
    Event.objects.filter(trial=first).delete()
    Trial.objects.filter(pk=first.pk).update(event_count=0)
    remove_old()
    assert not has_recordings(run)


@pytest.mark.parametrize("page", ["trial", "replay", "conversation", "artifacts", "stored"])
def test_every_page_of_the_trial_says_so(page, team, version, author, agents, as_author):
    run = finished(version, author, agents, 31)
    keep_for(team, 30)
    remove_old()
    answer = as_author.get(reverse(f"runs:{page}", args=[run.trials.first().pk]))
    assert answer.status_code == 200
    assert "The recording of this trial was removed" in answer.text
    assert "keeps them for 30 days" in answer.text


def test_it_is_neither_scored_again_nor_overruled(team, version, author, agents):
    run = finished(version, author, agents, 31)
    keep_for(team, 30)
    remove_old()
    run.refresh_from_db()
    with pytest.raises(RescoreRefused) as refused:
        ask_rescore(run, author)
    assert refused.value.code == "recordings_removed"
    trial = run.trials.first()
    with pytest.raises(OverruleRefused) as said:
        overrule(trial, author, Wanted(trial.grades.first().key, "fail", "It is wrong."))
    assert said.value.code == "not_judgeable"
    assert Trial.objects.get(pk=trial.pk).status == trial.status


def released(run):
    Release.objects.create(pack=run.version.pack, name="1.0", run=run)


def pinned(run):
    GateSettings.objects.create(pack=run.version.pack, gate="merge", section={"baseline": {"run_id": f"#{run.pk}"}})


def scored(run):
    Rescore.objects.create(run=run, version=run.version, trial_count=run.trial_count)


def reviewed(run):
    ReviewRequest.objects.create(trial=run.trials.first(), asked_at=timezone.now())


@pytest.mark.parametrize("need", [released, pinned, scored, reviewed])
def test_what_something_needs_is_kept(need, team, version, author, agents):
    run = finished(version, author, agents, 31)
    need(run)
    keep_for(team, 30)
    assert forecast(team, 30).runs == 0
    remove_old()
    assert has_recordings(run)


def test_the_page_of_the_team_says_first_what_would_go(team, version, author, administrator, agents):
    finished(version, author, agents, 31)
    client, page = client_of(administrator), reverse("studio:team", args=[team.slug])
    asked = {"name": team.name, "recording_days": "30"}
    first = client.post(page, asked)
    assert first.status_code == 422
    assert "those of 2 trials of 1 run," in first.text
    assert 'name="agreed" value="30"' in first.text
    team.refresh_from_db()
    assert team.recording_days is None
    assert client.post(page, {**asked, "agreed": "30"}).status_code == 302
    # A longer time removes nothing more.
    assert client.post(page, {**asked, "recording_days": "60"}).status_code == 302
    assert client.post(page, {**asked, "recording_days": "0"}).status_code == 422
    team.refresh_from_db()
    assert team.recording_days == 60
