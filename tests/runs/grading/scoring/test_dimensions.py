from pathlib import Path

import pytest

from packs.formats.task import Dimension, Metric
from runs.grading.scoring.dimensions import SOURCES, higher_is_better, lower_is_better
from runs.grading.scoring.results import JudgeResult
from tests.runs.grading.scoring.trials import ERRS, FAILS, MISSES, PASSES, by_grader, card

ROOT = Path(__file__).resolve().parents[4]
FAILURES = Metric("fails", "numeric", "run_failure_count")
COMPLETED = Metric("done", "boolean", "run_completed_successfully")


def dimension(stated, **more):
    return card(stated, **more).dimensions[0]


def test_graders_in_scope_are_averaged():
    assert dimension(Dimension("d", "validators"), graders=(PASSES, FAILS)).score == 0.5
    assert dimension(by_grader("d", PASSES)).score == 1


@pytest.mark.parametrize(
    ("graders", "state"), [((MISSES, ERRS), "unavailable"), ((ERRS, MISSES), "error"), ((), "unavailable")]
)
def test_a_grader_without_a_score_leaves_the_dimension_without_one(graders, state):
    found = dimension(Dimension("d", "validators"), graders=graders)
    assert (found.state, found.score) == (state, None)


@pytest.mark.parametrize(("value", "score"), [(0, 1), (10, 1), (15, 0.5), (20, 0), (99, 0)])
def test_lower_is_better_between_target_and_maximum(value, score):
    assert lower_is_better(value, 10, 20) == score
    assert higher_is_better(-value, -10, -20) == score


@pytest.mark.parametrize(
    ("pairs", "metrics", "score"),
    [
        ([("system.run.completed", {})], (COMPLETED, FAILURES), 1),
        ([("system.run.completed", {}), ("tool.call.failed", {})], (COMPLETED, FAILURES), 0),
        ([("system.run.failed", {})], (COMPLETED, FAILURES), 0),
        ([("system.run.completed", {})], (COMPLETED,), None),
        ([], (COMPLETED, FAILURES), None),
    ],
)
def test_reliability_is_completing_without_failures(pairs, metrics, score):
    assert dimension(Dimension("r", "reliability"), pairs=pairs, metrics=metrics).score == score


def test_a_metric_is_scaled_in_its_direction():
    calls = [("tool.call.completed", {"tool_name": "x"})] * 3
    counted = (Metric("n", "numeric", "run_tool_call_count"),)
    stated = {"metric": "n", "target": 2.0, "maximum": 4.0}
    assert (
        dimension(Dimension("d", "metric", better_direction="lower", **stated), pairs=calls, metrics=counted).score
        == 0.5
    )
    floor = {"metric": "n", "target": 4.0, "maximum": 2.0}
    assert dimension(Dimension("d", "metric", **floor), pairs=calls, metrics=counted).score == 0.5


@pytest.mark.parametrize(
    ("stated", "state"),
    [
        (Dimension("d", "metric", metric="fails"), "unavailable"),
        (Dimension("d", "metric", metric="done", target=1, maximum=2), "unavailable"),
        (Dimension("d", "metric", metric="gone", target=1, maximum=2), "unavailable"),
        (Dimension("d", "metric", metric="fails", target=1, maximum=2, better_direction="up"), "error"),
        (Dimension("d", "latency"), "unavailable"),
        (Dimension("d", "cost", target=1, maximum=2), "unavailable"),
        (Dimension("d", "llm_judge", judge="gone"), "unavailable"),
        (Dimension("d", "llm_judge", judge="silent"), "unavailable"),
        (Dimension("d", "human_preference"), "unavailable"),
        (Dimension("d", "astrology"), "error"),
    ],
)
def test_without_what_it_needs_a_dimension_has_no_score(stated, state):
    judges = (JudgeResult("silent", "rubric", reason="it timed out"),)
    pairs = [("system.run.completed", {})]
    found = dimension(stated, pairs=pairs, metrics=(FAILURES, COMPLETED), judges=judges)
    assert (found.state, found.score) == (state, None)
    assert found.reason


def test_judges_and_people_are_taken_as_they_are():
    assert dimension(Dimension("d", "llm_judge", judge="j"), judges=(JudgeResult("j", "rubric", 0.75),)).score == 0.75
    assert dimension(Dimension("d", "human_preference"), human_preference=0.8).score == 0.8


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_is_documented(source):
    assert f"`{source}`" in (ROOT / "docs" / "scoring.md").read_text()
