"""What waits for a worker."""

from datetime import timedelta

import pytest
from django.utils import timezone

from packs.models import Job
from runs.jobs.trials.control import pause
from runs.launch.launching import launch
from runs.models import Agent, Run
from studio.metrics.queues import queues
from tests.runs.studio_packs import pack_text, publish_text

pytestmark = pytest.mark.django_db


def waiting():
    return {one.name: (one.depth, one.seconds > 3000) for one in queues()}


def test_nothing_waits_in_an_empty_studio():
    assert waiting() == dict.fromkeys(("trials", "runs", "jobs"), (0, False))


def test_jobs_wait_since_they_were_made(team, author):
    job = Job.objects.create(kind="look", team=team, user=author)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(hours=1))
    Job.objects.create(kind="look", team=team, user=author)
    assert waiting()["jobs"] == (2, True)


def test_trials_wait_since_their_run_was_made_and_those_of_a_paused_run_do_not(team, author):
    agent = Agent.objects.create(team=team, name="one", kind="scripted")
    run = launch(author, publish_text(team, author, pack_text({"default": 3})), [agent])
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(hours=1))
    assert waiting() == {"trials": (3, True), "runs": (1, True), "jobs": (0, False)}
    pause(run)
    assert waiting() == {"trials": (0, False), "runs": (0, False), "jobs": (0, False)}
