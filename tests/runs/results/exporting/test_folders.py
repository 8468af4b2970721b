"""Run folders of AgentV out of the studio and back into it."""

import io
import zipfile
from pathlib import Path

import orjson
import pytest

from packs.access import Role
from packs.importing import import_pack
from packs.publish import publish
from runs.launch.launching import Options, launch
from runs.models import Agent
from runs.results.exporting import EXPORTS
from runs.results.importing import import_records, look, read_records
from tests.people import make_member
from tests.runs.evals import eval_test, publish_evals
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

SUITE = b"""\
$schema: agentv-eval-v2
name: parcels
tests:
  - id: found
    criteria: Names the place.
    input: Where is PX-1?
    metadata: {source_row: 1}
    assertions:
      - {type: contains, value: hub, weight: 2}
      - name: gate
        type: composite
        aggregator: {type: weighted_average}
        assertions: [{name: a, type: contains, value: h}]
  - id: lost
    criteria: Names the place.
    input: Where is PX-2?
    assertions:
      - {name: looked, type: tool-trajectory, mode: any_order, minimums: {look: 1}}
      - {type: contains, value: depot}
"""
CALL = {
    "type": "tool.call.completed",
    "payload": {"tool_name": "look", "arguments": {"q": 1}, "result": {"content": "hub"}},
}
ANSWERS = {"default": {"output": "At the hub", "events": [CALL]}}


@pytest.fixture
def suite(team, author):
    """A published pack of one suite."""
    return publish(import_pack(team, author, {"parcels.eval.yaml": SUITE}, "parcels"), author)


@pytest.fixture
def run(team, author, suite):
    agent = Agent.objects.create(team=team, name="scout", kind="scripted", config=ANSWERS)
    return work_off(launch(author, suite, [agent]))


def files_of(run, kind):
    with zipfile.ZipFile(io.BytesIO(b"".join(EXPORTS[kind][0](run)))) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def rows_of(files):
    return {row["test_id"]: row for row in map(orjson.loads, files["index.jsonl"].splitlines())}


@pytest.mark.parametrize("kind", ["agentv", "agentv-pinned"])
def test_a_run_goes_out_with_its_scores_checks_and_members(run, kind):
    rows = rows_of(files_of(run, kind))
    assert {key: (row["score"], row["execution_status"]) for key, row in rows.items()} == {
        "found": (1.0, "ok"),
        "lost": (0.5, "quality_failure"),
    }
    assert (rows["found"]["suite"], rows["found"]["target"], rows["found"]["metadata"]) == (
        "parcels",
        "scout",
        {"source_row": 1},
    )
    first, second = rows["found"]["scores"]
    assert (first["name"], first["type"], first["weight"], first["verdict"]) == ("contains-hub", "contains", 2, "pass")
    assert [check["passed"] for check in first["assertions"]] == [True]
    assert [member["name"] for member in second["scores"]] == ["a"]


def test_the_transcript_holds_what_was_asked_called_and_answered(run):
    files = files_of(run, "agentv-pinned")
    lines = files[rows_of(files)["lost"]["transcript_path"]].splitlines()
    asked, answered = map(orjson.loads, lines)
    assert (asked["role"], asked["content"]) == ("user", "Where is PX-2?")
    [call] = answered["tool_calls"]
    assert (answered["content"], call["tool"], call["input"], call["output"]) == ("At the hub", "look", {"q": 1}, "hub")


@pytest.mark.parametrize("kind", ["agentv", "agentv-pinned"])
def test_what_went_out_comes_back_as_the_same_trials(run, kind, suite, author):
    data = b"".join(EXPORTS[kind][0](run))
    found = look(suite, read_records("run.zip", data))
    assert (found.findings, found.agents, found.cases) == ([], {"scout": 2}, {"found": 1, "lost": 1})
    again = work_off(import_records(found, author))
    assert rows_scores(again) == rows_scores(run)
    assert {trial.run_agent.kind for trial in again.trials.all()} == {"recorded"}
    types = set(again.trials.get(case_key="lost").events.values_list("event_type", flat=True))
    assert "tool.call.completed" in types


def rows_scores(run):
    return {
        key: (row["score"], [score["score"] for score in row["scores"]])
        for key, row in rows_of(files_of(run, "agentv")).items()
    }


def test_a_trial_that_broke_says_how(team, author, suite):
    agent = Agent.objects.create(
        team=team, name="broken", kind="scripted", config={"default": {"error": "It fell over."}}
    )
    row = rows_of(files_of(work_off(launch(author, suite, [agent])), "agentv"))["found"]
    assert (row["execution_status"], row["failure_stage"], row["failure_reason_code"]) == (
        "execution_error",
        "agent",
        "provider_error",
    )
    assert (row["score"], row["error"]) == (0.0, "It fell over.")


def test_a_run_of_another_format_goes_out_too(author, version, agents):
    files = files_of(work_off(launch(author, version, [agents["reference"]])), "agentv")
    rows = rows_of(files)
    assert len(rows) == 3
    assert {row["execution_status"] for row in rows.values()} == {"ok"}
    assert all(Path(row["response_path"]).as_posix() in files for row in rows.values())


def test_several_trials_of_one_test_have_folders_of_their_own(team, author, suite):
    agents = [Agent.objects.create(team=team, name=name, kind="scripted", config=ANSWERS) for name in ("a", "b")]
    files = files_of(work_off(launch(author, suite, agents)), "agentv")
    folders = [orjson.loads(line)["artifact_dir"] for line in files["index.jsonl"].splitlines()]
    assert folders == ["parcels/found", "parcels/found-2", "parcels/lost", "parcels/lost-2"]


def test_each_target_has_a_summary_of_its_own_results(team, author, suite):
    answers = {"all": ANSWERS, "none": {"default": {"output": "no idea"}}}
    agents = [Agent.objects.create(team=team, name=name, kind="scripted", config=answers[name]) for name in answers]
    files = files_of(work_off(launch(author, suite, agents)), "agentv")
    summaries = orjson.loads(files["benchmark.json"])["run_summary"]
    assert {name: summary.get("tool_calls", {}).get("mean") for name, summary in summaries.items()} == {
        "all": 1,
        "none": None,
    }


def test_trials_that_were_never_begun_go_out_with_the_reason(team, administrator):
    tests = [eval_test("b"), eval_test("a", depends_on=["b"]), eval_test("c")]
    version = publish_evals(team, administrator, *tests)
    answers = {"b": {"error": "out of order"}}
    config = {"default": {"output": "done"}, "answers": answers}
    run = work_off(launch(administrator, version, [Agent.objects.create(team=team, kind="scripted", config=config)]))
    run.trials.filter(case_key="c").update(status="cancelled", stop_reason="stopped_on_error")
    told = rows_of(files_of(run, "agentv"))
    assert {key: (row["execution_status"], row["failure_reason_code"]) for key, row in told.items()} == {
        "b": ("execution_error", "provider_error"),
        "a": ("execution_error", "dependency_failed"),
        "c": ("execution_error", "error_threshold_exceeded"),
    }
    run.trials.filter(case_key="c").update(stop_reason="cancelled")
    assert set(rows_of(files_of(run, "agentv"))) == {"a", "b"}


def test_a_trial_goes_out_with_its_frozen_task_and_its_trace(run):
    files = files_of(run, "agentv-pinned")
    row = rows_of(files)["lost"]
    assert b"Where is PX-2?" in files[row["eval_path"]]
    assert b"scout" in files[row["targets_path"]]
    trace = orjson.loads(files[f"{row['artifact_dir']}/outputs/trace.json"])
    assert trace["eval"]["run_id"] == f"run-{run.pk}"
    assert "execute_tool look" in [span["name"] for span in trace["trace"]["spans"]]
    assert not [path for path in files_of(run, "agentv") if path.endswith("trace.json")]


def test_a_task_that_has_changed_since_is_told_before_its_trials_come_in(run, team, author):
    changed = publish(
        import_pack(team, author, {"parcels.eval.yaml": SUITE.replace(b"Where is PX-2?", b"Where is it?")}, "other"),
        author,
    )
    found = look(changed, read_records("run.zip", b"".join(EXPORTS["agentv"][0](run))))
    (warning,) = found.findings
    assert (warning.code, found.can_import) == ("traces.W001", True)
    assert "lost" in warning.message


@pytest.mark.parametrize("kind", ["agentv", "agentv-pinned"])
def test_several_trials_of_one_test_come_back_as_such(team, author, suite, kind):
    agent = Agent.objects.create(team=team, name="scout", kind="scripted", config=ANSWERS)
    run = work_off(launch(author, suite, [agent], Options(trials=2)))
    found = look(suite, read_records("run.zip", b"".join(EXPORTS[kind][0](run))))
    assert (found.findings, found.cases) == ([], {"found": 2, "lost": 2})


def test_what_kept_trials_from_being_judged_comes_back_as_no_failure_of_the_agent(team, agents):
    user = make_member(team, Role.CURATOR)
    version = publish_evals(team, user, eval_test("a"))
    run = work_off(launch(user, version, [agents["reference"]]))
    # The test states no gold answer, so that the agent who gives it cannot work.
    assert [(trial.status, trial.fault) for trial in run.trials.all()] == [("error", "pack")]
    data = b"".join(EXPORTS["agentv"][0](run))
    again = work_off(import_records(look(version, read_records("run.zip", data)), user))
    assert [(trial.status, trial.fault) for trial in again.trials.all()] == [("error", "pack")]
