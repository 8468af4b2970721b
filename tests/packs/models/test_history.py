from packs import editing
from packs.editing import Change
from packs.formats.document import NodeKind
from tests.packs.drafts import draft_of


def test_undo_and_redo_are_noted_with_the_revision_that_they_made(team, author):
    draft = draft_of(team)
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/x", 1)], author)
    editing.undo(draft, author)
    editing.redo(draft, author)
    assert [(each.revision, each.undone) for each in draft.travels.all()] == [(4, False), (3, True)]
    assert str(draft.travels.first()).startswith("redo ")


def test_a_named_point_is_called_by_its_name(team, author):
    point = draft_of(team).checkpoints.create(revision=1, name="Ready", author=author)
    assert str(point) == "Ready"
