"""Result records of benchmark packs as trials."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.replay.trajectories.candidates import (
    is_candidate,
    lacks_files,
    left_by,
    record_of,
    workspace_name,
    workspaces_of,
)

RECORD = {
    "run_id": "nightly",
    "task_id": "mixed/mc",
    "benchmark_id": "mixed",
    "task_type": "multiple_choice",
    "verification_status": "passed",
    "candidate_text": "Answer: B",
    "candidate_patch": None,
    "producer_metadata": {"harness": "command"},
    "score": 1.0,
}
LATE = {"candidate_text": None, "failure_reason": "producer_timeout", "failure_message": "late"}


def test_only_records_that_state_all_of_a_result_are_taken_for_one():
    assert is_candidate(RECORD)
    assert not is_candidate({**RECORD, "verification_status": None})
    assert not is_candidate({"task_id": "a", "trace": {"steps": [], "outcome": {}}})
    assert not is_candidate([RECORD])


@pytest.mark.parametrize(
    ("change", "answer"),
    [({}, "Answer: B"), ({"candidate_text": None, "candidate_patch": "diff"}, "diff"), ({"candidate_text": ""}, "")],
)
def test_text_or_patch_is_the_answer(change, answer):
    record = record_of({**RECORD, **change})
    assert (record["output"], record["agent"]) == (answer, "command nightly")
    assert record["events"][-1]["payload"] == {"final_output": answer}


def test_a_producer_that_ran_out_of_time_has_failed():
    assert record_of({**RECORD, **LATE})["events"][-1] == {
        "event_type": "system.run.failed",
        "payload": {"stop_reason": "timeout", "error": "late"},
    }


def test_what_was_said_there_is_kept_beside_the_answer():
    assert record_of(RECORD)["said_elsewhere"] == {"verification_status": "passed", "score": 1.0}


@pytest.mark.parametrize(
    ("task_id", "name"),
    [("plain-1.a_b", "plain-1.a_b"), ("a/b", "a_b-c14cddc0"), ("..a", "a-f76a4def"), ("ä b", "b-83ec61e9")],
)
def test_a_workspace_is_named_after_its_task(task_id, name):
    assert workspace_name(task_id) == name


def test_workspaces_stand_beside_the_records_only():
    files = {
        "run/candidates.jsonl": b"",
        "run/workspaces/a/x.txt": b"1",
        "run/workspaces/a/deep/candidates.jsonl": b"2",
        "run/workspaces/loose.txt": b"3",
        "other/workspaces/a/x.txt": b"4",
    }
    assert workspaces_of(files) == {"run/workspaces/a": {"x.txt": b"1", "deep/candidates.jsonl": b"2"}}
    assert workspaces_of({"candidates.jsonl": b"", "workspaces/a/x": b"1"}) == {"workspaces/a": {"x": b"1"}}


@given(st.dictionaries(st.text(min_size=1), st.binary()))
def test_the_files_of_a_workspace_are_kept_byte_for_byte(files):
    assert left_by(json.loads(json.dumps(record_of(RECORD, files)))) == files


def test_a_record_without_its_workspace_says_so():
    named = {**RECORD, "candidate_text": None, "candidate_workspace": "/out/workspaces/x"}
    assert lacks_files(record_of(named))
    assert not lacks_files(record_of(named, {}))
    assert not lacks_files(record_of({**named, **LATE}))
    assert not lacks_files(record_of(RECORD))
