"""The packs that a fresh studio starts with."""

from pathlib import Path

import pytest

from packs.formats import adapter_of, recognise
from runs.grading.graders import COMMANDS
from runs.grading.graders.evidence import build_evidence
from runs.grading.scoring import score

SAMPLES = Path(__file__).resolve().parents[2] / "packs" / "samples"


def files_of(path):
    if path.is_file():
        return {path.name: path.read_bytes()}
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def tasks():
    """The tasks of all samples that need neither a sandbox nor a model to be judged."""
    for path in sorted(SAMPLES.iterdir()):
        files = files_of(path)
        adapter = adapter_of(recognise(files))
        pack, _ = adapter.load(files)
        for task in adapter.compile_tasks(pack):
            if not task.judges and not any(grader.kind in COMMANDS for grader in task.graders):
                yield pytest.param(task, id=f"{path.stem}-{task.case_key}")


def events(answer):
    done = {"final_output": answer, "stop_reason": "completed", "step_count": 1, "tool_call_count": 0}
    types = {"system.run.started": {}, "system.run.completed": done}
    return [
        {
            "event_type": kind,
            "sequence_number": number,
            "occurred_at": f"2026-01-01T00:00:0{number}Z",
            "payload": payload,
        }
        for number, (kind, payload) in enumerate(types.items(), start=1)
    ]


def verdict(task, answer):
    return score(task.scoring, task.graders, build_evidence([task.evidence], events(answer))).as_dict()


def decided_alone():
    """Those that wait for nobody's review."""
    return [task for task in tasks() if "suite.human_review" not in {grader.kind for grader in task.values[0].graders}]


@pytest.mark.parametrize("task", decided_alone())
def test_the_gold_answer_of_a_sample_passes_with_everything_decided(task):
    card = verdict(task, task.reference)
    assert (card["passed"], card["status"], card["validity"]) == (True, "complete", "valid")


@pytest.mark.parametrize("task", list(tasks()))
def test_an_answer_beside_the_point_does_not_pass_a_sample(task):
    assert verdict(task, "I would rather not say.")["passed"] is False


@pytest.mark.parametrize("task", list(tasks()))
def test_the_task_said_back_does_not_pass_a_sample(task):
    assert verdict(task, task.prompt)["passed"] is False


def test_no_agent_reads_the_amount_of_the_fine_that_it_is_asked_for():
    files = files_of(SAMPLES / "library-desk")
    told = {
        task.case_key: str(task.for_agent())
        for task in adapter_of("agentv").compile_tasks(adapter_of("agentv").load(files)[0])
    }
    assert "What do I owe?" in told["fine-total"]
    assert "2.40" not in told["fine-total"]


@pytest.mark.parametrize(
    ("answer", "passes"),
    [
        ('{"decision": "refund", "amount": 10}', True),
        ('{"amount":10.0,"decision":"refund"}', True),
        (' {  "amount" : 10 , "decision" : "refund" }\n', True),
        ('{"decision": "refund", "amount": 11}', False),
        ('{"decision": "refund", "amount": 10, "note": "sorry"}', False),
    ],
)
def test_the_refund_desk_takes_right_answers_however_their_json_is_written(answer, passes):
    (task,) = (each.values[0] for each in tasks() if each.values[0].case_key == "late-parcel")
    assert verdict(task, answer)["passed"] is passes
