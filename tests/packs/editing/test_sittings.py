from datetime import timedelta

import pytest
from django.utils import timezone

from packs import editing
from packs.access import Role
from packs.editing import Change
from packs.editing.sittings import Sitting, sittings
from packs.formats.document import NodeKind
from packs.models import Edit
from tests.packs.drafts import draft_of
from tests.people import make_member


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def second(team):
    return make_member(team, Role.REVIEWER)


def edit(draft, author, value, minutes=0):
    """One change of the first case, so many minutes ago."""
    case = draft.cases.order_by("position").first()
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/x", value)], author)
    Edit.objects.filter(pack=draft, revision=draft.revision).update(at=timezone.now() - timedelta(minutes=minutes))


def facts(draft):
    return [
        (each.author, each.first, each.last, each.changes) if isinstance(each, Sitting) else each.name
        for each in sittings(draft)
    ]


def test_changes_of_one_person_without_a_pause_are_one_sitting(draft, author, second):
    for value, (person, minutes) in enumerate([(author, 200), (author, 190), (author, 90), (second, 80), (author, 75)]):
        edit(draft, person, value, minutes)
    one, other = author.get_username(), second.get_username()
    assert facts(draft) == [(one, 6, 6, 1), (other, 5, 5, 1), (one, 4, 4, 1), (one, 2, 3, 2)]


def test_a_point_with_a_name_stands_between_what_was_done_before_and_after_it(draft, author):
    edit(draft, author, 1)
    draft.checkpoints.create(revision=draft.revision, name="Ready", author=author)
    edit(draft, author, 2)
    name = author.get_username()
    assert facts(draft) == [(name, 3, 3, 1), "Ready", (name, 2, 2, 1)]
    draft.checkpoints.create(revision=draft.revision, name="Last", author=author)
    assert facts(draft)[0] == "Last"


def test_a_point_at_the_beginning_comes_last(draft, author):
    draft.checkpoints.create(revision=1, name="As it came", author=author)
    assert facts(draft) == ["As it came"]
    edit(draft, author, 1)
    assert facts(draft)[-1] == "As it came"


def test_a_sitting_says_in_words_what_was_done(draft, author):
    edit(draft, author, 1)
    edit(draft, author, 2)
    editing.remove_node(draft, NodeKind.CASE, draft.cases.get(key="case-2").pk, author)
    editing.add_node(draft, NodeKind.ASSET, author, document={"key": "a", "path": "a"})
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/x", 1)], author)
    (sitting,) = sittings(draft)
    assert sitting.words == "Added 1 file, removed 1 case, changed the pack and 1 case"
    editing.undo(draft, author)
    (sitting,) = sittings(draft)
    assert sitting.words == "Added 1 file, removed 1 case, changed 1 case, 1 change was undone"


def test_older_sittings_follow_the_first_revision_seen(draft, author, second):
    for value in range(6):
        edit(draft, (author, second)[value % 2], value)
    newest = sittings(draft, limit=2)
    assert [each.last for each in newest] == [7, 6]
    assert [each.last for each in sittings(draft, before=newest[-1].first)] == [5, 4, 3, 2]
