"""Frozen tasks of run folders."""

import pytest

from packs.formats.agentv.compiler import compile_tasks
from packs.formats.agentv.frozen import read_frozen
from packs.formats.agentv.reader import load
from runs.replay.trajectories.agentv.tasks import REDACTED, differences, freeze_task, redacted

SUITE = b"""\
name: parcels
execution: {threshold: 0.5}
input: Answer briefly.
tests:
  - id: found
    criteria: Names the place.
    input:
      - role: user
        content:
          - {type: text, value: Where is it?}
          - {type: file, value: notes.txt}
    metadata: {api_key: hunter2}
    assertions:
      - {name: form, type: code-grader, command: [python3, graders/form.py]}
  - id: talk
    criteria: Stays kind.
    input: Be kind.
    mode: conversation
    turns:
      - {input: Hello, expected_output: Hi, assertions: [{type: contains, value: hi}]}
"""
FILES = {"one.eval.yaml": SUITE, "notes.txt": b"At the hub.", "graders/form.py": b"print(1)\n"}


@pytest.fixture
def tasks():
    pack, findings = load(FILES)
    assert pack is not None, findings
    return {task.case_key: task for task in compile_tasks(pack)}


def frozen(task):
    return freeze_task(task, {"name": "scout", "provider": "cli"}, FILES.get)


def test_a_test_is_frozen_with_what_it_inherits_and_the_files_that_it_needs(tasks):
    files = frozen(tasks["found"])
    assert set(files) == {"EVAL.yaml", "targets.yaml", "files/notes.txt", "graders/graders/form.py"}
    assert files["files/notes.txt"] == FILES["notes.txt"]
    test = read_frozen(files["EVAL.yaml"])
    assert (test["id"], test["criteria"]) == ("found", "Names the place.")
    assert test["input"][0]["content"] == "Answer briefly."
    assert [(each["name"], each["command"]) for each in test["assertions"]] == [
        ("form", ["python3", "graders/form.py"])
    ]
    assert b"threshold: 0.5" in files["EVAL.yaml"]


def test_nothing_that_looks_like_a_secret_is_frozen(tasks):
    assert b"hunter2" not in frozen(tasks["found"])["EVAL.yaml"]
    stated = {"token": "abc", "note": "use sk-abcdefghijklmnop1", "password": "{{ env.PW }}", "keys": ["a"], "n": 1}
    assert redacted(stated) == {**stated, "token": REDACTED, "note": f"use {REDACTED}"}


def test_a_conversation_is_frozen_with_its_turns(tasks):
    test = read_frozen(frozen(tasks["talk"])["EVAL.yaml"])
    assert test["mode"] == "conversation"
    assert [turn["input"] for turn in test["turns"]] == ["Hello"]


def test_a_frozen_task_is_the_case_until_the_case_changes(tasks):
    test = read_frozen(frozen(tasks["found"])["EVAL.yaml"])
    assert differences(tasks["found"], test) == []
    assert differences(tasks["found"], {**test, "input": "Where is it?", "criteria": "Is kind."}) == [
        "criteria",
        "input",
    ]


@pytest.mark.parametrize("data", [b"", b"[1", b"tests: {}", b"tests: [1]", b"- a"])
def test_what_is_no_frozen_task_is_none(data):
    assert read_frozen(data) == {}
