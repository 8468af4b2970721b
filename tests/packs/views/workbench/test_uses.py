"""Which nodes use a file."""

import json

import pytest

from packs.importing import import_pack
from packs.views.workbench.uses import uses

ENTRIES = {
    "whole": {"path": "data/a.txt"},
    "folder": {"path": "data"},
    "untidy": {"path": "./data//a.txt"},
    "another": {"path": "a.txt"},
    "said": {"path": "b.txt", "mount": "data/a.txt"},
}


@pytest.fixture
def pack(team, author):
    rows = [
        {"id": name, "family": "tool_call", "input": {"prompt": "P"}, "assets": [entry]}
        for name, entry in ENTRIES.items()
    ]
    rows.append({"id": "tests", "family": "terminal_task", "eval": {"test_files": {"path": "data"}}})
    files = {
        "manifest.yaml": b"id: quiz\nversion: 1\n",
        "tasks.jsonl": b"".join(json.dumps(row).encode() + b"\n" for row in rows),
        "assets/data/a.txt": b"a",
        "hidden/data/a.txt": b"h",
    }
    return import_pack(team, author, files, "quiz")


def names(pack, key):
    return [name for name, _ in uses(pack, [key])[key]]


def test_a_file_is_used_by_its_path_and_by_the_folders_that_it_lies_in(pack):
    assert names(pack, "assets/data/a.txt") == ["whole", "folder", "untidy"]


def test_a_file_of_the_hidden_root_is_used_by_verifiers_only(pack):
    assert names(pack, "hidden/data/a.txt") == ["tests"]


def test_each_use_leads_to_its_node(pack):
    [(_, address)] = uses(pack, ["hidden/data/a.txt"])["hidden/data/a.txt"]
    assert f"/edit/cases/{pack.cases.get(key='tests').pk}/" in address


def test_nothing_uses_a_file_without_a_name(pack):
    assert names(pack, " ") == []
