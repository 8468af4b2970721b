"""A key that no column holds is an error wherever a pack is checked, not only when it is published."""

import pytest

from packs import editing
from packs.editing import Change
from packs.exporting import export_draft
from packs.formats import FORMATS, adapter_of
from packs.formats.adapter import Node
from packs.formats.checking import check_files
from packs.formats.document import NodeKind
from packs.formats.findings import has_errors
from packs.formats.identity import MAX_KEY
from packs.formats.index import TreeIndex
from packs.importing import import_pack
from packs.models import Case
from packs.publish import blockers
from tests.packs.fine.generated import bases

# A task's id has a shorter limit of its own.
STATED = {
    name: adapter_of(name).KEY_POINTERS[NodeKind.CASE].removeprefix("/") for name in FORMATS if name != "task_suite"
}


def draft_with(team, name, key):
    draft = import_pack(team, None, bases()[name][0], "pack.zip", slug=f"s{len(key)}{ord(key[-1])}")
    row = Case.objects.filter(pack=draft).first()
    editing.apply(draft, [Change(row.kind, row.pk, f"/{STATED[name]}", key)], None)
    draft.refresh_from_db()
    row.refresh_from_db()
    return draft, row


@pytest.mark.parametrize("name", STATED)
@pytest.mark.parametrize(
    ("key", "code"),
    [("k" * (MAX_KEY + 1), "pack.E010"), ("a\0b", "pack.E015")],
    ids=["long", "null"],
)
def test_check_row_and_publishing_say_the_same(team, name, key, code):
    draft, row = draft_with(team, name, key)
    assert [(item["code"], item["path"]) for item in row.findings if item["severity"] == "error"] == [
        (code, [STATED[name]])
    ]
    assert code in {finding.code for finding in blockers(draft)}
    checked = check_files(export_draft(draft).files)
    assert [finding.code for finding in checked.findings if finding.is_error] == [code]


@pytest.mark.parametrize("name", STATED)
def test_the_longest_key_is_fine(team, name):
    draft, row = draft_with(team, name, "k" * MAX_KEY)
    assert (row.error_count, blockers(draft)) == (0, [])


@pytest.mark.parametrize("name", FORMATS)
def test_nodes_of_every_kind_are_held_to_it(name):
    adapter = adapter_of(name)
    pack, _ = adapter.load(bases()[name][-1])
    for address, document in pack.nodes():
        pointer = adapter.KEY_POINTERS.get(address.kind)
        if pointer is None or not adapter.identify(address.kind, document)[0]:
            continue
        long = {**document, pointer.removeprefix("/"): "k" * 300}
        assert has_errors(check_one(adapter, pack, address, long)), address


def check_one(adapter, pack, address, document):
    node = Node(address.kind, document, *adapter.identify(address.kind, document))
    return list(adapter.check_node(TreeIndex(pack), node))
