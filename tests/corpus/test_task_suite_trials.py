"""The numbers of the corpus through `run grade`: each vector becomes a task and a recorded trial of it."""

import io
import json

import pytest

from packs.formats import yamlio
from runs.management.grading import main as run
from tests.corpora import corpus_folder
from tests.runs.suites import suite_files, task

FOLDER = corpus_folder("task-suite")
VECTORS, _ = yamlio.read((FOLDER / "metrics-vectors.yaml").read_bytes(), dialect=yamlio.CORE_12)
TRACE = {
    "run_id": "r",
    "agent_version": "1",
    "model_id": "m",
    "prompt_hash": f"sha256:{'0' * 64}",
    "tool_allowlist_hash": f"sha256:{'0' * 64}",
    "tokens_in": 0,
    "tokens_out": 0,
    "latency_ms": 0,
}


RUBRIC = b"# Rubric: It (0-4)\nScores it.\n" + b"".join(b"- **%d**: level\n" % number for number in range(5))


def trial(steps=(), **evidence):
    """A trial record with these steps and this evidence."""
    placed = [{"timestamp": "2026-03-01T10:00:00Z", **step} for step in steps]
    count = sum(1 + step.get("retries", 0) for step in placed)
    outcome = {"success": True, "safety_flags": []}
    return {"trace": {**TRACE, "steps": placed, "tool_call_count": count, "outcome": outcome}, "evidence": evidence}


def call(name, status="ok"):
    return {"tool_name": name, "tool_args": {}, "tool_result_status": status, "retries": 0}


def rubric(scores, threshold, weights):
    grader = {"type": "model_rubric", "scoring": {"pass_threshold": threshold}}
    if weights is None:
        grader["rubric_paths"] = [f"../_shared/rubrics/{name}.md" for name in scores]
    else:
        grader["scoring"]["weights"] = weights
    said = [{"dimension": name, "score": score} for name, score in scores.items()]
    return grader, said


def of_match(given):
    return [{"type": "state_check", "expect": {"it": given["expected"]}}], trial(state={"it": given["actual"]}), {}


def of_loop(given):
    checks = [{"no_loops": True}, {"max_retries_per_tool": given["max_retries_per_tool"]}]
    return [{"type": "trajectory_metrics", "checks": checks}], trial(given["steps"]), {}


def of_rubric(given):
    grader, said = rubric(given["scores"], given["pass_threshold"], given["weights"])
    return [grader], trial(judge=said), {}


def of_combine(given):
    graders, said = [], []
    for number, stated in enumerate(given["graders"]):
        grader, opinions = rubric(
            {"output_quality": 4 * (stated["score"] or 0)}, 0 if stated["passed"] else 4, {"output_quality": 1}
        )
        own = {"id": f"g{number}", "weight": stated["weight"], "critical": stated["critical"]}
        if stated["status"] == "skipped":
            grader, opinions = {"type": "human_review", "assertions": ["It is so"]}, []
        graders.append({**grader, **own})
        said += [{"grader": f"g{number}", **item} for item in opinions if stated["status"] == "ok"]
    grading = {"mode": given["mode"], **({} if given["threshold"] is None else {"threshold": given["threshold"]})}
    # Reviews of nobody's, so that no grader takes what was said for another one.
    return graders, trial(judge=said or [{"grader": "nobody", "score": 0}]), {"grading": grading}


def of_actions(given):
    checks = [{"min_action_precision": 0}, {"min_action_recall": 0}]
    graders = [{"type": "trajectory_metrics", "reference": given["reference"], "checks": checks}]
    return graders, trial([call(name) for name in given["actual"]]), {}


def of_tools(given):
    checks = [{"max_tool_error_rate": 1}, {"max_retry_rate": 1}]
    return [{"type": "trajectory_metrics", "checks": checks}], trial(given["steps"]), {}


MADE = {
    "match": of_match,
    "loop_detected": of_loop,
    "rubric": of_rubric,
    "combine": of_combine,
    "action_match": of_actions,
    "tool_metrics": of_tools,
}
CASES = [case for case in VECTORS["cases"] if case["kind"] in MADE]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What one call of `run grade` says of all vectors, by their ids."""
    folder = tmp_path_factory.mktemp("trials")
    tasks, rows = [], []
    for case in CASES:
        graders, record, more = MADE[case["kind"]](case["input"])
        tasks.append(task("open_ended", case["id"], graders=graders, inputs={"user_message": "Do it."}, **more))
        rows.append({"task_id": case["id"], **record})
    rubrics = {name for case in CASES for name in case["input"].get("scores", ())}
    files = {f"evals/_shared/rubrics/{name}.md": RUBRIC for name in rubrics}
    for name, content in suite_files(*tasks, **files).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / "trials.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out, err = io.StringIO(), io.StringIO()
    run(["grade", str(folder), "--outputs", str(folder / "trials.jsonl"), "--json"], out, err)
    assert not err.getvalue()
    return {found["case_key"]: found for found in json.loads(out.getvalue())["results"]}


def vectors(*kinds):
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] in kinds]


def checks_of(result):
    [grade] = result["grades"]
    return {check["name"]: check["actual"] for check in grade["evidence"]["checks"]}


@pytest.mark.parametrize("vector", vectors("match"))
def test_a_state_matches_as_stated(results, vector):
    assert results[vector["id"]]["verdict"] == ("pass" if vector["expect"] else "fail")


@pytest.mark.parametrize("vector", vectors("loop_detected"))
def test_a_loop_is_found_as_stated(results, vector):
    assert checks_of(results[vector["id"]])["no_loops"] is vector["expect"]


@pytest.mark.parametrize("vector", vectors("rubric"))
def test_a_rubric_is_scored_as_stated(results, vector):
    found, expected = results[vector["id"]], vector["expect"]
    if expected["status"] == "error":
        assert found["verdict"] == "error"
        return
    assert found["verdict"] == ("pass" if expected["passed"] else "fail")
    assert found["score"] == pytest.approx(expected["score"], abs=1e-9)


@pytest.mark.parametrize("vector", vectors("combine"))
def test_graders_are_combined_as_stated(results, vector):
    words = {"passed": "pass", "failed": "fail", "error": "error"}
    found, expected = results[vector["id"]], vector["expect"]
    assert found["verdict"] == words[expected["state"]]
    assert found["score"] == (None if expected["score"] is None else pytest.approx(expected["score"], abs=1e-9))


@pytest.mark.parametrize("vector", vectors("action_match"))
def test_actions_are_compared_as_stated(results, vector):
    found = checks_of(results[vector["id"]])
    for name, member in (("min_action_precision", "precision"), ("min_action_recall", "recall")):
        expected = vector["expect"][member]
        assert found[name] == (None if expected is None else pytest.approx(expected, abs=1e-9))


@pytest.mark.parametrize("vector", vectors("tool_metrics"))
def test_rates_are_as_stated(results, vector):
    found = checks_of(results[vector["id"]])
    for name, member in (("max_tool_error_rate", "tool_error_rate"), ("max_retry_rate", "retry_rate")):
        assert found[name] == pytest.approx(vector["expect"][member] or 0, abs=1e-9)
