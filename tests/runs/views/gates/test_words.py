"""Gates in words."""

from runs.gates import GATES, read_policy
from runs.views.gates.words import condition_lines, policy_words


def document(name, status, **more):
    return {"id": name, "status": status, "observed": None, "limit": None, "offenders": [], "reason": "", **more}


def test_each_part_of_a_policy_has_its_words():
    assert {gate: len(policy_words(read_policy(gate))) for gate in GATES} == {
        "ci_merge_gate": 10,
        "nightly": 6,
        "release_candidate": 12,
    }


def test_failures_stand_first_and_values_have_their_units():
    lines = condition_lines(
        [
            document("suite_coverage", "pass", observed=["golden"], limit=["golden"]),
            document("cost", "not_evaluated"),
            document("latency_p95", "fail", observed=20.04, limit=15.0),
            document("suite_below_threshold:failure_replays", "fail", observed=0.5, limit=1.0),
        ]
    )
    assert [line.status for line in lines] == ["fail", "fail", "not_evaluated", "pass"]
    assert [(line.observed, line.limit) for line in lines] == [
        ("+20.0 ms", "+15.0 ms"),
        ("50.0 %", "100.0 %"),
        ("–", "–"),
        ("golden", "golden"),
    ]


def test_a_suite_that_misses_its_threshold_by_little_is_not_said_to_reach_it():
    [line] = condition_lines([document("suite_below_threshold:golden", "fail", observed=1999 / 2000, limit=1.0)])
    assert (line.observed, line.limit) == ("> 99.9 %", "100.0 %")


def test_trials_of_an_offender_are_numbered_as_people_count_them():
    member = {"task_id": "a", "trials": [[71, "passed", None, ""], [72, "failed", None, ""], [73, "error", None, ""]]}
    failed = {"task_id": "a", "reason": "", "trial_ids": [72]}
    [line] = condition_lines([document("golden_regression", "fail", offenders=[failed])], [member])
    assert line.offenders[0]["trials"] == [{"id": 72, "number": 2}]
    # Nothing decided it, so that what kept it from being decided is shown.
    opened = {**failed, "trial_ids": []}
    [line] = condition_lines([document("golden_regression", "not_evaluated", offenders=[opened])], [member])
    assert line.offenders[0]["trials"] == [{"id": 73, "number": 3}]
