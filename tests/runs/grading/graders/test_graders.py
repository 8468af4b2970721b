import math
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from packs.formats.task import EvidenceCase, GraderSpec, Task
from runs.grading.graders import COMMANDS, GRADERS, grade
from runs.grading.graders.evidence import build_evidence
from tests.drawing import drawn
from tests.runs.grading.graders.grading import graded, outcome

ROOT = Path(__file__).resolve().parents[4]


def test_an_unknown_kind_is_the_authors_mistake():
    assert outcome(graded("telepathy", "a", "a")) == "pack_error"


@pytest.mark.parametrize("kind", GRADERS)
def test_without_any_evidence_no_kind_of_grader_raises(kind):
    for target in ("", "final_output", "file:f", "tool_calls", "case.payload", "literal:{}"):
        for config in (None, {}, {"x": 1}, {"threshold": [], "schema": 1, "condition": 1, "pipeline": "x"}):
            result = grade(GraderSpec("v", kind, target, "literal:(", config), build_evidence([], []))
            assert (result.key, result.kind) == ("v", kind)


def test_the_grader_that_the_page_shows_as_an_example_works():
    [module] = re.findall(r"```python\n(.*?)```", (ROOT / "docs/graders.md").read_text(), re.S)
    names = {}
    exec(compile(module, "docs/graders.md", "exec"), names)
    evidence = build_evidence([], [])
    texts = (("one two", "2"), ("one two three", "2"), ("one", "few"))
    specs = [GraderSpec("v", "word_count", f"literal:{actual}", f"literal:{words}") for actual, words in texts]
    assert [outcome(names["grade"](spec, evidence)) for spec in specs] == ["pass", "fail", "pack_error"]


PIECES = (
    "\\frac{",
    "}",
    "\\sqrt[",
    "]",
    "(",
    ")",
    "^",
    "-",
    "+",
    "*",
    "/",
    "9",
    "1e99",
    "x",
    "$",
    "%",
    ".",
    '"',
    "[",
    "{",
    ",",
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=20)
CONFIGS = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "threshold": st.floats() | st.integers(),
        "tolerance": st.floats(),
        "significant_digits": st.integers(-3, 400),
        "extract_answer": st.booleans(),
        "extract_number": st.booleans(),
        "match_mode": st.sampled_from(["regex", "json_equal"]),
        "condition": st.sampled_from(["equals", "regex_match", "json_path_match"]),
        "json_path": TEXTS,
        "value": TEXTS | st.integers() | st.floats(),
        "max_ngram": st.integers(),
        "char_order": st.integers(),
        "beta": st.floats(),
        "normalize": st.booleans(),
    },
)


@pytest.mark.parametrize("kind", GRADERS)
@settings(max_examples=drawn(30))
@given(actual=TEXTS, expected=TEXTS, config=CONFIGS)
def test_no_texts_make_a_grader_raise(kind, actual, expected, config):
    known = {} if config is None else config
    result = graded(kind, actual, expected, **known)
    assert result.score is None or 0 <= result.score <= 1


SETTINGS_OF = {
    "math_equivalence": ("extract_answer", "tolerance"),
    "numeric_match": ("extract_number", "significant_digits"),
    "bleu_score": ("max_ngram", "normalize"),
    "rouge_score": ("beta", "threshold"),
    "chrf_score": ("char_order", "beta"),
    "postcondition": ("condition", "value", "json_path"),
    "fuzzy_match": ("threshold", "normalize"),
}


@pytest.mark.parametrize("kind", SETTINGS_OF)
@given(actual=TEXTS, expected=TEXTS, config=CONFIGS)
@example(actual="a", expected="a", config={"beta": math.nan})
def test_no_settings_of_its_own_make_a_grader_raise(kind, actual, expected, config):
    own = {name: value for name, value in (config or {}).items() if name in SETTINGS_OF[kind]}
    result = graded(kind, actual, expected, **own)
    assert result.score is None or 0 <= result.score <= 1


@pytest.mark.parametrize("kind", COMMANDS)
def test_without_settings_no_kind_that_has_a_program_run_raises(kind):
    task = Task("", "", "", "", "", "", {}, {}, EvidenceCase({}))
    command = COMMANDS[kind](GraderSpec("v", kind, config={}), task, "")
    assert command is None or command.arguments


@pytest.mark.parametrize("kind", GRADERS)
def test_every_kind_is_documented(kind):
    assert f"### {kind}\n" in (ROOT / "docs" / "graders.md").read_text()
