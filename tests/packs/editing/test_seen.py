import pytest

from packs.editing import ABSENT, Change, apply, redo, undo
from packs.editing.seen import document_seen


@pytest.fixture
def change(draft, case, author):
    def make(pointer, value=ABSENT, **more):
        apply(draft, [Change(case.kind, case.pk, pointer, value, **more)], author)

    return make


def seen(draft, case, revision):
    case.refresh_from_db()
    return document_seen(draft, case, revision)


def test_the_document_of_every_earlier_revision_comes_back(draft, case, change):
    states = {draft.revision: case.document}
    for pointer, value, more in [
        ("/inputs/0/value", "x", {}),
        ("/payload", {"a": 1}, {}),
        ("/payload/b", 2, {"index": 0}),
        ("/inputs/0", {"key": "first"}, {"insert": True}),
        ("/inputs/1", ABSENT, {}),
        ("/expectations", ABSENT, {}),
    ]:
        change(pointer, value, **more)
        case.refresh_from_db()
        states[draft.revision] = case.document
    for revision, document in states.items():
        assert seen(draft, case, revision) == document


def test_an_edit_that_was_undone_since_is_seen_as_made(draft, case, change, author):
    change("/inputs/0/value", "made")
    revision = draft.revision
    undo(draft, author)
    assert seen(draft, case, revision)["inputs"][0]["value"] == "made"


def test_an_edit_that_was_made_again_since_is_seen_as_undone(draft, case, change, author):
    before = case.document
    change("/inputs/0/value", "made")
    undo(draft, author)
    revision = draft.revision
    redo(draft, author)
    assert seen(draft, case, revision) == before


def test_between_an_undo_and_its_redo_the_undone_value_was_not_seen(draft, case, change, author):
    states = {draft.revision: case.document}
    change("/inputs/0/value", "made")
    for travel in (undo, redo, undo, redo):
        travel(draft, author)
        case.refresh_from_db()
        states[draft.revision] = case.document
    change("/inputs/0/value", "since")
    for revision, document in states.items():
        assert seen(draft, case, revision) == document


def test_edits_of_others_nodes_do_not_count(draft, case, author):
    other = draft.cases.order_by("position")[1]
    revision = draft.revision
    apply(draft, [Change(other.kind, other.pk, "/case_key", "x")], author)
    assert seen(draft, case, revision) == case.document
