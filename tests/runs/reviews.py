"""Trials that people review, for tests."""

from django.contrib.auth.models import User

from packs.access import Role
from packs.models import Membership
from runs.launch.launching import launch
from runs.models import Agent, ReviewRequest
from tests.runs.suites import ANSWERS, publish_suite, task
from tests.runs.working import work_off

RUBRIC = "../_shared/rubrics/kindness.md"
LEVELS = b"- **4**: kind\n- **3**: friendly\n- **2**: polite\n- **1**: cold\n- **0**: rude\n"
TEXT = b"# Rubric: Kindness (0-4)\n\nHow kind the answer is.\n\n" + LEVELS
FILES = {"evals/_shared/rubrics/kindness.md": TEXT}


def reviewed_task(name="be-kind_1", **grader):
    """A task whose only critical grader passes, and whose answer people review."""
    people = {"type": "human_review", "rubric_paths": [RUBRIC], "assertions": ["It greets."], **grader}
    return task("open_ended", name, graders=[ANSWERS, people])


def begin_reviewed(team, user, *tasks, answer="It is done.", slug="suite", **options):
    """A run that has ended, of one agent that gives the same answer to everything."""
    agent = Agent.objects.create(
        team=team, name=f"agent of {slug}", kind="scripted", config={"default": {"output": answer}}
    )
    version = publish_suite(team, user, *(tasks or (reviewed_task(),)), slug=slug, **FILES)
    return work_off(launch(user, version, [agent], **options))


def requests_of(run):
    return list(ReviewRequest.objects.filter(trial__run=run))


def scores(kindness=4, greets=4):
    return {"kindness": kindness, "assertion 1": greets}


def reviewer(team, name):
    """A reviewer of a team by this name."""
    user = User.objects.create_user(name)
    Membership.objects.create(team=team, user=user, role=Role.REVIEWER)
    return user
