"""Another name for what a draft declares: as one edit, everywhere, and back."""

import gc
from types import GeneratorType

import pytest

from packs import blobs, editing
from packs.editing import EditRefused, TooManyFollow
from packs.editing.naming import Thing, foresee, rename
from packs.exporting import export_draft
from packs.formats import FORMATS
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.mirror import read_tree
from packs.models import Edit
from tests.packs.fine.generated import bases
from tests.packs.formats.agentv import test_retargeting as retargeting
from tests.packs.formats.names import ways
from tests.packs.formats.names.test_renames import PACK


@pytest.fixture
def desk(team, author):
    return import_pack(team, author, {"pack.yaml": PACK.encode()}, "desk")


def test_one_edit_renames_it_everywhere_and_says_where(desk, author):
    before = export_draft(desk).files
    thing = Thing("inputs", "question")
    ahead = foresee(desk, thing)
    assert (ahead.places, dict(ahead.nodes)) == (6, {NodeKind.PACK: 1, NodeKind.CHALLENGE: 1, NodeKind.CASE: 2})
    revision = desk.revision
    applied = rename(desk, thing, "query", author)
    assert list(map(str, applied.renamed)) == [
        "Renamed question to query. 6 places in the pack, 1 challenge and 2 cases were updated."
    ]
    assert (applied.revision, applied.errors) == (revision + 1, 0)
    assert {edit.label for edit in Edit.objects.filter(group=applied.group)} == {"Rename input question to query"}
    assert b"question" not in export_draft(desk).files["pack.yaml"]
    editing.undo(desk, author)
    assert export_draft(desk).files == before


def test_a_node_that_is_named_anew_says_the_places_that_follow(desk, author):
    thing = Thing(NodeKind.CHALLENGE, "locate", desk.challenges.get().pk)
    assert foresee(desk, thing).places == 2
    applied = rename(desk, thing, "find", author)
    assert list(map(str, applied.renamed)) == ["Renamed locate to find. 2 places in 2 cases were updated."]


@pytest.mark.parametrize(
    ("thing", "new", "code"),
    [
        (Thing("inputs", "question"), "my-question", "bad_name"),
        (Thing("inputs", "question"), "place", "name_is_taken"),
        (Thing("inputs", "gone"), "other", "no_such_name"),
        (Thing(NodeKind.CASE, "one"), "two", "name_is_taken"),
        (Thing(NodeKind.CASE, "gone"), "three", "no_such_name"),
        (Thing(NodeKind.PACK, "desk"), "other", "no_such_name"),
    ],
)
def test_what_cannot_be_is_refused_and_writes_nothing(desk, author, thing, new, code):
    revision = desk.revision
    with pytest.raises(EditRefused) as refused:
        rename(desk, thing, new, author)
    assert refused.value.code == code
    desk.refresh_from_db()
    assert desk.revision == revision


def open_cursors():
    """The rows that were not read to their end and are still there. Proxies are not asked what they stand for."""
    generators = [one for one in gc.get_objects() if type(one) is GeneratorType and one.__name__ == "cursor_iter"]
    return [one for one in generators if one.gi_frame is not None]


def test_a_refusal_leaves_no_cursor_open(desk, author):
    of_other_tests = open_cursors()
    with pytest.raises(EditRefused) as refused:
        rename(desk, Thing("inputs", "question"), "place", author)
    assert [one for one in open_cursors() if one not in of_other_tests] == [], refused


def test_more_than_a_request_may_change_is_said_before_anything_is_written(desk, author):
    with pytest.raises(TooManyFollow):
        rename(desk, Thing("inputs", "question"), "query", author, most=2)
    assert foresee(desk, Thing("inputs", "question")).places == 6


def test_a_folder_moves_with_its_files(team, author):
    folder = "evals/_shared/fixtures"
    task = b"task_id: a_1\nsuite: golden\ndescription: d\ninputs: {repo_path: ../_shared/fixtures/app}\ngraders: []\n"
    files = {"evals/golden/a_1.yaml": task, f"{folder}/app/a.txt": b"a", f"{folder}/app/in/b.txt": b"b"}
    pack = import_pack(team, author, files, "app")
    thing = Thing(NodeKind.ASSET, f"{folder}/app")
    assert foresee(pack, thing).places == 1
    rename(pack, thing, f"{folder}/shop", author)
    assert {row.key for row in pack.assets.all()} == {f"{folder}/shop/a.txt", f"{folder}/shop/in/b.txt"}
    assert pack.cases.get().document["inputs"]["repo_path"] == "../_shared/fixtures/shop"


@pytest.mark.parametrize("format_name", FORMATS)
def test_drafts_say_what_files_would(team, author, format_name):
    """Whatever a pack declares: the draft after a rename is the pack after the same rename."""
    files = bases()[format_name][-1 if format_name != "challenge_pack" else 3]
    row = import_pack(team, author, files, "whole")
    for what, name, input_set in ways.declared(read_tree(row), most=1):
        tree = read_tree(row)
        new = ways.other(what, name)
        expected = ways.renamed_or_none(tree, what, name, new, input_set)
        if expected is None:
            continue
        node = row.cases.get(input_set__key=input_set, key=name).pk if what == NodeKind.CASE else None
        ahead = foresee(row, Thing(what, name, node))
        rename(row, Thing(what, name, node), new, author)
        assert ways.said(read_tree(row)) == ways.said(expected.pack), (what, name)
        assert (ahead.places, ahead.nodes) == (expected.places, expected.nodes), (what, name)
        editing.undo(row, author)
        assert ways.said(read_tree(row)) == ways.said(tree)


def test_a_target_is_renamed_in_the_file_that_lists_it(team, author):
    pack = import_pack(team, author, retargeting.FILES, "shop", format="agentv", slug="shop")
    listed = pack.assets.get(path=".agentv/targets.yaml")
    thing = Thing("targets", "desk")
    assert (foresee(pack, thing).places, foresee(pack, thing).nodes[NodeKind.ASSET]) == (3, 1)
    with pytest.raises(EditRefused) as refused:
        rename(pack, thing, "judge", author)
    assert refused.value.code == "name_is_taken"
    before = {row.pk: row.findings for row in (*pack.cases.all(), *pack.input_sets.all(), *pack.assets.all())}
    rename(pack, thing, "counter", author)
    after = {row.pk: row.findings for row in (*pack.cases.all(), *pack.input_sets.all(), *pack.assets.all())}
    assert after == before
    listed.refresh_from_db()
    assert b"name: counter # the one of the shop" in blobs.read(listed.blob_id)
    assert b"use_target: counter" in blobs.read(listed.blob_id)
    editing.undo(pack, author)
    listed.refresh_from_db()
    assert blobs.read(listed.blob_id) == retargeting.TARGETS
    rename(pack, Thing("targets", "quick"), "fast", author)
    listed.refresh_from_db()
    assert b"name: fast" in blobs.read(listed.blob_id)
