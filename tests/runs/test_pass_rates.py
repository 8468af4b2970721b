"""One run says one pass rate, wherever it is looked at."""

import io
import json
import re
from collections import Counter
from html import unescape
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from runs.jobs.trials.control import cancel
from runs.jobs.trials.progress import refresh
from runs.launch.launching import Options, launch
from runs.models import Run, Trial

pytestmark = [pytest.mark.django_db, pytest.mark.long]

# How the trials of the first and the second agent end, in the order of cases and numbers; `open` ones are cancelled.
SCENES = {
    "errors": (1, ["passed", "error", "error"], ["passed", "failed", "error"]),
    "errors only": (1, ["error", "error", "error"], ["passed", "failed", "failed"]),
    "undecided": (1, ["passed", "undecided", "passed"], ["undecided", "failed", "passed"]),
    "cancelled": (1, ["passed", "failed", "open"], ["passed", "open", "open"]),
    "several trials": (3, ["passed", "passed", "failed"] * 2 + ["failed"] * 3, ["passed", "failed", "error"] * 3),
    "all of it": (2, ["passed", "failed", "error", "undecided", "passed", "open"], ["open"] * 6),
    "everything judged": (1, ["passed", "passed", "failed"], ["passed"] * 3),
}


@pytest.fixture(params=SCENES, ids=lambda name: name.replace(" ", "_"))
def run(request, author, version, agents):
    """An ended run of two agents whose trials ended as the scene says."""
    trials, *ends = SCENES[request.param]
    run = launch(author, version, [agents["echo"], agents["reference"]], Options(trials=trials))
    now = timezone.now()
    for entry, statuses in zip(run.agents.order_by("position"), ends, strict=True):
        listed = Trial.objects.filter(run_agent=entry).order_by("case_position", "number")
        for trial, status in zip(listed, statuses, strict=True):
            if status != "open":
                Trial.objects.filter(pk=trial.pk).update(status=status, started_at=now, finished_at=now)
    if "open" in ends[0] + ends[1]:
        assert cancel(run)
    refresh(run.pk)
    run.refresh_from_db()
    assert run.finished_at is not None
    return run


def counted(run):
    """Passed, judged and planned trials of each agent, counted here."""
    found = {entry.pk: Counter() for entry in run.agents.order_by("position")}
    for agent, status in Trial.objects.filter(run=run).values_list("run_agent", "status"):
        found[agent][status] += 1
    return [(each["passed"], each["passed"] + each["failed"], each.total()) for each in found.values()]


def shares(passed, judged, planned):
    return (passed / judged if judged else None), judged / planned


@pytest.fixture
def expected(run):
    """Pass rate and coverage of each agent."""
    return [shares(*each) for each in counted(run)]


@pytest.fixture
def of_run(run):
    """Pass rate and coverage of the run."""
    return shares(*(sum(part) for part in zip(*counted(run), strict=True)))


def words(text):
    """What a person reads of a page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


def shown(passed, judged, planned):
    """A rate as lists show it."""
    rate = f"{100 * passed / judged:.0f} %" if judged else "–"
    return rate if judged == planned else f"{rate} {judged} of {planned} judged"


def rates(document):
    return document["pass_rate"], document["coverage"]


def exported(client, run, kind):
    answer = client.get(f"/api/v1/runs/{run.pk}/export/", {"as": kind})
    return b"".join(answer.streaming_content).decode()


def command(*arguments):
    out = io.StringIO()
    call_command("run", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_the_page_of_the_run(as_author, run, expected):
    page = as_author.get(reverse("runs:show", args=[run.pk]))
    cards = sorted(page.context["cards"], key=lambda card: card.agent.position)
    assert [(card.shares.pass_rate, card.shares.coverage) for card in cards] == expected
    text = words(page.content.decode())
    total = [sum(part) for part in zip(*counted(run), strict=True)]
    assert f"Pass rate {shown(*total)} Passed" in text
    assert f"{total[1]} of {total[2]} trials judged" in text
    for passed, judged, planned in counted(run):
        rate = shown(passed, judged, judged)
        assert f"Pass rate {rate} {passed} passed, {judged - passed} failed" in text
        assert (f"{judged} of {planned} trials" in text) == (judged < planned or total[1:] == [judged, planned])


@pytest.mark.parametrize("name", ["runs:list", "packs:catalogue"])
def test_lists_of_runs_and_of_packs(as_author, run, of_run, name):
    total = [sum(part) for part in zip(*counted(run), strict=True)]
    text = words(as_author.get(reverse(name)).content.decode())
    assert shown(*total) in text
    assert ("judged" in text) == (total[1] < total[2])
    assert Run.objects.get(pk=run.pk).pass_share == of_run[0]


def test_only_what_is_whole_is_coloured(as_author, run):
    total = [sum(part) for part in zip(*counted(run), strict=True)]
    listed = as_author.get(reverse("runs:list")).content.decode()
    assert bool(re.search("share--(green|amber|red)", listed)) == (total[1] == total[2])
    page = as_author.get(reverse("runs:show", args=[run.pk])).content.decode()
    assert page.count("share--part") >= sum(0 < judged < planned for _, judged, planned in counted(run))


def test_runs_side_by_side(as_author, run, expected):
    columns = as_author.get("/api/v1/runs/compare/", {"ids": run.pk}).json()["columns"]
    assert [rates(column) for column in columns] == expected
    text = words(as_author.get(reverse("runs:compare"), {"ids": run.pk}).content.decode())
    for passed, judged, planned in counted(run):
        plural = "" if judged == 1 else "s"
        assert f"{shown(passed, judged, planned)} {passed} of {judged} judged trial{plural} passed" in text


def test_the_summary_and_the_run_by_the_api(as_author, run, expected, of_run):
    summary = as_author.get(f"/api/v1/runs/{run.pk}/summary/").json()
    assert (rates(summary), [rates(agent) for agent in summary["agents"]]) == (of_run, expected)
    told = as_author.get(f"/api/v1/runs/{run.pk}/").json()
    assert (rates(told), [rates(agent["summary"]) for agent in told["agents"]]) == (of_run, expected)


def test_the_metric_of_success(as_author, run, expected):
    agents = as_author.get(f"/api/v1/runs/{run.pk}/metrics/").json()["agents"]
    found = [{metric["metric"]: metric for metric in agent["metrics"]}.get("success", {}) for agent in agents]
    assert [each.get("rate") for each in found] == [rate for rate, _ in expected]


def test_the_page_of_metrics(as_author, run):
    for entry, (passed, judged, _) in zip(run.agents.order_by("position"), counted(run), strict=True):
        page = as_author.get(reverse("runs:metrics", args=[run.pk]), {"agent": entry.pk})
        found = {drawn.measure.name: drawn.described[0] for drawn in page.context["metrics"]}
        assert found.get("success", "–") == shown(passed, judged, judged)


def test_exports(as_author, run, expected, of_run):
    document = json.loads(exported(as_author, run, "json"))
    assert (rates(document["run"]), [rates(agent["summary"]) for agent in document["run"]["agents"]]) == (
        of_run,
        expected,
    )
    lines = [json.loads(line) for line in exported(as_author, run, "jsonl").splitlines()]
    statuses = Counter(line["status"] for line in lines)
    assert shares(statuses["passed"], statuses["passed"] + statuses["failed"], statuses.total()) == of_run
    assert Counter(trial["status"] for trial in document["trials"]) == statuses


def test_the_export_for_pipelines(as_author, run, expected):
    for suite, (rate, coverage) in zip(
        ElementTree.fromstring(exported(as_author, run, "junit")), expected, strict=True
    ):
        told = {each.get("name"): float(each.get("value")) for each in suite.iter("property")}
        assert (told.get("pass_rate"), told["coverage"]) == (rate, coverage)
        tests, *others = (int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped"))
        passed = len(suite.findall("testcase")) - len(suite.findall("testcase/*"))
        assert (passed, tests) == (tests - sum(others), len(suite.findall("testcase")))
        assert (passed / (passed + others[0]) if passed + others[0] else None) == rate


def test_the_export_for_reading(as_author, run):
    text = words(exported(as_author, run, "html"))
    for passed, judged, planned in counted(run):
        assert f"{planned} {judged} {passed} {shown(passed, judged, judged)} {100 * judged / planned:.0f} %" in text


def test_the_command(run, expected, of_run):
    told = json.loads(command("show", run.pk, "--json"))
    assert (rates(told), [rates(agent["summary"]) for agent in told["agents"]]) == (of_run, expected)
    text = command("show", run.pk)
    for passed, judged, planned in counted(run):
        assert f"pass rate {shown(passed, judged, judged)} ({passed} of {judged} judged)" in text
        assert judged == planned or f"coverage {100 * judged / planned:.0f} % ({judged} of {planned} judged)" in text
