import subprocess
import sys

import pytest

from packs.formats.challenge_pack.checks.validators import check_validators
from packs.formats.kinds import KINDS
from packs.formats.kinds.settings import BadSettings, out_of_bounds, problems, read

CHECKED = [name for name, kind in KINDS.items() if kind.rule]
UNCHECKED = [name for name, kind in KINDS.items() if not kind.rule]
PATH = ("version", "evaluation_spec", "validators", 0, "config")


def found(kind, config):
    prefix = "version.evaluation_spec.validators[0]."
    findings = problems(kind, config, PATH)
    return [(finding.rule, finding.field_path.removeprefix(prefix)) for finding in findings]


@pytest.mark.parametrize("kind", UNCHECKED)
@pytest.mark.parametrize("config", [{"anything": 1}, "text", [1], 5])
def test_a_pack_may_give_some_kinds_any_config(kind, config):
    validator = {"key": "v", "type": kind, "target": "file:f", "expected_from": "literal:x", "config": config}
    spec = {"validators": [validator], "post_execution_checks": [{"key": "f", "type": "file_capture", "path": "f"}]}
    assert list(check_validators({"version": {"evaluation_spec": spec}})) == []


@pytest.mark.parametrize("kind", CHECKED)
@pytest.mark.parametrize("config", [{"surprise": 1}, "text", [1], 5])
def test_a_config_of_the_wrong_shape_is_one_finding(kind, config):
    assert found(kind, config) == [(KINDS[kind].rule, "config")]


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
    assert found(kind, config) == [(KINDS[kind].rule, "config")]


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
    assert found(kind, None) == [(KINDS[kind].rule, "config")]
    assert found("code_execution", None) == []


def test_a_grader_gets_every_setting_with_its_default_where_it_is_absent_or_null():
    assert read("fuzzy_match", {"normalize": None, "threshold": 1}) == {
        "threshold": 1.0,
        "case_insensitive": False,
        "normalize": False,
    }
    assert read("file_content_match", None)["match_mode"] == "contains"
    assert read("math_equivalence", {"answer_delimiter": " = ", "comparison_mode": " "})["answer_delimiter"] == "="
    settings = read("tool_call_assertion", {"tool_name": " search ", "count": 2.0})
    assert (settings["tool_name"], settings["must_call"], settings["ordered_tools"]) == ("search", None, [])
    assert (settings["count"], type(settings["count"])) == (2, int)


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("token_f1", {"threshold": 1.5}),
        ("chrf_score", {"char_order": 0}),
        ("bleu_score", {"smoothing": "heavy"}),
        ("numeric_match", {"relative_tolerance": 10**400}),
        ("file_content_match", {"match_mode": "near"}),
        ("file_exists", {"must_exist": "no"}),
        ("directory_structure", ["x"]),
        ("postcondition", None),
        ("code_execution", {"scoring": "pass_at_k", "test_command": "x"}),
    ],
)
def test_a_grader_gets_no_settings_that_its_author_must_fix(kind, config):
    with pytest.raises(BadSettings):
        read(kind, config)


def test_a_kind_that_takes_any_config_passes_over_what_it_does_not_know():
    assert read("file_exists", {"surprise": 1}) == {"must_exist": True}


def test_a_grader_loads_no_kind_but_its_own():
    script = (
        "import sys; from packs.formats.task import GraderSpec; from runs.grading.graders import grade;"
        "from runs.grading.graders.evidence import build_evidence;"
        "grade(GraderSpec('v', 'fuzzy_match', 'literal:a', 'literal:b', {}), build_evidence([], []));"
        "print(*(name for name in sys.modules if name.startswith(('packs.formats.kinds.', 'runs.grading.graders.'))))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in done.stdout.split()}
    assert loaded & set(KINDS) == {"fuzzy_match"}


@pytest.mark.parametrize(
    ("limits", "value", "message"),
    [
        ({"minimum": 0, "maximum": 10}, 3, None),
        ({"minimum": 2, "maximum": 10}, 1, "`most` must be between 2 and 10."),
        ({"minimum": 0, "maximum": 1}, 3, "`most` must be between 0 and 1."),
        ({"minimum": 5}, 3, "`most` must be at least 5."),
        ({"exclusiveMinimum": 5}, 5, "`most` must be above 5."),
    ],
)
def test_a_setting_may_be_what_the_limits_of_its_schema_allow(limits, value, message):
    found = list(out_of_bounds({"most": value}, {"most": {"type": "integer", **limits}}, ()))
    assert [finding.message for finding in found] == ([message] if message else [])
