import xml.etree.ElementTree as ElementTree

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from runs.jobs.trials.control import cancel
from runs.launch.launching import Options, launch
from runs.models import Agent, Grade
from runs.results.exporting import as_html, as_json, as_jsonl, as_junit
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

HOSTILE = 'no <script>alert(1)</script> & "quotes" \x01'


@pytest.fixture
def run(author, version, agents, team):
    hostile = Agent.objects.create(team=team, name="<b>", kind="scripted", config={"default": HOSTILE})
    broken = Agent.objects.create(team=team, name="broken", kind="scripted", config={"default": {"error": HOSTILE}})
    return work_off(launch(author, version, [agents["echo"], hostile, broken], Options(name="Nightly & more")))


def test_json_holds_the_run_and_every_trial_with_its_scorecard(run):
    document = orjson.loads(b"".join(as_json(run)))
    assert document["run"]["id"] == run.pk
    assert len(document["trials"]) == 9
    assert document["trials"][0]["scorecard"]["passed"] is True
    assert document["trials"][0]["grades"][0]["key"] == "answer"


def test_json_lines_are_one_trial_each(run):
    lines = b"".join(as_jsonl(run)).splitlines()
    assert [orjson.loads(line)["number"] for line in lines] == [1] * 9


def test_junit_counts_and_explains(run):
    tree = ElementTree.fromstring(b"".join(as_junit(run)))
    suites = {suite.get("name"): suite for suite in tree}
    assert (suites["echo"].get("tests"), suites["echo"].get("failures")) == ("3", "0")
    assert suites["<b>"].get("failures") == "3"
    failure = suites["broken"].find("testcase/failure")
    assert failure.get("type") == "agent"
    assert "<script>" in failure.get("message")
    assert suites["<b>"].find("testcase").get("classname") == "default"


@pytest.mark.parametrize("write", [as_json, as_junit])
def test_the_grades_of_many_failed_trials_are_read_together(author, version, team, write):
    agent = Agent.objects.create(team=team, name="wrong", kind="scripted", config={"default": "wrong"})
    run = work_off(launch(author, version, [agent]))
    with CaptureQueriesContext(connection) as queries:
        b"".join(write(run))
    assert sum('FROM "runs_grade"' in query["sql"] for query in queries.captured_queries) == 1


def test_junit_tells_of_graders_only_those_that_did_not_pass(run):
    trial = run.trials.get(run_agent__name="<b>", case_position=0)
    failed = trial.grades.get()
    Grade.objects.create(trial=trial, key="polite", kind=failed.kind, position=1, verdict="pass", reason="Says please.")
    suites = {suite.get("name"): suite for suite in ElementTree.fromstring(b"".join(as_junit(run)))}
    message = suites["<b>"].find("testcase/failure").get("message")
    assert message.startswith(f"{failed.key}: ")
    assert "polite" not in message


def test_junit_skips_what_was_never_run(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    cancel(run)
    [suite] = ElementTree.fromstring(b"".join(as_junit(run)))
    assert suite.get("skipped") == "3"
    assert len(suite.findall("testcase/skipped")) == 3


def test_the_page_shows_hostile_output_as_text(run):
    page = b"".join(as_html(run)).decode()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "Nightly &amp; more" in page
