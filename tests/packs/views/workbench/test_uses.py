"""Which nodes use a file."""

import json

import pytest

from packs.editing import Change, add_node, apply
from packs.formats.archives import read_path
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.importing.samples import SAMPLES
from packs.views.workbench.uses import uses
from tests.packs.drafts import draft_of

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


@pytest.mark.parametrize("path", sorted(SAMPLES.iterdir()), ids=lambda path: path.stem)
def test_every_file_of_a_sample_is_used(team, author, path):
    files, _ = read_path(path)
    draft = import_pack(team, author, files, path.stem)
    found = uses(draft, draft.assets.values_list("key", flat=True))
    assert [key for key, used in found.items() if not used] == []


def test_the_nodes_that_use_a_file_by_parts_of_its_key_are_found(team, author):
    draft = draft_of(team)
    add_node(draft, NodeKind.ASSET, author, document={"key": "map", "path": "map.txt"})
    reference = "/version/evaluation_spec/validators/0/expected_from"
    apply(draft, [Change(NodeKind.PACK, draft.pk, reference, "artifact.map.path")], author)
    assert names(draft, "map") == ["Parcels"]


def test_a_name_that_very_many_nodes_hold_is_not_looked_for_in_all_of_them(pack, monkeypatch):
    monkeypatch.setattr("packs.views.workbench.uses.MAX_READ", 2)
    found = uses(pack, ["assets/data/a.txt", "b"])
    assert [name for name, _ in found["assets/data/a.txt"] or ()] == ["whole", "folder"]
    assert found["b"] is None
