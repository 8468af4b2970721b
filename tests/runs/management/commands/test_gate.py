"""`manage.py gate`."""

import io
import json
from xml.etree import ElementTree

import pytest
from django.core.management import call_command

from runs.launch.launching import Options, launch
from runs.models import Release
from tests.runs.gated import answering, gated_run, publish_suites

pytestmark = pytest.mark.django_db


def gate(*arguments):
    """Exit code and standard output of `manage.py gate`."""
    out = io.StringIO()
    try:
        call_command("gate", *map(str, arguments), stdout=out, stderr=io.StringIO())
    except SystemExit as ended:
        return ended.code, out.getvalue()
    return 0, out.getvalue()


def report(*arguments):
    code, text = gate(*arguments, "--json")
    return code, json.loads(text)


@pytest.fixture
def suites(team, author):
    return publish_suites(team, author)


def test_a_good_run_ends_with_0_and_a_bad_one_with_1(suites, author):
    good, bad = gated_run(author, suites), gated_run(author, suites, capital_1="Madrid")
    assert report("check", good.pk)[0] == 0
    code, found = report("check", bad.pk, "--gate", "merge", "--baseline", good.pk)
    assert (code, found["verdict"], found["baseline_run_id"]) == (1, "fail", str(good.pk))
    assert bad.gate_checks.get().pk == found["id"]


def test_a_gate_that_does_not_block_ends_with_0(suites, author):
    bad = gated_run(author, suites, capital_1="Madrid")
    code, found = report("check", bad.pk, "--gate", "nightly")
    assert (code, found["verdict"], found["blocking"]) == (0, "fail", False)


def test_a_needed_baseline_that_is_not_there_ends_with_3(suites, author):
    assert report("check", gated_run(author, suites).pk, "--gate", "release")[0] == 3


def test_a_release_is_compared_with_the_last_one(suites, author):
    old, new = gated_run(author, suites), gated_run(author, suites)
    assert report("release", old.pk, "--name", "1.0")[1]["name"] == "1.0"
    assert Release.objects.get().run == old
    assert report("check", new.pk, "--gate", "release")[1]["baseline_run_id"] == str(old.pk)


def test_a_run_that_does_not_end_in_time_ends_with_3(suites, author):
    run = launch(author, suites, [answering(suites)], Options(input_set="all"))
    code, found = report("check", run.pk, "--wait", "0.1")
    assert (code, found["error"]["code"]) == (3, "run_not_ended")


@pytest.mark.parametrize("arguments", [("99999",), ("nothing.json",)])
def test_what_is_not_there_ends_with_2(db, arguments):
    assert report("check", *arguments)[0] == 2


def test_junit_is_written_for_the_pipeline(suites, author, tmp_path):
    bad = gated_run(author, suites, capital_1="Madrid")
    gate("check", bad.pk, "--junit", tmp_path / "gate.xml")
    root = ElementTree.parse(tmp_path / "gate.xml").getroot()
    assert root.find(".//testcase[@name='capital_1']/failure") is not None


def test_another_policy_is_tried_and_nothing_is_kept(suites, author, tmp_path):
    bad = gated_run(author, suites, incident_1="Madrid")
    (tmp_path / "policy.yml").write_text("suite_thresholds: {failure_replays: null}\n")
    assert report("check", bad.pk, "--policy", tmp_path / "policy.yml")[0] == 0
    assert not bad.gate_checks.exists()


def test_a_policy_that_makes_no_sense_ends_with_2(suites, author, tmp_path):
    (tmp_path / "policy.yml").write_text("suite_thresholds: {golden: 3}\n")
    code, found = report("check", gated_run(author, suites).pk, "--policy", tmp_path / "policy.yml")
    assert (code, found["error"]["code"]) == (2, "invalid_policy")


def test_runs_that_are_files_are_compared_without_rows(tmp_path):
    def write(name, state):
        task = {"task_id": "g", "suite": "golden", "trials": [{"state": state}]}
        (tmp_path / name).write_text(json.dumps({"tasks": [task]}))
        return tmp_path / name

    before, after = write("before.json", "passed"), write("after.json", "failed")
    (tmp_path / "policy.yml").write_text("must_include_suites: [golden]\n")
    code, found = report("check", after, "--baseline", before, "--policy", tmp_path / "policy.yml")
    assert (code, found["verdict"]) == (1, "fail")
    assert report("check", before, "--policy", tmp_path / "policy.yml")[0] == 0


def test_the_person_at_a_terminal_reads_what_failed(suites, author):
    code, text = gate("check", gated_run(author, suites, capital_1="Madrid").pk)
    assert code == 1
    assert "golden_regression" in text
    assert "capital_1" in text


def test_a_run_for_a_gate_that_nobody_works_off_ends_with_3(suites, author):
    answering(suites, "agent")
    code, found = report("start", "capitals", "--agent", "agent", "--branch", "main", "--wait", "0.1")
    assert (code, found["error"]["code"]) == (3, "run_not_ended")
    assert suites.runs.get().metadata == {"branch": "main"}
