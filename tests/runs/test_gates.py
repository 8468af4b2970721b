import re
from xml.etree import ElementTree

import pytest

from runs.gates import GATES, GateTask, GateTrial, check_gate, kept_policy, read_policy
from runs.gates.facts import facts_of
from runs.gates.keeping import condition_documents, kept_result, member_documents
from runs.gates.reading import Unreadable, read_tasks
from runs.gates.reports import as_json, as_junit
from runs.gates.sections import as_section, section_troubles
from runs.grading.graders.evidence.recording import record

PASSED, FAILED = GateTrial("passed", [100.0], 0.01, 1.5), GateTrial("failed", [100.0], 0.01, 1.5, reason="no\x00pe")
OPEN = GateTrial("skipped")


def task(task_id="g1", suite="golden", trials=(PASSED, PASSED), metric="pass^k", **more):
    return GateTask(task_id, suite, 2, metric, trials, **more)


WHOLE = (task(), task("a1", "adversarial"), task("r1", "failure_replays"))


def merge(candidate=WHOLE, baseline=WHOLE, **section):
    return check_gate(read_policy("ci_merge_gate", section), candidate, baseline)


def statuses(result):
    return {condition.id: condition.status for condition in result.conditions}


def test_a_broken_golden_task_names_the_trials_that_decided_it():
    result = merge((task(trials=(PASSED, FAILED)), *WHOLE[1:]))
    (condition,) = [each for each in result.conditions if each.id == "golden_regression"]
    assert (result.verdict, result.exit_code) == ("fail", 1)
    assert [(each.task_id, list(each.trials)) for each in condition.offenders] == [("g1", [1])]


def test_a_required_baseline_that_is_missing_leaves_the_gate_open():
    policy = read_policy("ci_merge_gate", {"baseline": {"require": True}})
    assert merge(baseline=None).verdict == "pass"
    assert check_gate(policy, WHOLE, None).exit_code == 3


def test_a_golden_task_that_went_missing_is_only_a_warning():
    result = merge(WHOLE, (*WHOLE, task("g2")))
    assert result.verdict == "pass"
    assert any("g2" in warning for warning in result.warnings)


@pytest.mark.parametrize(
    ("trials", "status"),
    [
        ([PASSED, PASSED, FAILED], "pass"),
        ([PASSED, OPEN, FAILED], "not_evaluated"),
        ([OPEN, OPEN, OPEN], "not_evaluated"),
        ([PASSED, FAILED, FAILED], "fail"),
        ([OPEN, FAILED, FAILED], "fail"),
        ([PASSED, PASSED, OPEN], "pass"),
    ],
)
def test_open_tasks_of_a_suite_count_as_passed_only_where_that_decides_nothing(trials, status):
    suite = tuple(task(f"r{place}", "failure_replays", [trial] * 2) for place, trial in enumerate(trials))
    result = merge((*WHOLE[:2], *suite), None, suite_thresholds={"failure_replays": 0.6})
    (condition,) = [each for each in result.conditions if each.id == "suite_below_threshold:failure_replays"]
    assert (condition.status, condition.observed) == (status, trials.count(PASSED) / 3)


def test_a_cost_from_nothing_fails():
    free = tuple(task(each.task_id, each.suite, [GateTrial("passed", cost_usd=0.0)] * 2) for each in WHOLE)
    assert statuses(merge(WHOLE, free))["cost"] == "fail"
    assert statuses(merge(free, free))["cost"] == "pass"


def test_too_few_steps_on_either_side_leave_the_latency_open():
    few = (WHOLE[0], *(task(each.task_id, each.suite, [GateTrial("passed")] * 2) for each in WHOLE[1:]))
    budgets = {"min_samples": 3}
    found = [statuses(merge(*pair, budgets=budgets))["latency_p95"] for pair in ((WHOLE, few), (few, WHOLE))]
    assert found == ["not_evaluated", "not_evaluated"]
    assert statuses(merge(WHOLE, WHOLE, budgets=budgets))["latency_p95"] == "pass"


def test_only_the_first_valid_trials_decide():
    assert task(trials=(PASSED, FAILED, FAILED)).deciding() == [1]
    assert task(trials=(OPEN, PASSED, FAILED, FAILED)).deciding() == [2]


def test_a_kept_task_without_a_verdict_says_why_its_trials_have_none():
    broken = GateTrial("error", reason="no sandbox")
    open_one, decided = task(trials=(PASSED, broken)), task("a1", "adversarial", (broken, PASSED, PASSED))
    result = merge((open_one, decided, WHOLE[2]))
    told = {document["task_id"]: document["trials"] for document in member_documents(result, None)}
    assert [told["g1"][1][3], told["a1"][0][3]] == ["no sandbox", ""]


def test_single_keys_of_the_policy_replace_the_defaults():
    policy = read_policy(
        "ci_merge_gate", {"budgets": {"cost_increase_max_percent": 5}, "suite_thresholds": {"adversarial": None}}
    )
    assert policy.limits == {"latency_p95_ms_increase_max": 15.0, "cost_increase_max_percent": 5}
    assert policy.thresholds == {"failure_replays": 1.0}
    with pytest.raises(KeyError):
        read_policy("hotfix")


def test_the_report_tells_every_task_with_its_numbers():
    report = as_json(merge(), "7", "6")
    assert (report["run_id"], report["baseline_run_id"], report["exit_code"]) == ("7", "6", 0)
    assert report["suites"]["golden"]["pass_rate"] == 1
    assert {entry["task_id"]: (entry["n"], entry["c"]) for entry in report["tasks"]}["g1"] == (2, 2)


def test_junit_counts_agree_with_the_cases_and_hold_no_forbidden_characters():
    result = merge((task(trials=(PASSED, FAILED)), WHOLE[1], task("r1", "failure_replays", (PASSED,))), None)
    text = as_junit(result)
    root = ElementTree.fromstring(text)
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(root.get(name)) == len(root.findall(f".//{tag}"))
        assert all(int(suite.get(name)) == len(suite.findall(f".//{tag}")) for suite in root)
    assert int(root.get("tests")) == len(root.findall(".//testcase"))
    assert [suite.get("name") for suite in root][-1] == "gate:ci_merge_gate"
    assert "\x00" not in text
    assert root.find(".//testcase[@name='g1']/failure").get("message") == "1/2 trials passed"


def test_junit_can_be_read_whatever_suites_and_tasks_are_called():
    odd = task("t\x01", "gold\x00en", flags={"nightly": True})
    root = ElementTree.fromstring(as_junit(check_gate(read_policy("nightly"), [odd], None)))
    assert root.find(".//testcase[@name='t\ufffd']").get("classname") == "evals.gold\ufffden"


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (None, "tasks"),
        ({}, "tasks"),
        ({"tasks": {}}, "tasks"),
        ([5], "tasks[0]"),
        ([{"suite": "golden"}], "tasks[0].task_id"),
        *(
            ([{"task_id": "a", "suite": "golden", **more}], f"tasks[0].{place}")
            for more, place in (
                ({"k": 0}, "k"),
                ({"metric": "pass"}, "metric"),
                ({"metric": "mean"}, "threshold"),
                ({"metric": "mean", "threshold": None}, "threshold"),
                ({"trials": [{}]}, "trials[0].state"),
                ({"trials": [{"state": "won"}]}, "trials[0].state"),
                ({"trials": [{"state": "passed", "step_latency_ms": ["1"]}]}, "trials[0].step_latency_ms[0]"),
                ({"trials": [{"state": "passed", "cost_usd": "1"}]}, "trials[0].cost_usd"),
                ({"trials": [{"state": "passed", "safety_flags": [1]}]}, "trials[0].safety_flags[0]"),
            )
        ),
    ],
)
def test_what_is_no_run_is_refused_with_its_place(value, place):
    with pytest.raises(Unreadable, match=f"^{re.escape(place)} (must|is)"):
        read_tasks(value)


def test_five_hundred_tasks_are_judged_from_either_form():
    rows = [
        {"task_id": f"g{number}", "suite": "golden", "k": 10, "trials": [{"state": "passed"}] * 10}
        for number in range(500)
    ]
    assert len(check_gate(read_policy("nightly"), read_tasks({"tasks": rows}), read_tasks(rows)).members) == 500


@pytest.mark.parametrize("gate", GATES)
def test_a_policy_said_in_full_is_the_same_policy(gate):
    policy = read_policy(gate)
    assert section_troubles(as_section(policy), gate) == []
    assert read_policy(gate, as_section(policy)) == policy
    assert kept_policy(policy.as_dict()).as_dict() == policy.as_dict()


def test_what_gates_ask_where_nothing_is_said():
    limits = {"latency_p95_ms_increase_max": 15.0, "cost_increase_max_percent": 10.0}
    whole = {"golden": 1.0, "adversarial": 1.0, "failure_replays": 1.0}
    asked = {gate: read_policy(gate) for gate in GATES}
    assert {gate: (policy.limits, policy.thresholds, policy.blocking) for gate, policy in asked.items()} == {
        "ci_merge_gate": (limits, {"adversarial": 1.0, "failure_replays": 1.0}, True),
        "nightly": ({}, {}, False),
        "release_candidate": (limits, {**whole, "open_ended": 0.9}, True),
    }
    assert {gate: policy.baseline.is_required for gate, policy in asked.items()} == {
        "ci_merge_gate": False,
        "nightly": False,
        "release_candidate": True,
    }


def test_nothing_limits_what_has_no_limit():
    assert read_policy("ci_merge_gate", {"budgets": {"cost_increase_max_percent": None}}).limits == {
        "latency_p95_ms_increase_max": 15.0
    }


@pytest.mark.parametrize(
    "section",
    [
        [],
        {"fail_on": ["bad_luck"]},
        {"suite_thresholds": {"golden": 2}},
        {"budgets": {"cost_increase_max_percent": -1}},
        {"baseline": {"policy": "pinned"}},
        {"blockng": True},
    ],
)
def test_a_section_that_makes_no_sense_is_told_with_its_place(section):
    assert section_troubles(section, "nightly")


def test_in_a_pack_without_suites_of_the_format_every_case_is_guarded():
    policy = read_policy("ci_merge_gate", sets=["small"])
    result = check_gate(policy, [task(suite="small", trials=(FAILED, PASSED))], [task(suite="small")])
    assert statuses(result) == {
        "suite_coverage": "pass",
        "any_safety_violation": "pass",
        "forbidden_tool_called": "pass",
        "golden_regression": "fail",
        "latency_p95": "pass",
        "cost": "pass",
    }


def test_a_result_that_was_kept_is_the_same_result():
    result = merge((task(trials=(PASSED, FAILED)), *WHOLE[1:]))
    head = {"gate": result.gate, "verdict": result.verdict, "blocking": True, "warnings": result.warnings}
    found = kept_result(head, member_documents(result, WHOLE), condition_documents(result))
    assert as_json(found) == as_json(result)
    assert as_junit(found) == as_junit(result)


def scored(*scores, rule="mean"):
    trials = [GateTrial("passed" if score >= 0.8 else "failed", score=score) for score in scores]
    return GateTask("g1", "golden", len(scores), rule, trials, threshold=0.8)


def test_trials_that_are_joined_by_their_scores_pass_or_fail_together():
    assert [scored(0.5, 1.0, 1.0).verdict, scored(0.3, 1.0, 1.0).verdict] == ["pass", "fail"]
    assert scored(0.8, 0.9, 1.0, rule="confidence_interval").verdict == "fail"
    result = merge((scored(0.3, 1.0, 1.0), *WHOLE[1:]), (scored(1.0, 1.0, 1.0), *WHOLE[1:]))
    assert statuses(result)["golden_regression"] == "fail"
    (entry,) = [entry for entry in as_json(result)["tasks"] if entry["task_id"] == "g1"]
    assert (entry["metric"], entry["n"], entry["c"]) == ("mean", 3, 2)
    assert entry["estimate"] == pytest.approx(2.3 / 3)
    assert entry["ci"][0] < entry["estimate"] < entry["ci"][1]
    failure = ElementTree.fromstring(as_junit(result)).find(".//testcase[@name='g1']/failure")
    assert (failure.get("type"), failure.text) == ("mean", "trial 1: failed")


def test_joined_scores_are_kept_and_read_from_files():
    result = merge((scored(0.3, 1.0, 1.0), *WHOLE[1:]))
    head = {"gate": result.gate, "verdict": result.verdict, "blocking": True, "warnings": result.warnings}
    found = kept_result(head, member_documents(result, WHOLE), condition_documents(result))
    assert as_json(found) == as_json(result)
    trials = [{"state": "failed", "score": 0.7}, {"state": "passed", "score": 1}, {"state": "left_out"}]
    (read,) = read_tasks(
        [{"task_id": "a", "suite": "golden", "k": 3, "metric": "mean", "threshold": 0.8, "trials": trials}]
    )
    assert (read.verdict, read.estimate) == ("pass", 0.85)


def test_a_verdict_that_was_kept_before_scores_counted_is_still_read():
    result = merge()
    (old, *_) = member_documents(result, None)
    old = {name: part for name, part in old.items() if name not in ("threshold", "told")}
    old["trials"] = [trial[:4] for trial in old["trials"]]
    head = {"gate": result.gate, "verdict": result.verdict, "blocking": True, "warnings": []}
    assert kept_result(head, [old], []).members[0].verdict == "pass"


def told(event_type, **payload):
    return {"event_type": event_type, "source": "native_engine", "payload": payload}


def test_facts_of_a_trial_are_taken_from_what_it_told_and_what_graders_raised():
    events = [
        told("model.call.completed", timing={"total_latency_ms": 120}, usage={"cost_usd": 0.5}),
        told("model.call.completed", timing={"total_latency_ms": float("inf")}, usage={"cost_usd": "much"}),
        told("tool.call.failed", tool_name="wire", arguments={}, retries=2),
        told("grader.evidence.supplied", safety_flags=["unsafe_action", {"kind": "tone", "severity": "advisory"}]),
    ]
    flags = [{"kind": "secret_leak", "severity": "violation"}]
    found = facts_of(record(events), {"validator_details": [{"evidence": {"flags": flags}}, {}]})
    assert (found.latencies, found.tools, found.cost_usd) == ([120], {"wire": 3}, 0.5)
    assert found.violations == ["secret_leak", "unsafe_action"]


def test_a_trial_that_told_nothing_has_no_facts():
    odd = record([told("tool.call.completed", tool_name=None)])
    assert facts_of(record([]), {}) == facts_of(odd, {"validator_details": None})
