"""The recorded runs of the AgentV corpus: read, graded again, and written."""

import orjson
import pytest

from packs.formats.agentv.compiler import compile_tasks
from packs.formats.agentv.frozen import read_frozen
from packs.formats.agentv.reader import load
from runs.agents import AGENTS
from runs.engine.entrant import Entrant
from runs.engine.outcome import Verdict
from runs.engine.trial import run_trial
from runs.replay.trajectories.agentv import Result, is_run_folder, read_folder, write_folder
from runs.replay.trajectories.agentv.tasks import differences, freeze_task
from runs.sandbox import SANDBOXES
from tests.corpora import corpus_folder

FOLDER = corpus_folder("agentv") / "sample-run"
RUNS = ("run-early", "run-late")
# The verdict of each test in our words, with its score where it has one.
WANTED = {
    "passes": ("passed", 1.0),
    "partly": ("failed", 1 / 3),
    "gate-fails": ("failed", 0.0),
    "agent-breaks": ("failed", None),
}


def files_below(folder):
    return {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def tasks():
    files = files_below(FOLDER / "evals") | files_below(FOLDER / "graders")
    pack, _ = load(files)
    return {task.case_key: task for task in compile_tasks(pack)}


def again(task, record):
    """Grade a record as its trial would be graded in a run."""
    config = {"outputs": [{"case_key": task.case_key, "trial": record}]}
    events = []
    outcome = run_trial(task, Entrant(AGENTS["recorded"], "recorded", config), SANDBOXES["local"], events.append)
    return outcome, events


@pytest.mark.parametrize("run", RUNS)
def test_a_run_folder_has_its_four_trials_with_their_agents(run):
    told = read_folder(files_below(FOLDER / run))
    assert sorted(each.record["task_id"] for each in told) == sorted(WANTED)
    assert {each.record["agent"] for each in told} == {"canned_agent"}
    assert [each.line for each in told] == [1, 2, 3, 4]


@pytest.mark.parametrize("run", RUNS)
def test_graded_again_without_asking_anybody_every_trial_is_worth_what_it_was(run):
    known = tasks()
    for told in read_folder(files_below(FOLDER / run)):
        outcome, _ = again(known[told.record["task_id"]], told.record)
        verdict, score = WANTED[told.record["task_id"]]
        assert outcome.verdict == verdict, (told.record["task_id"], outcome.error)
        assert outcome.score == (score if score is None else pytest.approx(score))
        stated = told.record["result"].get("scores", ())
        if score is not None:
            rows = [grade.raw["row"] for grade in outcome.grades]
            assert [(row["name"], row["verdict"]) for row in rows] == [(row["name"], row["verdict"]) for row in stated]
            assert [row["score"] for row in rows] == pytest.approx([row["score"] for row in stated])


@pytest.mark.parametrize("run", RUNS)
def test_a_transcript_is_in_the_replay_with_its_calls_and_what_was_used_up(run):
    known = tasks()
    [told] = [each for each in read_folder(files_below(FOLDER / run)) if each.record["task_id"] == "passes"]
    outcome, events = again(known["passes"], told.record)
    [call] = [event["payload"] for event in events if event["event_type"] == "tool.call.completed"]
    assert (call["tool_name"], call["arguments"]) == ("list_tasks", {"status": "open"})
    assert (call["result"]["content"], call["duration_ms"]) == (["billing export", "login copy"], 120)
    assert outcome.final_output == "Open: Billing Export, login copy."
    [end] = [event["payload"] for event in events if event["event_type"] == "system.run.completed"]
    assert (end["input_tokens"], end["output_tokens"], end["latency_ms"]) == (120, 18, 850)


@pytest.mark.parametrize("run", RUNS)
def test_a_trial_whose_agent_broke_says_why(run):
    [told] = [each for each in read_folder(files_below(FOLDER / run)) if each.record["task_id"] == "agent-breaks"]
    outcome, _ = again(tasks()["agent-breaks"], told.record)
    assert (outcome.verdict, outcome.fault) == (Verdict.FAILED, "agent")
    assert outcome.error == "agent crashed on purpose (exit code 3)"


def test_recorded_answers_alone_are_trials_too():
    told = read_folder({"replay.jsonl": (FOLDER / "replay.jsonl").read_bytes()})
    assert [each.record["task_id"] for each in told] == ["passes", "partly", "gate-fails"]
    known = tasks()
    outcome, _ = again(known["gate-fails"], told[2].record)
    assert (outcome.verdict, outcome.score) == (Verdict.FAILED, 0.0)
    transcript = (FOLDER / "run-late/notes-sample/passes/outputs/transcript.jsonl").read_bytes()
    [told] = read_folder({"transcript.jsonl": transcript})
    assert told.record["output"] == "Open: Billing Export, login copy."


def test_other_files_are_no_run_folder():
    assert not is_run_folder({"a/index.jsonl": b'{"id": 1}\n', "b.jsonl": b'{"task_id": "x"}\n', "c.txt": b""})


def results_of(run):
    """The trials of a recorded run as results to be written."""
    known, files = tasks(), files_below(FOLDER / "graders")
    for told in read_folder(files_below(FOLDER / run)):
        row = told.record["result"]
        own = {"input": 120, "output": 18, "cached": 20} if told.record["output"] else {}
        yield Result(
            test_id=row["test_id"],
            suite=row["suite"],
            target=row["target"],
            timestamp=row["timestamp"],
            score=row["score"],
            status=row["execution_status"],
            scores=row.get("scores", ()),
            messages=messages_of(run, row["test_id"]),
            answer=told.record["output"] or "",
            error=row.get("error", ""),
            stage=row.get("failure_stage", ""),
            reason=row.get("failure_reason_code", ""),
            metadata=row.get("metadata"),
            token_usage=own,
            cost_usd=0.0012 if own else None,
            duration_ms=850 if own else None,
            start_time=row.get("start_time"),
            end_time=row.get("end_time"),
            task=freeze_task(known[row["test_id"]], {"name": row["target"], "provider": "cli"}, files.get),
        )


def messages_of(run, test_id):
    lines = (FOLDER / "run-early/transcript.jsonl").read_bytes().splitlines()
    rows = [orjson.loads(line) for line in lines]
    return [
        {name: row[name] for name in ("role", "content", "tool_calls") if name in row}
        for row in rows
        if row["test_id"] == test_id
    ]


def written_of(files):
    """The files of a folder by their paths."""
    return {path: content if isinstance(content, bytes) else content.read() for path, content in files}


@pytest.mark.parametrize(("run", "generation"), [("run-early", "classic"), ("run-late", "pinned")])
def test_what_is_written_says_what_the_reference_wrote(run, generation):
    written = written_of(write_folder(results_of(run), "/srv/packs/sample-run/evals/notes.eval.yaml", generation))
    for name in ("benchmark.json", "timing.json"):
        wanted, found = orjson.loads((FOLDER / run / name).read_bytes()), orjson.loads(written[name])
        for document in (wanted, found):
            document.get("metadata", {}).pop("timestamp", None)
            for summary in document.get("run_summary", {}).values():
                # The earlier release left this out although there were calls.
                summary.pop("tool_calls", None)
        assert found == wanted
    for test_id in WANTED:
        path = f"notes-sample/{test_id}/grading.json"
        wanted, found = orjson.loads((FOLDER / run / path).read_bytes()), orjson.loads(written[path])
        wanted["execution_metrics"].pop("tool_calls")
        assert found["execution_metrics"].pop("tool_calls") == ({"list_tasks": 1} if test_id == "passes" else {})
        wanted["execution_metrics"].pop("total_tool_calls")
        found["execution_metrics"].pop("total_tool_calls")
        assert found == wanted


@pytest.mark.parametrize(("run", "generation"), [("run-early", "classic"), ("run-late", "pinned")])
def test_every_file_of_the_shape_is_written_and_its_rows_name_them(run, generation):
    written = written_of(write_folder(results_of(run), "evals/notes.eval.yaml", generation))
    assert {path.removeprefix(f"{run}/") for path in files_below(FOLDER / run)} == set(written)
    for line in written["index.jsonl"].splitlines():
        row = orjson.loads(line)
        named = [value for name, value in row.items() if name.endswith(("_path", "_dir"))]
        assert all(value in written or any(path.startswith(f"{value}/") for path in written) for value in named)


def recorded(run, test_id, name):
    return (FOLDER / run / "notes-sample" / test_id / name).read_bytes()


@pytest.mark.parametrize("test_id", WANTED)
def test_a_frozen_task_says_what_the_reference_froze(test_id):
    written = written_of(write_folder(results_of("run-late"), "evals/notes.eval.yaml"))
    wanted = read_frozen(recorded("run-late", test_id, "task/EVAL.yaml"))
    found = read_frozen(written[f"notes-sample/{test_id}/task/EVAL.yaml"])
    assert {name for name in wanted if name != "assertions"} == {name for name in found if name != "assertions"}
    assert [(each["name"], each["type"]) for each in found["assertions"]] == [
        (each["name"], each["type"]) for each in wanted["assertions"]
    ]
    assert differences(tasks()[test_id], wanted) == differences(tasks()[test_id], found) == []
    assert differences(tasks()[test_id], {**wanted, "criteria": "Another."}) == ["criteria"]


def shape_of(value):
    """The names in a document, without ids, times and what is said."""
    if isinstance(value, dict):
        return {name: shape_of(part) for name, part in value.items()}
    return [shape_of(part) for part in value] if isinstance(value, list) else None


@pytest.mark.parametrize("test_id", ["partly", "agent-breaks"])
def test_a_trace_has_the_shape_of_the_reference(test_id):
    written = written_of(write_folder(results_of("run-late"), "evals/notes.eval.yaml", "pinned", "run-late"))
    wanted = orjson.loads(recorded("run-late", test_id, "outputs/trace.json"))
    found = orjson.loads(written[f"notes-sample/{test_id}/outputs/trace.json"])
    assert found["eval"] == wanted["eval"]
    for document in (wanted, found):
        document["source"]["metadata"].pop("provider", None)
        [score.pop("evaluated_at", None) for score in document.get("scores", ())]
    assert set(shape_of(wanted)) == set(shape_of(found))
    for part in ("projection_identity", "export_metadata", "source", "capture", "artifacts", "eval"):
        assert shape_of(found[part]) == shape_of(wanted[part])
    assert shape_of(found.get("scores")) == shape_of(wanted.get("scores"))
    spans = [[(span["name"], span["status"]) for span in document["trace"]["spans"]] for document in (wanted, found)]
    assert spans[0][0] == spans[1][0]
    assert {name for span in found["trace"]["spans"] for name in span} == {
        name for span in wanted["trace"]["spans"] for name in span
    }


def test_without_its_transcript_a_trial_is_read_from_its_trace():
    files = files_below(FOLDER / "run-late")
    bare = {name: data for name, data in files.items() if not name.endswith(("transcript.jsonl", ".md"))}
    whole, traced = ({told.record["task_id"]: told.record for told in read_folder(given)} for given in (files, bare))
    for test_id, record in whole.items():
        assert traced[test_id]["output"] == record["output"]
        assert [event["event_type"] for event in traced[test_id]["events"]] == [
            event["event_type"] for event in record["events"]
        ]


@pytest.mark.parametrize("generation", ["classic", "pinned"])
def test_what_is_written_is_read_as_the_same_trials(generation):
    written = written_of(write_folder(results_of("run-late"), "evals/notes.eval.yaml", generation))
    known = tasks()
    for told in read_folder({f"out/{name}": data for name, data in written.items()}):
        outcome, _ = again(known[told.record["task_id"]], told.record)
        verdict, score = WANTED[told.record["task_id"]]
        assert outcome.verdict == verdict
        assert outcome.score == (score if score is None else pytest.approx(score))
