"""One run says one pass rate, wherever it is looked at."""

import io
import json
import re
from collections import Counter
from contextlib import suppress
from html import unescape
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from packs.formats.archives import read_path
from packs.importing import import_pack
from packs.importing.samples import SAMPLES
from packs.publish import publish
from runs.jobs.trials.control import cancel
from runs.jobs.trials.progress import refresh
from runs.launch.launching import Options, launch
from runs.models import Agent, Run, Trial
from runs.statistics.shares import spelled
from tests.runs.working import work_off

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


# A sample of each format: its pack, an input set with few cases, and a file that gets a judge whom nobody answers for.
SAMPLE_PACKS = {
    "challenge_pack": ("refund-desk", "", ""),
    "benchmark_pack": ("parcel-quiz", "", ""),
    "task_suite": ("reading-room", "golden", ""),
    "agentv": ("library-desk", "", "evals/cases/late-letter/case.yaml"),
}
JUDGE = b"  - {name: tone, type: llm-grader, prompt: Is it kind?}\n"


def staged(scene, author, version, agents):
    """An ended run of two agents whose trials ended as the scene says."""
    trials, *ends = SCENES[scene]
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


def tried(name, team, author, agents):
    """An ended run of a sample, with agents that answer right, wrong, not at all and not to every case, twice each."""
    pack, chosen, judged = SAMPLE_PACKS[name]
    files, _ = read_path(SAMPLES / pack)
    if judged:
        files[judged] = files[judged].replace(b"metadata:\n", JUDGE + b"metadata:\n")
    version = publish(import_pack(team, author, files, pack, slug=pack), author)
    assert version.pack.format == name
    keys = version.cases.filter(**({"input_set__key": chosen} if chosen else {})).values_list("key", flat=True)
    answers = [{"case_key": key, "output": "I do not know."} for key in keys[1:]]
    others = [("breaks", "http", {"address": "http://127.0.0.1:9/", "max_retries": 0})]
    others.append(("knows some", "recorded", {"outputs": answers}))
    made = [Agent.objects.create(team=team, name=agent, kind=kind, config=config) for agent, kind, config in others]
    entered = [agents["reference"], agents["echo"], *made]
    return work_off(launch(author, version, entered, Options(input_set=chosen, trials=2)))


def counted(run):
    """Passed, judged and planned trials of each agent, counted here."""
    found = {entry.pk: Counter() for entry in run.agents.order_by("position")}
    for agent, status in Trial.objects.filter(run=run).values_list("run_agent", "status"):
        found[agent][status] += 1
    return [(each["passed"], each["passed"] + each["failed"], each.total()) for each in found.values()]


def shares(passed, judged, planned):
    return (passed / judged if judged else None), judged / planned


def by_agent(run):
    """Pass rate and coverage of each agent."""
    return [shares(*each) for each in counted(run)]


def total(run):
    """Passed, judged and planned trials of the run."""
    return [sum(part) for part in zip(*counted(run), strict=True)]


def of_run(run):
    """Pass rate and coverage of the run."""
    return shares(*total(run))


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
    # A gate that does not pass ends with a code of its own.
    with suppress(SystemExit):
        call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def the_page_of_the_run(client, run):
    page = client.get(reverse("runs:show", args=[run.pk]))
    cards = sorted(page.context["cards"], key=lambda card: card.agent.position)
    assert [(card.shares.pass_rate, card.shares.coverage) for card in cards] == by_agent(run)
    text = words(page.content.decode())
    assert f"Pass rate {shown(*total(run))} Passed" in text
    assert f"{total(run)[1]} of {total(run)[2]} trials judged" in text
    for passed, judged, planned in counted(run):
        rate = shown(passed, judged, judged)
        assert f"Pass rate {rate} {passed} passed, {judged - passed} failed" in text
        assert (f"{judged} of {planned} trials" in text) == (judged < planned or total(run)[1:] == [judged, planned])


def lists_of_runs_and_of_packs(client, run):
    for name in ("runs:list", "packs:catalogue"):
        text = words(client.get(reverse(name)).content.decode())
        assert shown(*total(run)) in text, name
        assert ("judged" in text) == (total(run)[1] < total(run)[2]), name
    assert Run.objects.get(pk=run.pk).pass_share == of_run(run)[0]


def only_what_is_whole_is_coloured(client, run):
    listed = client.get(reverse("runs:list")).content.decode()
    assert bool(re.search("share--(green|amber|red)", listed)) == (total(run)[1] == total(run)[2])
    page = client.get(reverse("runs:show", args=[run.pk])).content.decode()
    assert page.count("share--part") >= sum(0 < judged < planned for _, judged, planned in counted(run))


def runs_side_by_side(client, run):
    columns = client.get("/api/v1/runs/compare/", {"ids": run.pk}).json()["columns"]
    assert [rates(column) for column in columns] == by_agent(run)
    text = words(client.get(reverse("runs:compare"), {"ids": run.pk}).content.decode())
    for passed, judged, planned in counted(run):
        plural = "" if judged == 1 else "s"
        assert f"{shown(passed, judged, planned)} {passed} of {judged} judged trial{plural} passed" in text


def the_summary_and_the_run_by_the_api(client, run):
    summary = client.get(f"/api/v1/runs/{run.pk}/summary/").json()
    assert (rates(summary), [rates(agent) for agent in summary["agents"]]) == (of_run(run), by_agent(run))
    told = client.get(f"/api/v1/runs/{run.pk}/").json()
    assert (rates(told), [rates(agent["summary"]) for agent in told["agents"]]) == (of_run(run), by_agent(run))


def the_metric_of_success(client, run):
    agents = client.get(f"/api/v1/runs/{run.pk}/metrics/").json()["agents"]
    found = [{metric["metric"]: metric for metric in agent["metrics"]}.get("success", {}) for agent in agents]
    assert [each.get("rate") for each in found] == [rate for rate, _ in by_agent(run)]
    rows = client.get(reverse("runs:metrics", args=[run.pk])).context["metrics"]
    cells = {row["name"]: row["cells"] for row in rows}.get("success")
    for place, (passed, judged, _) in enumerate(counted(run)):
        assert (cells[place].main if cells else "–") == shown(passed, judged, judged)


def exports(client, run):
    document = json.loads(exported(client, run, "json"))
    found = rates(document["run"]), [rates(agent["summary"]) for agent in document["run"]["agents"]]
    assert found == (of_run(run), by_agent(run))
    lines = [json.loads(line) for line in exported(client, run, "jsonl").splitlines()]
    statuses = Counter(line["status"] for line in lines)
    assert shares(statuses["passed"], statuses["passed"] + statuses["failed"], statuses.total()) == of_run(run)
    assert Counter(trial["status"] for trial in document["trials"]) == statuses


def the_export_for_pipelines(client, run):
    suites = ElementTree.fromstring(exported(client, run, "junit"))
    for suite, (rate, coverage) in zip(suites, by_agent(run), strict=True):
        told = {each.get("name"): float(each.get("value")) for each in suite.findall("properties/property")}
        assert (told.get("pass_rate"), told["coverage"]) == (rate, coverage)
        tests, *others = (int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped"))
        left = [case for case in suite.findall("testcase") if any(case.find(end) is not None for end in ENDS)]
        passed = len(suite.findall("testcase")) - len(left)
        assert (passed, tests) == (tests - sum(others), len(suite.findall("testcase")))
        assert (passed / (passed + others[0]) if passed + others[0] else None) == rate


def the_export_for_reading(client, run):
    text = words(exported(client, run, "html"))
    for passed, judged, planned in counted(run):
        assert f"{planned} {judged} {passed} {shown(passed, judged, judged)} {100 * judged / planned:.0f} %" in text


def the_command(client, run):
    told = json.loads(command("run", "show", run.pk, "--json"))
    assert (rates(told), [rates(agent["summary"]) for agent in told["agents"]]) == (of_run(run), by_agent(run))
    text = command("run", "show", run.pk)
    for passed, judged, planned in counted(run):
        assert f"pass rate {shown(passed, judged, judged)} ({passed} of {judged} judged)" in text
        assert judged == planned or f"coverage {100 * judged / planned:.0f} % ({judged} of {planned} judged)" in text


def checks_of_gates(client, run):
    """Their share is that of tasks in a suite; it is the same at every door."""
    for entry in run.agents.all():
        wanted = {"gate": "merge", "agent": entry.name}
        report = json.loads(
            command("gate", "check", run.pk, "--gate", "merge", "--agent", entry.name, "--baseline", "none", "--json")
        )
        told = client.post(f"/api/v1/runs/{run.pk}/gate-checks/", wanted, content_type="application/json").json()
        assert told["suites"] == report["suites"]
        text = words(client.get(reverse("runs:gate-check", args=[told["id"]])).content.decode())
        for suite in report["suites"].values():
            passed, members = suite["passed"], suite["members"]
            assert suite["pass_rate"] == passed / members
            assert f"{spelled(passed / members)} {passed} of {members} passed" in text


# How a case of JUnit ends that did not pass.
ENDS = ("failure", "error", "skipped")
SURFACES = (
    the_page_of_the_run,
    lists_of_runs_and_of_packs,
    only_what_is_whole_is_coloured,
    runs_side_by_side,
    the_summary_and_the_run_by_the_api,
    the_metric_of_success,
    exports,
    the_export_for_pipelines,
    the_export_for_reading,
    the_command,
)


@pytest.mark.parametrize("scene", SCENES, ids=lambda name: name.replace(" ", "_"))
def test_the_rate_of_a_run_is_the_same_everywhere_however_its_trials_ended(scene, author, version, agents, as_author):
    run = staged(scene, author, version, agents)
    for surface in SURFACES:
        surface(as_author, run)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", SAMPLE_PACKS)
def test_real_trials_of_every_format_have_one_rate_everywhere(name, team, author, agents, as_author, local_endpoints):
    run = tried(name, team, author, agents)
    assert set(run.counts) >= {"passed", "failed", "error", "cancelled"}
    for surface in (*SURFACES, checks_of_gates):
        surface(as_author, run)
