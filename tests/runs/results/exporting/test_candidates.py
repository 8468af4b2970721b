"""Runs of benchmark packs as result files, and back."""

import io
import json
import zipfile

import pytest

from packs.importing import import_pack
from packs.publish import publish
from runs.engine.events import KEPT
from runs.launch.launching import Options, launch
from runs.models import Agent, Trial
from runs.replay.trajectories.candidates import workspace_name
from runs.results.exporting import EXPORTS, offered
from runs.results.importing import import_records, look, read_records
from runs.sandbox import bubblewrap
from tests.runs.working import work_off

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined"),
]

MANIFEST = b"id: smoke\nversion: 1\n"
ROWS = [
    {
        "id": "smoke/mc",
        "family": "multiple_choice",
        "input": {"question": "Which is a prime?", "choices": ["21", "23"]},
        "eval": {"answer": "23"},
    },
    {
        "id": "smoke/code",
        "family": "code_completion",
        "input": {"prompt": "Write one()."},
        "eval": {
            "tests": {"source": "inline", "code": "assert one() == 1", "language": "python"},
            "canonical_solution": "def one():\n    return 1\n",
        },
        "environment": {"image": "python:3.12"},
    },
    {
        "id": "smoke/term",
        "family": "terminal_task",
        "input": {"instructions": "Write done.txt."},
        "eval": {"checker": {"command": "test -f done.txt"}},
        "environment": {"image": "python:3.12", "workdir": "/workspace"},
    },
    {"id": "smoke/tool", "family": "tool_call", "input": {"prompt": "Call it."}, "eval": {"expected_calls": ["x"]}},
]
ANSWERS = {"smoke/mc": "Answer: B", "smoke/code": "def one():\n    return 1\n"}


@pytest.fixture
def version(team, author):
    rows = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
    return publish(import_pack(team, author, {"manifest.yaml": MANIFEST, "tasks.jsonl": rows}, "smoke"), author)


@pytest.fixture
def run(team, author, version):
    clever = Agent.objects.create(
        team=team, name="clever one", kind="scripted", config={"answers": ANSWERS, "default": "?"}
    )
    empty = Agent.objects.create(team=team, name="empty", kind="empty", config={})
    return work_off(launch(author, version, [clever, empty], Options(trials=2)))


def files_of(run):
    with zipfile.ZipFile(io.BytesIO(exported(run))) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def exported(run):
    return b"".join(EXPORTS["candidates"][0](run))


def records_in(data):
    return {record["task_id"]: record for record in map(json.loads, data.splitlines())}


def taken_in(version, author, name, data):
    found = look(version, read_records(name, data))
    assert found.can_import, [finding.as_dict() for finding in found.findings]
    return work_off(import_records(found, author)), found


def statuses(run):
    rows = Trial.objects.filter(run=run).order_by("run_agent__name", "case_key", "number")
    return list(rows.values_list("run_agent__name", "case_key", "number", "status", "score"))


def test_each_agent_and_trial_has_a_file_with_a_record_for_every_case(run):
    files = files_of(run)
    folders = ["1-clever-one", "1-clever-one-2", "2-empty", "2-empty-2"]
    assert [name for name in files if "/workspaces/" not in name] == [f"{name}/candidates.jsonl" for name in folders]
    records = records_in(files["1-clever-one/candidates.jsonl"])
    assert list(records) == [row["id"] for row in ROWS]
    choice, code, tool = records["smoke/mc"], records["smoke/code"], records["smoke/tool"]
    assert (choice["verification_status"], choice["passed"], choice["score"]) == ("passed", True, 1.0)
    assert (code["candidate_text"], code["candidate_patch"]) == (ANSWERS["smoke/code"], None)
    assert (tool["verification_status"], "passed" in tool) == ("pending", False)


def test_nothing_hidden_goes_out(run):
    text = files_of(run)["1-clever-one/candidates.jsonl"].decode()
    records = records_in(text.encode())
    assert {record["hidden_values"] for record in records.values()} == {"<redacted>"}
    summary = {item["name"]: item for item in records["smoke/mc"]["resource_summary"]}
    assert summary["answer"] == {"name": "answer", "kind": "text", "visibility": "hidden", "redacted": True}
    assert records["smoke/mc"]["verifier_metadata"].get("expected_answer", "<redacted>") == "<redacted>"
    assert "assert one() == 1" not in text


@pytest.fixture
def choice(run):
    """The first trial of the multiple choice."""
    return Trial.objects.get(run=run, run_agent__name="clever one", number=1, case_key="smoke/mc")


def record_of(choice):
    return records_in(files_of(choice.run)["1-clever-one/candidates.jsonl"])["smoke/mc"]


def test_what_a_verifier_tells_goes_out_without_what_is_hidden_at_any_depth(choice):
    told = {"stdout": "seen", "expected_answer": "B", "compared": [{"with": "23", "found": "B"}]}
    choice.scorecard["validator_details"][0]["evidence"] = told
    choice.save()
    record = record_of(choice)
    hidden = "<redacted>"
    assert record["verifier_metadata"] == {"expected_answer": hidden, "compared": [{"with": hidden, "found": "B"}]}
    assert record["verifier_stdout"] == "seen"


@pytest.mark.parametrize(("stop_reason", "answer"), [("completed", "Answer: B"), ("agent_error", None)])
def test_an_agent_that_failed_by_its_answer_handed_it_in(choice, stop_reason, answer):
    Trial.objects.filter(pk=choice.pk).update(status="failed", fault="agent", stop_reason=stop_reason)
    record = record_of(choice)
    assert (record["candidate_text"], record.get("failure_reason")) == (answer, None if answer else stop_reason)
    assert record["verification_status"] == "failed"


def test_what_went_out_comes_in_again_with_the_same_verdicts_and_goes_out_the_same(run, version, author):
    again, _ = taken_in(version, author, "results.zip", exported(run))
    assert statuses(again) == statuses(run)
    assert list(files_of(again).values()) == list(files_of(run).values())


FOLDER = workspace_name("smoke/term")
RECORD = {
    "run_id": "nightly",
    "task_id": "smoke/term",
    "benchmark_id": "smoke",
    "task_type": "terminal_task",
    "verification_status": "passed",
    "candidate_text": None,
    "candidate_patch": None,
    "candidate_workspace": "/srv/out/workspaces/smoke_term",
}


def archive_of(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("out/candidates.jsonl", json.dumps(RECORD) + "\n")
        for path, data in files.items():
            archive.writestr(path, data)
    return packed.getvalue()


@pytest.mark.parametrize(("file", "status"), [("done.txt", "passed"), ("other.json", "failed")])
def test_a_workspace_in_the_upload_is_judged_again_and_goes_out_again(version, author, file, status):
    place = f"out/workspaces/{FOLDER}/{file}"
    run, found = taken_in(version, author, "out.zip", archive_of({place: b"\xff{"}))
    assert found.findings == []
    assert [row[3] for row in statuses(run)] == [status]
    back = files_of(run)
    assert back[f"1-nightly/workspaces/{FOLDER}/{file}"] == b"\xff{"
    assert records_in(back["1-nightly/candidates.jsonl"])["smoke/term"]["verification_status"] == status


def test_a_workspace_that_is_not_in_the_upload_is_told_and_not_judged(version, author):
    run, found = taken_in(version, author, "out.zip", archive_of({}))
    assert [finding.code for finding in found.findings] == ["traces.W009"]
    assert [row[3] for row in statuses(run)] == ["error"]


def written_by(team, author, version, script):
    """The run of a program, its record of the terminal task, and the files in that one's workspace."""
    writer = {"arguments": ["sh", "-c", script], "protocol": "text"}
    agent = Agent.objects.create(team=team, name="writer", kind="command", config=writer)
    run = work_off(launch(author, version, [agent]))
    files, home = files_of(run), f"1-writer/workspaces/{FOLDER}/"
    left = {name.removeprefix(home): data for name, data in files.items() if name.startswith(home)}
    return run, records_in(files["1-writer/candidates.jsonl"])["smoke/term"], left


def test_the_workspace_of_a_trial_of_ours_goes_out_and_is_judged_again(team, author, version):
    script = r"mkdir -p a; printf '\377' > a/b.bin; ln -s /etc/hostname link; touch done.txt"
    run, record, left = written_by(team, author, version, script)
    assert (record["candidate_workspace"], record["verification_status"]) == (f"workspaces/{FOLDER}", "passed")
    assert left.keys() == {"a/b.bin", "done.txt", "task.json", "securebench/public/instructions.json"}
    assert left["a/b.bin"] == b"\xff"
    again, found = taken_in(version, author, "results.zip", exported(run))
    assert found.findings == []
    assert ("writer", "smoke/term", 1, "passed", 1.0) in statuses(again)
    assert files_of(again) == files_of(run)


def test_a_workspace_that_is_too_large_is_not_kept_and_its_record_says_where_it_was(team, author, version):
    run, record, left = written_by(team, author, version, "head -c 1100000 /dev/zero > big; touch done.txt")
    assert (record["candidate_workspace"], left) == (f"workspaces/{FOLDER}", {})
    assert record["verification_status"] == "passed"
    again, found = taken_in(version, author, "results.zip", exported(run))
    assert [finding.code for finding in found.findings] == ["traces.W009"]
    assert ("writer", "smoke/term", 1, "error", None) in statuses(again)
    told = Trial.objects.get(run=run, case_key="smoke/term").events.get(event_type=KEPT).payload
    assert "files" not in told
    assert told["bytes"] > 1_100_000


def test_a_producer_that_ran_out_of_time_goes_out_as_such(team, author, version):
    slow = Agent.objects.create(team=team, name="slow", kind="scripted", config={"answers": {}, "default": "x"})
    run = work_off(launch(author, version, [slow]))
    Trial.objects.filter(run=run, case_key="smoke/mc").update(
        status="failed", fault="agent", stop_reason="timeout", error="late"
    )
    record = records_in(files_of(run)["1-slow/candidates.jsonl"])["smoke/mc"]
    assert (record["failure_reason"], record["failure_message"], record["candidate_text"]) == (
        "producer_timeout",
        "late",
        None,
    )
    assert record["producer_metadata"]["timed_out"] is True
    assert "verifier_metadata" not in record


def test_only_runs_of_benchmark_packs_have_result_files(run, team, author):
    assert "candidates" in offered(run)
    run.version.pack.format = "agentv"
    assert "candidates" not in offered(run)
