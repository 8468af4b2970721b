"""The published schemas of files refuse what the check of such a file refuses, and what AgentV itself refuses."""

from functools import cache

import jsonschema_rs
import pytest
import yaml

from packs.formats.agentv.reading import read_yaml
from packs.formats.agentv.schema import file_schemas
from packs.formats.checking import check_files
from tests.original.agentv import AgentV, trouble, write
from tests.packs.test_drift import ABSENT, WRONG, changed, places
from tests.packs.unsayable import UNSAYABLE

REASON = trouble()
SUITE = "s.eval.yaml"
MESSAGES = [
    {"role": "user", "content": [{"type": "text", "value": "Hi"}, "there", {"type": "image", "value": "a.png"}]}
]
TESTS = [
    {"id": "a", "input": "Hi", "criteria": "Greets", "metadata": {"k": 1}, "depends_on": ["b"]},
    {
        "id": "b",
        "input": MESSAGES,
        "expected_output": [{"role": "assistant", "content": {"a": 1}}, {"role": "assistant", "tool_calls": []}],
        "assertions": ["Greets", {"type": "contains", "value": "x", "weight": 2}],
        "execution": {"threshold": 0.5},
    },
    {"id": "c", "input": "Hi", "expected_output": ["x", 3], "workspace": {"repos": [{"path": "r", "repo": "o/r"}]}},
    {
        "id": "d",
        "input": "Hi",
        "mode": "conversation",
        "window_size": 2,
        "turns": [{"input": "Hi", "expected_output": "Hello"}, {"input": MESSAGES, "assertions": ["Greets"]}],
    },
]
TARGETS = [
    {
        "name": "a",
        "provider": "cli",
        "command": "run {PROMPT} {x} {A {{FILES}",
        "grader_target": "j",
        "healthcheck": {"url": "http://localhost", "timeout_seconds": "5", "cwd": 3},
    },
    {
        "name": "b",
        "provider": " CLI ",
        "command": "x",
        "healthcheck": {"command": "y", "timeout_seconds": 5, "cwd": "."},
    },
    {"name": "c", "use_target": "a"},
    {"name": "d", "provider": "mock", "judge_target": "j"},
    {"name": "e", "provider": "replay", "source_target": "a", "fixtures": "x.jsonl"},
    {"name": "f", "provider": "replay", "source_target": "a", "execution_traces": "x.json"},
]
RESULTS = {
    "mode": "github",
    "repo": "o/r",
    "path": "~/r",
    "branch": "b",
    "auto_push": True,
    "sync": {"auto_push": True},
}
# The kind of file, its name, and a document of it in which nothing is wrong.
DOCUMENTS = {
    "suite": (
        SUITE,
        {
            "name": "s",
            "tags": ["x"],
            "input": MESSAGES,
            "workspace": {"repos": [{"path": "r", "repo": "o/r", "commit": "main"}]},
            "execution": {"workers": 2, "targets": ["a"]},
            "assertions": ["Polite"],
            "tests": TESTS,
        },
    ),
    "tests": ("t.eval.yaml", TESTS),
    "targets": (".agentv/targets.yaml", {"targets": TARGETS}),
    "config": (".agentv/config.yaml", {"required_version": ">=4", "eval_patterns": ["**"], "results": RESULTS}),
}
SCHEMAS = file_schemas()
# JavaScript makes numbers of these, so that AgentV takes them for seconds; the others name a file that is not there.
NOT_SAID = [
    *(("timeout_seconds", value) for value in (True, [1])),
    *(("workspace", name) for name in ("", " ", "text")),
]


def files_of(kind, document):
    name, _ = DOCUMENTS[kind]
    beside = {} if kind in ("suite", "tests") else {SUITE: b"tests: [{id: a, input: Hi, criteria: c}]\n"}
    return {"a.png": b"x", **beside, name: yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False).encode()}


@cache
def changes(kind):
    """A document with each of its values replaced by wrong ones, and left out."""
    _, document = DOCUMENTS[kind]
    wrong = [(path, value) for path in places(document) for value in (*WRONG, ABSENT)]
    return [(path, value, changed(document, path, value)) for path, value in wrong]


def refuses(kind, files):
    document, _ = read_yaml(files[DOCUMENTS[kind][0]])
    return not validator(kind).is_valid(document)


@cache
def validator(kind):
    return jsonschema_rs.validator_for(SCHEMAS[kind])


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_the_schema_of_a_file_refuses_what_brings_an_error(kind):
    assert set(DOCUMENTS) == set(SCHEMAS)
    found = []
    for path, value, document in changes(kind):
        files = files_of(kind, document)
        errors = {each.code for each in check_files(files, "agentv").findings if each.is_error} - set(UNSAYABLE)
        found += [(path, value, errors)] if bool(errors) is not refuses(kind, files) else []
    assert found == []


@pytest.mark.skipif(bool(REASON), reason=REASON or "AgentV is there")
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_the_schema_of_a_file_refuses_what_agentv_refuses(kind, tmp_path):
    tool, asked = AgentV(tmp_path / "tool"), {}
    for number, (path, value, document) in enumerate(changes(kind)):
        if number % 7 == 0 and (path[-1], value) not in NOT_SAID:
            files = files_of(kind, document)
            write(files, tmp_path / str(number))
            asked[tmp_path / str(number) / DOCUMENTS[kind][0]] = (path, value, refuses(kind, files))
    said = tool.validate(*asked)
    theirs = {path: any(line.severity == "error" for line in lines) for path, lines in said.items()}
    assert [where for path, where in asked.items() if theirs[path] is not where[2]] == []
