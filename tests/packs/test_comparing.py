import pytest

from packs import editing
from packs.comparing import DRAFT, End, difference_of, file_differences, find_end, since_last_version, usual_ends
from packs.editing import Change
from packs.formats.comparing import Act
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.publish import publish
from tests.packs.drafts import draft_of


@pytest.fixture
def draft(team):
    return draft_of(team)


def edit(draft, value):
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", value)], None)


def test_versions_the_draft_and_its_revisions_are_found_by_their_names(draft):
    publish(draft, None)
    edit(draft, "Other")
    names = ("draft", "1", "r1", "r2", "r3", "2", "r0", "-1", "", "r", "1.0", "٣")
    assert {name: str(end) if (end := find_end(draft, name)) else None for name in names} == {
        **dict.fromkeys(names),
        "draft": "Draft",
        "1": "Version 1",
        "r1": "Revision 1",
        "r2": "Revision 2",
    }


def test_an_end_that_is_not_named_is_the_version_before(draft):
    assert usual_ends(draft, "", "") == ("r1", DRAFT)
    for number in (1, 2):
        publish(draft, None, number=number)
    assert usual_ends(draft, "", "") == ("2", DRAFT)
    assert usual_ends(draft, "", "2") == ("1", "2")
    assert usual_ends(draft, "", "1") == ("r1", "1")
    assert usual_ends(draft, "1", "") == ("1", DRAFT)


def test_every_end_has_its_tree_and_its_files(draft):
    publish(draft, None)
    edit(draft, "Other")
    ends = [find_end(draft, name) for name in ("1", "draft", "r1", "r2")]
    assert [end.tree().document["pack"]["name"] for end in ends] == ["Parcels", "Other", "Parcels", "Other"]
    assert [b"name: Other" in end.files()["pack.yaml"] for end in ends] == [False, True, False, True]


def test_what_publishing_would_change(draft):
    assert since_last_version(draft) is None
    publish(draft, None)
    assert since_last_version(draft).nodes == ()
    edit(draft, "Other")
    assert [node.acts for node in since_last_version(draft).nodes] == [(Act.CHANGED,)]


def test_a_restored_revision_is_no_difference(draft):
    edit(draft, "Other")
    assert difference_of(End(draft, "r2", revision=2), End(draft, DRAFT)).nodes == ()


def test_files_are_compared_as_texts_where_they_are_texts(team):
    files = {
        "evals/cases.eval.yaml": b"tests:\n  - id: a\n    input: x\n    criteria: good\n",
        "evals/logo.bin": b"\xff\x00",
    }
    pack = import_pack(team, None, files, "p.zip", slug="p")
    first = End(pack, "r1", revision=1)
    case = pack.cases.get()
    editing.apply(pack, [Change(NodeKind.CASE, case.pk, "/criteria", "better")], None)
    (found,) = file_differences(first, End(pack, DRAFT))
    assert (found.act, found.is_text) == (Act.CHANGED, True)
    assert [line for hunk in found.hunks for line in hunk.lines if line[0] in "+-"] == [
        "-    criteria: good",
        "+    criteria: better",
    ]
