import pytest
from django.urls import reverse

from packs import editing
from packs.access import Role
from packs.formats.document import NodeKind
from packs.mirror import read_tree
from tests.packs.views.changes.test_page import URL, draft  # noqa: F401 - the fixture
from tests.people import client_of, make_member

RESTORE = reverse("packs:restore", args=["default", "parcels"])


@pytest.fixture
def send(as_author, draft):
    def post(**given):
        return as_author.post(RESTORE, {"from": "1", "seen": draft.revision} | given, follow=True)

    return post


def keys(draft):
    return [case.key for found in read_tree(draft).input_sets for case in found.cases]


def place(as_author, key):
    return next(node.at for node in as_author.get(URL).context["nodes"] if node.title == key)


def test_a_version_is_restored_and_undo_takes_it_back(send, draft, author):
    assert "Restored. Undo takes it back." in send().text
    assert keys(draft) == ["case-0", "case-1", "case-2"]
    assert editing.history(draft)[0].label == "Restored version 1"
    draft.refresh_from_db()
    editing.undo(draft, author)
    assert keys(draft) == ["case-0", "case-2", "new"]


def test_a_node_is_restored_alone(send, as_author, draft):
    send(what=place(as_author, "case-1"))
    assert keys(draft) == ["case-0", "case-1", "case-2", "new"]


def test_a_field_is_restored_alone(send, as_author, draft):
    send(what=f"{place(as_author, 'case-0')}.0")
    assert draft.cases.get(key="case-0").document["inputs"][0]["value"] == "Where is parcel case-0?"
    assert keys(draft) == ["case-0", "case-2", "new"]


def test_a_point_of_the_history_is_restored(send, draft):
    send(**{"from": "r1"})
    assert keys(draft) == ["case-0", "case-1", "case-2"]


def test_what_was_seen_before_another_edit_is_not_restored(send, as_author, draft, author):
    at = place(as_author, "case-1")
    editing.add_node(draft, NodeKind.ASSET, author, document={"key": "a", "path": "a"})
    assert "changed in the meantime" in send(what=at, seen=1).text
    assert keys(draft) == ["case-0", "case-2", "new"]


def test_there_is_nothing_beyond_the_difference(send):
    for what in ("99", "x", "0.99", "0.x"):
        assert send(what=what).status_code == 404


def test_viewers_do_not_restore(team, draft):
    viewer = client_of(make_member(team, Role.VIEWER))
    assert viewer.post(RESTORE, {"from": "1"}).status_code == 403
    assert not viewer.get(URL).context["may_restore"]
