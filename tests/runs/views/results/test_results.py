import json
import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from packs.access import Role
from runs.jobs.trials.progress import count_again
from runs.launch.launching import Options, launch
from runs.models import Agent, Ranking, Run, RunStatus, Trial, TrialStatus, WorkerBeat
from tests.people import client_of, make_member
from tests.runs.evals import eval_test, publish_evals
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.suites import publish_suite, task
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(author, agents, version):
    return launch(author, version, [agents["empty"], agents["reference"]], Options(name="both", trials=2))


def show(client, run, **params):
    return client.get(reverse("runs:show", args=[run.pk]), params)


def test_a_run_that_waits_without_a_worker_says_so(as_author, run):
    page = show(as_author, run)
    assert page.context["is_active"]
    assert page.context["no_worker"]
    assert b'id="no-worker"' in page.content
    WorkerBeat.objects.create(name="w", seen_at=timezone.now(), started_at=timezone.now(), slots=2)
    assert not show(as_author, run).context["no_worker"]


def test_only_an_active_run_is_polled_and_the_poll_brings_both_parts(as_author, run):
    part = as_author.get(reverse("runs:show", args=[run.pk]), headers={"HX-Request": "true"}).content
    assert b"run-poll" in part
    assert b'id="run-summary"' in part
    assert b'id="run-grid" hx-swap-oob="morph"' in b" ".join(part.split())
    work_off(run)
    assert b"run-poll" not in show(as_author, run).content


def test_the_best_agent_comes_first_with_the_reason(as_author, run):
    work_off(run)
    page = show(as_author, run)
    assert [card.agent.name for card in page.context["cards"]] == ["reference", "empty"]
    best, worst = page.context["cards"]
    assert (best.shares.pass_rate, best.score, best.is_winner) == (1.0, 1.0, True)
    assert (worst.shares.pass_rate, worst.counts["failed"], worst.is_winner) == (0.0, 6, False)
    assert page.context["verdict"]["name"] == "reference"
    assert page.context["verdict"]["code"] == "overall_score"


@pytest.mark.parametrize(
    ("status", "tone"), [("passed", "green"), ("error", "amber"), ("undecided", "amber"), ("cancelled", "amber")]
)
def test_who_is_ahead_is_green_only_where_every_trial_was_judged(as_author, run, status, tone):
    work_off(run)
    best = run.agents.get(name="reference")
    Trial.objects.filter(run_agent=best, case_position=2, number=1).update(status=status)
    count_again(run.pk, best.pk)
    page = show(as_author, run).content.decode()
    assert re.search(rf'notice notice--{tone}">\s*<svg.*?reference is ahead', page, re.DOTALL)
    assert f'chip--{tone}"><svg' in re.search(r"<span[^>]*>(?:(?!<span).)*<span class=\"chip__word\">Ahead", page)[0]


def test_each_case_shows_every_trial_of_each_agent_in_the_order_of_the_agents(as_author, run):
    work_off(run)
    rows = show(as_author, run).context["rows"]
    assert [row.key for row in rows] == ["case-0000", "case-0001", "case-0002"]
    assert [list(cell.statuses) for cell in rows[0].cells] == [["passed"] * 2, ["failed"] * 2]


def joined(row):
    """What the trials of each agent say together."""
    return [cell.joint for cell in row.cells]


def test_where_the_pack_says_so_the_trials_of_a_case_make_one_verdict(team, agents):
    user = make_member(team, Role.CURATOR)
    version = publish_suite(team, user, task(reference_solution="done"), task(name="asks_1", trials={"k": 2}))
    run = work_off(launch(user, version, [agents["empty"], agents["reference"]], Options(input_set="golden")))
    rows = client_of(user).get(reverse("runs:show", args=[run.pk])).context["rows"]
    told = {row.key: [(joint.name, joint.verdict, joint.c, joint.n) for joint in joined(row)] for row in rows}
    assert sorted(told["say-done_1"]) == [("pass^3", "fail", 0, 3), ("pass^3", "pass", 3, 3)]
    # An agent that has no answer to give makes errors, which are not valid trials.
    assert sorted(told["asks_1"]) == [("pass^2", "fail", 0, 2), ("pass^2", "incomplete", 0, 0)]


@pytest.mark.parametrize(("strategy", "verdicts"), [("mean", ["fail", "pass"]), ("confidence_interval", ["fail"] * 2)])
def test_scores_of_several_trials_make_one_verdict_by_the_rule_of_the_pack(team, strategy, verdicts):
    user = make_member(team, Role.CURATOR)
    suite = {"trials": {"count": 2, "strategy": strategy}, "threshold": 0.5}
    run = launch(user, publish_evals(team, user, eval_test("a"), **suite), [speaker(team, "x"), speaker(team, "y")])
    work_off(run)
    # The second trial of y missed, which leaves it a mean of one half and no certain score at all.
    run.trials.filter(run_agent__name="x").update(status="failed", score=0.0)
    run.trials.filter(run_agent__name="y", number=2).update(status="failed", score=0.0)
    [row] = client_of(user).get(reverse("runs:show", args=[run.pk])).context["rows"]
    assert sorted(joint.verdict for joint in joined(row)) == verdicts
    assert sorted(joint.score for joint in joined(row)) == [0.0, 0.5 if strategy == "mean" else 0.0]


def speaker(team, name):
    return Agent.objects.create(team=team, name=name, kind="scripted", config={"default": {"output": "done"}})


def test_the_grid_is_narrowed_by_status_and_case(as_author, run):
    work_off(run)
    Trial.objects.filter(run=run, case_position=1, number=1).update(status=TrialStatus.ERROR, fault="pack")
    assert [row.key for row in show(as_author, run, status="error").context["rows"]] == ["case-0001"]
    assert [row.key for row in show(as_author, run, q="0002").context["rows"]] == ["case-0002"]
    assert show(as_author, run, q="nothing").context["rows"] == []
    totals = {facet.label: facet.total for facet in show(as_author, run).context["statuses"]}
    assert totals == {"Passed": 5, "Failed": 5, "Error": 2}


def test_a_long_run_is_shown_page_by_page_without_more_queries(as_author, team, author, agents):
    def shown(slug, cases, **query):
        version = publish_text(team, author, pack_text({"default": cases}), slug=slug)
        run = launch(author, version, [agents["echo"]])
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            page = show(as_author, run, **query)
        return [row.key for row in page.context["rows"]], len(queries)

    # What is kept of earlier pages helps neither.
    _, few = shown("short", 3)
    keys, many = shown("long", 120, page=3)
    assert (len(keys), keys[-1]) == (20, "case-0119")
    assert many <= few


def test_cancelling_stops_what_waits(as_author, run):
    as_author.post(reverse("runs:cancel", args=[run.pk]))
    run.refresh_from_db()
    assert run.status == RunStatus.CANCELLED
    assert run.counts == {"cancelled": 12}


def test_run_again_makes_the_same_choice(as_author, run):
    as_author.post(reverse("runs:again", args=[run.pk]))
    again = Run.objects.exclude(pk=run.pk).get()
    assert (again.version, again.input_set, again.trials_per_case) == (run.version, run.input_set, 2)
    assert again.selection == "only_one"
    assert [entry.name for entry in again.agents.all()] == ["empty", "reference"]


def test_run_again_leads_to_the_launch_page_where_it_is_refused(as_author, run, agents):
    Agent.objects.filter(pk=agents["empty"].pk).update(is_active=False)
    answer = as_author.post(reverse("runs:again", args=[run.pk]))
    assert answer.url.startswith(reverse("runs:new"))
    assert as_author.get(answer.url).status_code == 200
    assert Run.objects.count() == 1


def test_the_configuration_is_that_of_the_launch(as_author, run, agents):
    Agent.objects.filter(pk=agents["empty"].pk).update(config={"changed": True})
    page = as_author.get(reverse("runs:configuration", args=[run.pk]))
    assert [json.loads(agent["config"]) for agent in page.context["agents"]] == [{}, {}]
    assert run.version.digest.encode() in page.content
    assert b"only_one" in page.content


@pytest.mark.parametrize(("kind", "start"), [("json", b"{"), ("jsonl", b"{"), ("junit", b"<?xml"), ("html", b"<!")])
def test_results_are_downloaded_as_files(as_author, run, kind, start):
    answer = as_author.get(reverse("runs:export", args=[run.pk, kind]))
    assert answer["Content-Disposition"].startswith("attachment")
    assert b"".join(answer.streaming_content).lstrip().startswith(start)


def test_an_unknown_kind_of_export_is_not_found(as_author, run):
    assert as_author.get(reverse("runs:export", args=[run.pk, "pdf"])).status_code == 404


@pytest.mark.parametrize("name", ["show", "configuration"])
def test_readers_read_and_strangers_find_nothing(as_stranger, team, run, name):
    assert as_stranger.get(reverse(f"runs:{name}", args=[run.pk])).status_code == 404
    assert client_of(make_member(team, Role.VIEWER)).get(reverse(f"runs:{name}", args=[run.pk])).status_code == 200


@pytest.mark.parametrize("name", ["cancel", "again"])
def test_only_who_may_run_acts(as_stranger, team, run, name):
    url = reverse(f"runs:{name}", args=[run.pk])
    assert as_stranger.post(url).status_code == 404
    assert client_of(make_member(team, Role.VIEWER)).post(url).status_code == 403
    assert Run.objects.get().cancel_requested_at is None


def test_a_run_that_waits_for_its_rankings_says_how_far_they_are(as_author, author, version, agents):
    run = launch(author, version, [agents["echo"], agents["reference"]])
    assert as_author.get(reverse("runs:show", args=[run.pk])).context["ranking"] == {}
    Run.objects.filter(pk=run.pk).update(status=RunStatus.SCORING)
    Ranking.objects.create(run=run, case_position=0, finished_at=timezone.now())
    Ranking.objects.create(run=run, case_position=1)
    assert as_author.get(reverse("runs:show", args=[run.pk])).context["ranking"] == {"total": 2, "done": 1}


def test_what_judges_used_up_is_shown_beside_the_agent(as_author, author, version, agents):
    run = work_off(launch(author, version, [agents["echo"]]))
    entry = run.agents.get()
    entry.summary["judging"] = {"calls": 4.0, "tokens": 40.0, "cost_usd": None}
    entry.save()
    [card] = as_author.get(reverse("runs:show", args=[run.pk])).context["cards"]
    assert card.judging == entry.summary["judging"]
