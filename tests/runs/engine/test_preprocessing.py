"""Files that graders show, made text by programs of the pack, in whole trials (agentv F.13)."""

from dataclasses import replace

import pytest

from packs.formats.task import Dimension, Environment, GraderSpec, Scoring, WorkspaceFile, WorkspacePlan
from runs.engine.outcome import Verdict
from runs.replay.causes import Fault
from tests.runs.engine.conversation.stage import Voice, bench_of
from tests.runs.tasks import make_task, run

SHEET = b"PK\0\x03 thirty parcels"
CONVERT = """\
import json, os, sys
told = json.load(sys.stdin)
assert os.path.isabs(told["path"]), told
words = open(told["path"], "rb").read().partition(b"\\x03")[2].decode()
print(words.upper(), told["media_type"], told["original_path"])
"""
FILES = {"files/sheet.xlsx": {"name": "fixtures/sheet.xlsx"}, "note.txt": {"name": "note.txt", "text": "by hand"}}
ASKED = [
    {
        "role": "user",
        "content": [{"type": "file", "value": path} for path in FILES] + [{"type": "text", "value": "How many?"}],
    }
]
LEAVE = "open('out.xlsx', 'wb').write(b'PK\\0\\x03 left behind'); print('hub')"
JUDGE = {"name": "it", "type": "llm-grader", "prompt": "Is it right?"}


def converter(code=CONVERT, kind="xlsx"):
    return {"type": kind, "command": ["python3", "-c", code], "directory": "evals"}


def task_of(*converters, expected=()):
    test = {"input": ASKED, "files": FILES, "folder": "evals", "expected_output": list(expected)}
    config = {"assertion": {**JUDGE, "preprocessors": list(converters)}, "test": test}
    material = (WorkspaceFile("fixtures/sheet.xlsx", asset_key="sheet"), WorkspaceFile("evals/a.txt", "a"))
    task = make_task(graders=(GraderSpec("it", "agentv.llm-grader", config=config),))
    scoring = Scoring((Dimension("it", "grader", graders=("it",)),), strategy="gated_mean", pass_threshold=0.8)
    environment = Environment(material=material, workspace=WorkspacePlan())
    return replace(task, scoring=scoring, environment=environment)


def start(task, code="print('hub')"):
    voice = Voice('{"score": 1}')
    config = {"arguments": ["python3", "-c", code]}
    outcome, events = run(task, "command", config, bench=bench_of(judge=voice), read_asset=lambda file: SHEET)
    asked = voice.asked[0].messages[-1]["content"] if voice.asked else ""
    return outcome, events, asked


def test_a_judge_reads_what_the_packs_program_makes_of_a_file():
    outcome, events, asked = start(task_of(converter()))
    assert outcome.verdict is Verdict.PASSED, outcome.error
    assert "THIRTY PARCELS application/vnd.openxmlformats-officedocument.spreadsheetml.sheet files/sheet.xlsx" in asked
    assert "by hand" in asked
    [told] = [event["payload"] for event in events if event["event_type"] == "grader.verification.code_executed"]
    assert told["validator_key"] == "it/files/files/sheet.xlsx"
    assert "THIRTY PARCELS" in told["stdout"]


def test_a_file_that_the_agent_made_is_shown_too():
    _, _, asked = start(task_of(converter()), LEAVE)
    assert "LEFT BEHIND" in asked
    assert "out.xlsx" in asked


def test_files_of_the_reference_answer_are_shown():
    block = {"type": "file", "value": "files/sheet.xlsx"}
    _, _, asked = start(task_of(converter(), expected=[{"role": "assistant", "content": [block]}]))
    assert asked.count("THIRTY PARCELS") == 2


def test_without_a_preprocessor_for_its_type_a_file_is_named_and_nothing_is_run():
    outcome, events, asked = start(task_of(converter(kind="pdf")))
    assert outcome.verdict is Verdict.PASSED
    assert "files/sheet.xlsx" in asked
    assert "thirty" not in asked
    assert all(event["event_type"] != "grader.verification.code_executed" for event in events)


@pytest.mark.parametrize(
    "broken",
    [
        converter("import sys; sys.stdin.read(); sys.exit('no such sheet')"),
        {**converter(), "command": ["no-such-program"]},
    ],
    ids=["fails", "missing"],
)
def test_a_preprocessor_that_fails_is_an_error_of_the_trial_that_says_why(broken):
    outcome, _, asked = start(task_of(broken))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, Fault.PACK)
    assert "files/sheet.xlsx" in outcome.error
    assert asked == ""


def test_a_file_of_the_agents_that_no_preprocessor_can_read_keeps_nobody_from_judging():
    broken = converter("import json, sys; sys.exit('out.xlsx' in sys.stdin.read())")
    outcome, _, asked = start(task_of(broken), LEAVE)
    assert outcome.verdict is Verdict.PASSED, outcome.error
    assert "out.xlsx" in asked
    assert "cannot read it" in asked
