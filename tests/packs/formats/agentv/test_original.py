"""Suites that AgentV loads in ways that its documentation does not tell: what it makes of them is what we say.

Where AgentV is installed it says itself whether the table is right.
"""

import pytest
import yaml

from tests.original.agentv import AgentV, trouble, write
from tests.original.ours import description_of, findings_in, place_of, reported_by

REASON = trouble()
installed = pytest.mark.skipif(bool(REASON), reason=REASON or "AgentV is there")
A, CONTAINS = {"id": "a", "input": "Hi"}, {"type": "contains", "value": "x"}
ROWS = [("contains-x", "contains")]
JUDGED = [("llm-grader", "llm-grader")]


def one(*assertions, **members):
    """A suite of one test with these assertions."""
    return {"tests": [{**A, "assertions": list(assertions), **members}]}


def suites():
    """Suites by what is odd in them: the suite, where its errors are, its tests as loaded, and other files."""
    prompted = {"type": "llm-grader", "prompt": {"command": ["python", "run", "../tools/ask.py"]}}
    converted = {"type": "llm-grader", "preprocessors": [{"type": "csv", "command": ["cat", "tools/ask.py"]}]}
    rubric = {"type": "rubrics", "criteria": [{"id": "r", "outcome": "O", "min_score": 2}]}
    composite = {"name": "all", "type": "composite", "aggregator": {"type": "weighted_average"}}
    loaded = [("a", ROWS)]
    yield "a blank id", {"tests": [{**A, "id": " ", "criteria": "c"}]}, ["tests[0].id"], [(" ", [])]
    yield "an empty id", {"tests": [{**A, "id": "", "criteria": "c"}]}, ["tests[0].id"], []
    yield "an input of nothing", {"tests": [{**A, "input": "", "criteria": "c"}]}, [], [("a", [])]
    yield "criteria of blanks", {"tests": [{**A, "criteria": " "}]}, ["tests[0].criteria"], [("a", [])]
    yield "assertions of nothing", {"tests": [{**A, "assertions": None}]}, [], [("a", [])]
    yield "rubrics alone", {"tests": [{**A, "rubrics": ["r"]}]}, [], []
    yield "no input files", {"tests": [{**A, "criteria": "c", "input_files": []}]}, [], []
    yield "no input files of the suite", {"input_files": [], "tests": [{**A, "criteria": "c"}]}, [], []
    yield (
        "an odd role of the suite",
        {"input": [{"role": "robot", "content": "x"}], **one(CONTAINS)},
        ["input[0].role"],
        loaded,
    )
    yield "a message of the suite", {"input": ["x"], **one(CONTAINS)}, ["input[0]"], loaded
    yield "an input of the suite", {"input": None, **one(CONTAINS)}, ["input"], loaded
    yield "an expected output of nothing", one(CONTAINS, expected_output=None), ["tests[0].expected_output"], loaded
    yield "turns of nothing", one(CONTAINS, turns=None), ["tests[0].turns"], loaded
    yield "calls without content", one(CONTAINS, expected_output=[{"role": "assistant", "tool_calls": []}]), [], loaded
    yield (
        "a repository of a list",
        {"workspace": {"repos": [3, {"path": "r", "repo": "o/r"}]}, **one(CONTAINS)},
        [],
        loaded,
    )
    yield "an empty value", one({**CONTAINS, "value": ""}), [], [("a", [])]
    yield (
        "a list with a number",
        one({"type": "contains-any", "value": ["x", 3]}),
        [],
        [("a", [("contains-any-2", "contains-any")])],
    )
    yield "an empty name", one({**CONTAINS, "name": ""}), [], [("a", [])]
    yield "a weight of nothing", one({**CONTAINS, "weight": None}), [], []
    yield "a blank command", one({"type": "code-grader", "command": " "}), [], []
    yield "an argument that is not text", one({"type": "code-grader", "command": ["python", 3]}), [], []
    yield "a limit of a text", one({"type": "execution-metrics", "max_tokens": 5, "max_cost_usd": "1"}), [], [("a", [])]
    yield "fields without a match", one({"type": "field-accuracy", "fields": [{"path": "x"}]}), [], [("a", [])]
    yield (
        "least calls of nothing",
        one({"type": "tool-trajectory", "mode": "exact", "expected": [], "minimums": None}),
        [],
        [("a", [])],
    )
    yield "an include with more", one({"include": "shared", "weight": 1}), [], [("a", [])]
    yield "a least score of two", one(rubric), [], []
    yield "members without a name", one({**composite, "assertions": [CONTAINS]}), [], [("a", [])]
    yield (
        "an aggregator of another spelling",
        one({**composite, "assertions": [{**CONTAINS, "name": "x"}], "aggregator": {"type": "llm_grader"}}),
        [],
        [("a", [("all", "composite")])],
    )
    yield (
        "an aggregator without path",
        one({**composite, "assertions": [{**CONTAINS, "name": "x"}], "aggregator": {"type": "code-grader"}}),
        [],
        [("a", [])],
    )
    yield "members of no composite", one({**CONTAINS, "assertions": "x"}), [], loaded
    yield "a prompt that a program prints", one(prompted), [], [("a", JUDGED)], {"tools/ask.py": b"print()"}
    yield "a preprocessor above the suite", one(converted), [], [("a", JUDGED)], {"tools/ask.py": b"print()"}
    yield "a preprocessor without its file", one(converted), [], []
    yield "a preprocessor of a text", one({**converted, "preprocessors": [{"type": "csv", "command": "cat x"}]}), [], []
    yield "a list of tests", [{**A, "criteria": "c"}], [], None
    yield (
        "a list with an odd entry",
        {"tests": "./rows.yaml"},
        ["tests"],
        None,
        {"evals/rows.yaml": b"- {id: a, input: Hi, criteria: c}\n- 3\n"},
    )
    yield (
        "tests in capitals",
        {"tests": "./ROWS.YAML"},
        [],
        [("a", [])],
        {"evals/ROWS.YAML": b"- {id: a, input: Hi, criteria: c}\n"},
    )
    yield "an entry of another ending", {"tests": ["file://rows.json"]}, [], None, {"evals/rows.json": b"[]"}


def samples():
    for title, suite, errors, loaded, *more in suites():
        files = {"evals/s.eval.yaml": yaml.safe_dump(suite).encode(), **(more[0] if more else {})}
        yield pytest.param(files, errors, loaded, id=title)


SAMPLES = list(samples())


@pytest.mark.parametrize(("files", "errors", "loaded"), SAMPLES)
def test_we_say_what_agentv_makes_of_a_suite(files, errors, loaded):
    pack, findings = findings_in(files)
    assert sorted({place_of(found) for found in findings if found.is_error}) == errors
    if loaded is not None:
        assert description_of(pack, "evals/s.eval.yaml") == loaded


@installed
def test_agentv_reaches_no_other_machine(tmp_path):
    said = AgentV(tmp_path).run(["-e", "require('net').connect(80, '192.0.2.1')"])
    assert "tests keep this tool from the network; it wanted 192.0.2.1" in said


@installed
def test_agentv_makes_of_the_suites_what_we_say(tmp_path):
    stated = {tmp_path / "packs" / str(index): sample.values for index, sample in enumerate(SAMPLES)}
    for root, (files, _, _) in stated.items():
        write(files, root)
    tool, name = AgentV(tmp_path), "evals/s.eval.yaml"
    said = tool.validate(tmp_path / "packs")
    loaded = tool.load({root / name: root for root in stated})
    for root, (files, errors, tests) in stated.items():
        title = files[name]
        assert sorted({line.location for line in said[root / name] if line.severity == "error"}) == errors, title
        assert (None if "refused" in loaded[root / name] else reported_by(loaded[root / name])) == tests, title
