import pytest
from django.urls import reverse

from packs.publish import publish
from runs.models import Agent, Run, RunStatus
from tests.packs.drafts import draft_of

HOME = "studio:home"


@pytest.fixture
def version(team, author):
    return publish(draft_of(team), author)


def run_of(team, version, status):
    return Run.objects.create(team=team, version=version, name=status.value, status=status)


def done(response):
    return [step.done for step in response.context["steps"]]


def test_a_fresh_studio_shows_the_way_to_a_first_run(as_author):
    assert done(as_author.get(reverse(HOME))) == [False, False, False, False]


def test_steps_are_ticked_off_as_they_are_done(as_author, team, version):
    Agent.objects.create(team=team, name="Reference", kind="reference")
    assert done(as_author.get(reverse(HOME))) == [True, True, False, False]


def test_the_way_is_gone_after_the_first_finished_run(as_author, team, version):
    run_of(team, version, RunStatus.COMPLETED)
    assert as_author.get(reverse(HOME)).context["steps"] == []


def test_running_and_finished_runs_stand_apart(as_author, team, version):
    active = [run_of(team, version, status) for status in (RunStatus.PAUSED, RunStatus.RUNNING, RunStatus.SCORING)]
    failed = run_of(team, version, RunStatus.FAILED)
    context = as_author.get(reverse(HOME)).context
    assert (list(context["active"]), list(context["finished"])) == (active[::-1], [failed])


def test_it_polls_only_while_something_can_change(as_author, team, version):
    run_of(team, version, RunStatus.COMPLETED)
    polls = 'id="home-panels"\n     data-poll'
    assert polls not in as_author.get(reverse(HOME)).text
    run_of(team, version, RunStatus.RUNNING)
    assert polls in as_author.get(reverse(HOME)).text


def test_a_stranger_sees_nothing_of_another_team(as_stranger, team, version):
    run_of(team, version, RunStatus.RUNNING)
    context = as_stranger.get(reverse(HOME)).context
    assert [list(context[name]) for name in ("drafts", "active", "finished")] == [[], [], []]
