"""The numbers of the corpus: estimates, intervals, verdicts, loops, matching, rubrics, gates; all to 1e-9."""

from statistics import fmean

import pytest

from packs.formats import yamlio
from packs.formats.task_suite.fingerprint import fingerprint, prompt_hash, tool_allowlist_hash
from runs.gates import check_gate, read_policy
from runs.gates.reading import read_tasks
from runs.grading.graders.rubrics import rubric_result
from runs.grading.scoring.combining import Part, combine
from runs.grading.scoring.six_dimensions import mean_of
from runs.replay.trajectories.actions import match_actions
from runs.replay.trajectories.calls import Trajectory, calls_of
from runs.replay.trajectories.facts import Scene
from runs.replay.trajectories.loops import has_loop
from runs.replay.trajectories.matching import matches
from runs.replay.trajectories.tracked import Judged, measure, plain
from runs.statistics import estimates
from tests.corpora import corpus_folder

FOLDER = corpus_folder("task-suite")
VECTORS, _ = yamlio.read((FOLDER / "metrics-vectors.yaml").read_bytes(), dialect=yamlio.CORE_12)


def vectors(*kinds):
    return [pytest.param(case, id=case["id"]) for case in VECTORS["cases"] if case["kind"] in kinds]


def tool_metrics(given):
    trial = Judged(Scene(Trajectory(calls_of(given["steps"]))))
    names = ("tool_call_count", "tool_error_count", "tool_error_rate", "retry_count", "retry_rate")
    return {name: plain(measure(name, trial)) for name in names}


def action_match(given):
    found = match_actions(given["reference"], given["actual"])
    return {"precision": found.precision, "recall": found.recall, "in_order": found.in_order}


def rubric(given):
    found = rubric_result(given["scores"], given["weights"], given["pass_threshold"])
    status = "ok" if found.mean is not None else "error"
    return {"status": status, "mean": found.mean, "passed": found.passed, "score": found.score}


def combined(given):
    found = combine(given["mode"], [Part(**grader) for grader in given["graders"]], given["threshold"])
    return {"state": found.state, "score": found.score}


def scorecard(given):
    mean = mean_of(given["scores"], has_several_agents=given["collaboration"])
    return {"mean": mean, "percent": mean * 25}


def suite_mean(given):
    found = [estimates.estimate(given["metric"], task["n"], task["c"], task["k"]) for task in given["tasks"]]
    known = [value for value in found if value is not None]
    return fmean(known) if known else None


def interval_of(metric):
    return lambda given: estimates.interval(metric, given["c"], given["n"], given["k"], given["level"])


COMPUTED = {
    "pass_at_k": lambda given: estimates.pass_at_k(given["n"], given["c"], given["k"]),
    "pass_hat_k": lambda given: estimates.pass_hat_k(given["n"], given["c"], given["k"]),
    "wilson": lambda given: estimates.wilson(given["c"], given["n"], given["level"]),
    "ci_pass_at_k": interval_of("pass@k"),
    "ci_pass_hat_k": interval_of("pass^k"),
    "verdict": lambda given: estimates.verdict(given["k"], given["metric"], given["trials"]),
    "suite_mean": suite_mean,
    "percentile": lambda given: estimates.percentile(given["values"], given["q"]),
    "loop_detected": lambda given: has_loop(calls_of(given["steps"]), given["max_retries_per_tool"]),
    "tool_metrics": tool_metrics,
    "action_match": action_match,
    "match": lambda given: matches(given["expected"], given["actual"]),
    "rubric": rubric,
    "combine": combined,
    "scorecard": scorecard,
    "prompt_hash": lambda given: prompt_hash(given["text"]),
    "tool_allowlist_hash": lambda given: tool_allowlist_hash(given["tools"]),
    "fingerprint": lambda given: fingerprint(given["task"], given["rubrics"]),
}


def is_close(found, expected):
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(is_close(found[name], expected[name]) for name in expected)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(is_close, found, expected))
    if isinstance(expected, bool | str) or expected is None:
        return found is expected or (isinstance(expected, str) and found == expected)
    return found is not None and abs(found - expected) <= 1e-9


@pytest.mark.parametrize("vector", vectors(*COMPUTED))
def test_a_value_is_the_stated_one(vector):
    found = COMPUTED[vector["kind"]](vector["input"])
    assert is_close(found, vector["expect"]), (found, vector["expect"])


def test_every_kind_of_value_is_computed():
    assert {case["kind"] for case in VECTORS["cases"]} == {*COMPUTED, "gate"}


@pytest.mark.parametrize("vector", vectors("gate"))
def test_a_gate_says_what_is_stated(vector):
    given, expected = vector["input"], vector["expect"]
    baseline = None if given["baseline"] is None else read_tasks(given["baseline"])
    result = check_gate(read_policy(given["gate"], given.get("config")), read_tasks(given["candidate"]), baseline)
    observed = {condition.id: condition.observed for condition in result.conditions}
    assert (result.verdict, result.exit_code) == (expected["verdict"], expected["exit_code"])
    assert [task.task_id for task in result.members] == expected["members"]
    assert {condition.id: condition.status for condition in result.conditions} == expected["conditions"]
    names = {"latency_p95_increase_ms": "latency_p95", "cost_increase_percent": "cost"}
    for name, value in expected.get("observed", {}).items():
        assert is_close(observed[names[name]], value)
