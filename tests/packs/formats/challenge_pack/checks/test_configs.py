import pytest

from packs.formats.challenge_pack.checks.configs import CONFIGS, check_config
from packs.formats.challenge_pack.checks.validators import VALIDATOR_TYPES

PATH = ("version", "evaluation_spec", "validators", 0, "config")


def found(kind, config):
    prefix = "version.evaluation_spec.validators[0]."
    findings = check_config({"config": config}, kind, PATH)
    return [(finding.rule, finding.field_path.removeprefix(prefix)) for finding in findings]


@pytest.mark.parametrize("kind", [kind for kind in VALIDATOR_TYPES if kind not in CONFIGS])
@pytest.mark.parametrize("config", [{"anything": 1}, "text", [1], 5])
def test_types_without_a_known_config_take_any(kind, config):
    assert found(kind, config) == []


@pytest.mark.parametrize("kind", CONFIGS)
@pytest.mark.parametrize("config", [{"surprise": 1}, "text", [1], 5])
def test_a_config_of_the_wrong_shape_is_one_finding(kind, config):
    assert found(kind, config) == [(CONFIGS[kind].rule, "config")]


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("fuzzy_match", {"threshold": "0.5"}),
        ("fuzzy_match", {"threshold": True}),
        ("numeric_match", {"significant_digits": 1.5}),
        ("normalized_match", {"pipeline": "trim"}),
        ("normalized_match", {"pipeline": [1]}),
        ("code_execution", {"test_command": ["pytest"]}),
        ("tool_call_assertion", {"must_call": "yes"}),
        ("postcondition", {"condition": 1}),
    ],
)
def test_a_value_of_the_wrong_type_is_reported_on_the_config(kind, config):
    assert found(kind, config) == [(CONFIGS[kind].rule, "config")]


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("fuzzy_match", {"threshold": 0}),
        ("fuzzy_match", {"threshold": None, "normalize": True}),
        ("numeric_match", {"absolute_tolerance": 0, "significant_digits": 3.0}),
        ("numeric_match", {"tolerance": 0.1, "significant_digits": 2}),
        ("normalized_match", {"pipeline": [], "normalizations": ["sort_lines"]}),
        ("math_equivalence", {"comparison_mode": " numeric ", "tolerance": 0}),
        ("bleu_score", {"smoothing": "", "max_ngram": 1}),
        ("rouge_score", {"variant": "rouge-2", "beta": 0.5}),
        ("code_execution", {"test_command": "x", "scoring": "", "pass_threshold": 1}),
        ("tool_call_assertion", {"count": 0}),
        ("tool_call_assertion", {"must_call": False, "max_count": 0}),
        ("tool_call_assertion", {"arguments_contain": {}}),
        ("postcondition", {"condition": " exists "}),
        ("postcondition", {"condition": "equals", "value": None}),
        ("postcondition", {"condition": "not_contains", "value": ""}),
        ("postcondition", {"condition": "json_path_match", "json_path": "$.a", "value": False}),
    ],
)
def test_a_config_within_its_bounds_is_accepted(kind, config):
    assert found(kind, config) == []


@pytest.mark.parametrize(("mode", "field"), [("absolute", "absolute_tolerance"), ("", "relative_tolerance")])
def test_a_negative_legacy_tolerance_is_reported_as_the_one_it_stands_for(mode, field):
    assert found("numeric_match", {"tolerance_mode": mode, "tolerance": -1}) == [("F2", f"config.{field}")]


def test_a_fault_in_the_mode_or_the_mix_hides_the_numbers():
    assert found("numeric_match", {"tolerance_mode": "percent", "significant_digits": 0}) == [("F2", "config")]
    assert found("numeric_match", {"tolerance": -1, "relative_tolerance": -1}) == [("F2", "config")]


def test_every_fault_of_a_tool_call_assertion_is_told():
    config = {"must_call": True, "count": 0, "min_count": -2, "max_count": 0, "order_mode": "x"}
    assert found("tool_call_assertion", config) == [
        ("F12", "config.min_count"),
        ("F12", "config.count"),
        ("F12", "config.must_call"),
        ("F12", "config.must_call"),
        ("F12", "config.order_mode"),
        ("F12", "config.ordered_tools"),
    ]


def test_an_order_mode_alone_asserts_nothing():
    assert found("tool_call_assertion", {"order_mode": "exact"}) == [
        ("F12", "config.ordered_tools"),
        ("F12", "config"),
    ]


@pytest.mark.parametrize("kind", ["tool_call_assertion", "postcondition"])
def test_a_missing_config_matters_only_where_everything_is_in_it(kind):
    assert found(kind, None) == [(CONFIGS[kind].rule, "config")]
    assert found("code_execution", None) == []
