"""The recorded runs of the AgentV corpus: read, graded again, and written."""

import orjson
import pytest

from packs.formats.agentv.compiler import compile_tasks
from packs.formats.agentv.reader import load
from runs.agents import AGENTS
from runs.engine import Entrant, Verdict, run_trial
from runs.sandbox import SANDBOXES
from runs.trajectories.agentv import Result, is_run_folder, read_folder, write_folder
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
        )


def messages_of(run, test_id):
    lines = (FOLDER / "run-early/transcript.jsonl").read_bytes().splitlines()
    rows = [orjson.loads(line) for line in lines]
    return [
        {name: row[name] for name in ("role", "content", "tool_calls") if name in row}
        for row in rows
        if row["test_id"] == test_id
    ]


@pytest.mark.parametrize(("run", "generation"), [("run-early", "classic"), ("run-late", "pinned")])
def test_what_is_written_says_what_the_reference_wrote(run, generation):
    written = write_folder(list(results_of(run)), "/srv/packs/sample-run/evals/notes.eval.yaml", generation)
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
    written = write_folder(list(results_of(run)), "evals/notes.eval.yaml", generation)
    wanted = {path.removeprefix(f"{run}/") for path in files_below(FOLDER / run)}
    unwritten = {path for path in wanted if "/task/" in path or path.endswith("trace.json")}
    assert wanted - unwritten == set(written)
    for line in written["index.jsonl"].splitlines():
        row = orjson.loads(line)
        assert all(value in written for name, value in row.items() if name.endswith("_path"))


@pytest.mark.parametrize("generation", ["classic", "pinned"])
def test_what_is_written_is_read_as_the_same_trials(generation):
    written = write_folder(list(results_of("run-late")), "evals/notes.eval.yaml", generation)
    known = tasks()
    for told in read_folder({f"out/{name}": data for name, data in written.items()}):
        outcome, _ = again(known[told.record["task_id"]], told.record)
        verdict, score = WANTED[told.record["task_id"]]
        assert outcome.verdict == verdict
        assert outcome.score == (score if score is None else pytest.approx(score))
