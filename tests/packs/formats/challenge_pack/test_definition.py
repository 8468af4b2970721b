from packs.formats.challenge_pack.definition import compile_scoring
from packs.formats.task import Dimension, GraderSpec, Metric, Price, Signal


def dimensions(listed, **more):
    scorecard = {"dimensions": listed, **more.pop("scorecard", {})}
    return compile_scoring({"scorecard": scorecard, **more})[2].dimensions


def test_texts_are_trimmed_and_defaults_filled_in():
    spec = {
        "validators": [{"key": " v ", "type": "contains", "target": " final_output ", "expected_from": " literal:x "}],
        "metrics": [{"key": " m ", "type": "numeric", "collector": " run_ttft_ms ", "unit": " ms "}],
        "pricing": {"models": [{"provider_key": " p ", "provider_model_id": " m "}]},
        "behavioral": {"signals": [{"key": "error_cascade", "weight": 2, "gate": True, "pass_threshold": 0}]},
        "scorecard": {"dimensions": []},
    }
    graders, _, scoring = compile_scoring(spec)
    assert graders == (GraderSpec("v", "contains", "final_output", "literal:x"),)
    assert scoring.metrics == (Metric("m", "numeric", "run_ttft_ms", "ms"),)
    assert scoring.prices == (Price("p", "m"),)
    assert scoring.signals == (Signal("error_cascade", 2, True, 0),)
    assert scoring.strategy == "weighted"


def test_names_of_ready_made_dimensions_are_expanded():
    assert dimensions(["correctness", "reliability", "behavioral"]) == (
        Dimension("correctness", "validators"),
        Dimension("reliability", "reliability"),
        Dimension("behavioral", "behavioral"),
    )


def test_a_described_dimension_may_leave_out_a_source_that_its_key_tells():
    (found,) = dimensions([{"key": "correctness", "validators": ["a"], "weight": 0}])
    assert (found.source, found.graders, found.weight) == ("validators", ("a",), 0)


def test_time_and_cost_take_their_bounds_from_the_scorecard_and_the_budget():
    blocks = {"normalization": {"latency": {"target_ms": 100}, "cost": {"target_usd": 0.1, "max_usd": 1}}}
    limits = {"max_duration_ms": 5000, "max_cost_usd": 9}
    latency, cost = dimensions(["latency", "cost"], scorecard=blocks, runtime_limits=limits)
    assert (latency.target, latency.maximum, latency.better_direction) == (100, 5000, "lower")
    assert (cost.target, cost.maximum) == (0.1, 1)


def test_without_the_block_the_budget_is_no_bound():
    (latency,) = dimensions(["latency"], runtime_limits={"max_duration_ms": 5000})
    assert (latency.target, latency.maximum) == (None, None)


def test_bounds_of_a_dimension_itself_come_first():
    blocks = {"normalization": {"latency": {"target_ms": 1, "max_ms": 2}}}
    described = {"key": "l", "source": "latency", "normalization": {"target": 0, "max": 10}}
    (found,) = dimensions([described], scorecard=blocks)
    assert (found.target, found.maximum) == (0, 10)


def test_a_judge_gets_the_defaults_of_the_format():
    judge = {"key": "j", "mode": "assertion", "model": " gpt-4o ", "assertion": " Says so. ", "expect": False}
    (found,) = compile_scoring({"llm_judges": [judge | {"samples": 0, "context_from": ["final_output"]}]})[1]
    assert (found.samples, found.models, found.text, found.expect) == (3, ("gpt-4o",), " Says so. ", False)
    assert (found.scale_min, found.scale_max, found.timeout_seconds, found.context) == (1, 5, 60, ("final_output",))


def test_the_text_of_a_judge_is_that_of_its_mode():
    judges = [
        {"key": mode, "mode": mode, "rubric": "R", "assertion": "A", "prompt": "P"} for mode in ("reference", "n_wise")
    ]
    assert [judge.text for judge in compile_scoring({"llm_judges": judges})[1]] == ["R", "P"]


def test_a_partial_or_ill_typed_spec_compiles_to_what_is_there():
    graders, judges, scoring = compile_scoring({"validators": [5, {"key": []}], "llm_judges": {}, "scorecard": []})
    assert (len(graders), judges, scoring.dimensions) == (1, (), ())
