import pytest

from packs import editing
from packs.editing import Change
from packs.editing.draft import changing
from packs.editing.transitions import backwards, carry_out, forwards
from packs.editing.values import ABSENT
from packs.formats.document import NodeKind
from packs.mirror import write_files
from packs.models import Case, Edit
from tests.packs.drafts import draft_of


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def case(draft):
    return draft.cases.order_by("position").first()


def carried(draft, transition):
    with changing(draft, None) as opened:
        clash = carry_out(opened, transition)
        opened.save_rows()
    return clash


def test_an_edit_unhappens_and_happens_again(draft, case, author):
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/payload", {"a": 1})], author)
    edit = Edit.objects.get()
    assert carried(draft, backwards(edit)) is None
    assert "payload" not in Case.objects.get(pk=case.pk).document
    assert carried(draft, forwards(edit)) is None
    assert Case.objects.get(pk=case.pk).document["payload"] == {"a": 1}


def test_what_stands_in_the_way_is_told(draft, case, author):
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/payload", {"a": 1})], author)
    edit = Edit.objects.get()
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/payload/a", 2)], author)
    clash = carried(draft, backwards(edit))
    assert (clash.yours, clash.theirs) == (ABSENT, {"a": 2})


def test_an_edit_of_a_node_that_is_gone_cannot_unhappen(draft, case, author):
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/payload", {"a": 1})], author)
    edit = Edit.objects.get()
    editing.remove_node(draft, NodeKind.CASE, case.pk, author)
    assert carried(draft, backwards(edit)).theirs is ABSENT


def test_a_removed_list_element_comes_back_between_its_neighbours(draft, case, author):
    items = [{"key": key, "kind": "text"} for key in ("a", "b", "c")]
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/inputs", items)], author)
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/inputs/1")], author)
    carried(draft, backwards(Edit.objects.latest("pk")))
    assert Case.objects.get(pk=case.pk).document["inputs"] == items


def test_other_files_that_changed_since_are_not_overwritten(draft):
    edit = Edit(pack=draft, action=Edit.Action.FILES, kind="pack", node=draft.pk, old=[{"a": "1"}], new=[{}])
    write_files(draft, {})
    assert carried(draft, forwards(edit)).theirs == {}
