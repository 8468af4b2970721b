from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from runs.launch.launching import Options, launch
from runs.models import Run, RunStatus
from runs.statistics.shares import Shares
from runs.views.results.runs import spell
from tests.runs.studio_packs import pack_text, publish_text

pytestmark = pytest.mark.django_db
URL = "runs:list"


def listed(client, **params):
    return [row["run"].name for row in client.get(reverse(URL), params).context["rows"]]


@pytest.fixture
def runs(author, agents, version, sets_version_of_another_pack):
    """A finished run, a waiting one, and one of another pack with another agent."""
    now = timezone.now()
    done = launch(author, version, [agents["echo"]], Options(name="first"))
    Run.objects.filter(pk=done.pk).update(
        status=RunStatus.COMPLETED,
        counts={"passed": 1, "failed": 2, "error": 4},
        started_at=now - timedelta(seconds=75),
        finished_at=now,
    )
    launch(author, version, [agents["echo"], agents["empty"]], Options(name="second"))
    launch(author, sets_version_of_another_pack, [agents["empty"]], Options(input_set="small", name="third"))


@pytest.fixture
def sets_version_of_another_pack(team, author):
    return publish_text(team, author, pack_text({"small": 1, "large": 2}, slug="letters"), slug="letters")


def test_the_newest_run_comes_first_with_its_numbers(as_author, runs):
    rows = as_author.get(reverse(URL)).context["rows"]
    assert [row["run"].name for row in rows] == ["third", "second", "first"]
    assert rows[2]["progress"].shares == Shares(passed=1, judged=3, planned=7)
    assert rows[2]["progress"].spent == "1 min 15 s"
    assert (rows[1]["progress"].ended, rows[1]["progress"].shares.planned) == (0, 6)


@pytest.mark.parametrize(
    ("params", "names"),
    [
        ({"status": "completed"}, ["first"]),
        ({"pack": "default/letters"}, ["third"]),
        ({"agent": "echo"}, ["second", "first"]),
        ({"q": "SECOND"}, ["second"]),
        ({"q": "small letters"}, ["third"]),
        ({"q": "nothing"}, []),
        ({"sort": "trials"}, ["third", "first", "second"]),
        ({"sort": "-time"}, ["first", "third", "second"]),
        ({"sort": "-share"}, ["first", "third", "second"]),
        ({"sort": "share", "agent": "echo"}, ["first", "second"]),
        ({"sort": "password", "page": "x"}, ["third", "second", "first"]),
    ],
)
def test_the_address_narrows_and_sorts_the_list(as_author, runs, params, names):
    assert listed(as_author, **params) == names


def test_the_pass_rate_follows_the_counts_both_ways(as_author, runs):
    Run.objects.filter(name="second").update(counts={"passed": 3, "failed": 4})
    Run.objects.filter(name="third").update(counts={"error": 9})
    assert listed(as_author, sort="-share") == ["second", "first", "third"]
    assert listed(as_author, sort="share") == ["first", "second", "third"]
    assert [run.pass_share for run in Run.objects.order_by("pk")] == [1 / 3, 3 / 7, None]
    assert all(run.pass_share == run.trial_shares.pass_rate for run in Run.objects.all())


def test_a_number_finds_the_run_of_that_number(as_author, runs):
    pk = Run.objects.get(name="second").pk
    assert "second" in listed(as_author, q=f"#{pk}")


def test_the_list_is_polled_only_while_a_run_is_active(as_author, runs):
    assert as_author.get(reverse(URL)).context["is_live"]
    assert not as_author.get(reverse(URL), {"status": "completed"}).context["is_live"]


def test_a_stranger_sees_no_runs(as_stranger, runs):
    page = as_stranger.get(reverse(URL))
    assert (page.context["rows"], page.context["packs"], list(page.context["agents"])) == ([], [], [])


def test_more_runs_need_no_more_queries(as_author, author, agents, version, django_assert_max_num_queries):
    for number in range(30):
        launch(author, version, [agents["echo"], agents["empty"]], Options(name=str(number)))
    with django_assert_max_num_queries(11):
        assert len(listed(as_author)) == 30


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.04, "0.0 s"), (12.4, "12 s"), (75, "1 min 15 s"), (3725, "1 h 2 min"), (-1, "0.0 s")]
)
def test_durations_are_short(seconds, words):
    assert spell(timedelta(seconds=seconds)) == words
