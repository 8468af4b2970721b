"""Result records of benchmark packs as trials."""

import pytest

from runs.trajectories.candidates import is_candidate, record_of

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
