import pytest

from packs.models import Case, Challenge

BASE = "/packs/default/parcels/edit/"


def keys(draft):
    return list(Case.objects.filter(pack=draft).order_by("position").values_list("key", flat=True))


def act(client, case, name):
    return client.post(f"{BASE}cases/{case.pk}/act/", {"act": name}, follow=True)


def test_a_new_case_opens_in_its_set(as_author, draft, case):
    response = as_author.post(f"{BASE}add/cases/", {"input_set": case.input_set_id}, follow=True)
    assert response.context["desk"].kind == "case"
    assert len(keys(draft)) == 4


@pytest.mark.parametrize("room", ["challenges", "sets", "assets"])
def test_every_kind_of_node_can_be_added(as_author, draft, room):
    assert as_author.post(f"{BASE}add/{room}/", follow=True).status_code == 200


def test_a_duplicate_has_a_key_of_its_own_and_stands_behind(as_author, draft, case):
    act(as_author, case, "duplicate")
    assert keys(draft) == ["case-0", "case-0-copy", "case-1", "case-2"]


def test_cases_move_up_and_down_by_buttons(as_author, draft, case):
    act(as_author, case, "down")
    assert keys(draft) == ["case-1", "case-0", "case-2"]
    act(as_author, case, "up")
    assert keys(draft) == ["case-0", "case-1", "case-2"]


def test_removing_a_case_goes_on_to_the_next_and_can_be_undone(as_author, draft, case):
    response = act(as_author, case, "remove")
    assert response.context["desk"].row.key == "case-1"
    as_author.post(f"{BASE}undo/", {"back": "pack"})
    assert keys(draft) == ["case-0", "case-1", "case-2"]
    as_author.post(f"{BASE}redo/", {"back": "pack"})
    assert keys(draft) == ["case-1", "case-2"]


def test_undo_of_an_added_node_leaves_its_page(as_author, draft):
    added = as_author.post(f"{BASE}add/challenges/", follow=True).context["desk"]
    response = as_author.post(f"{BASE}undo/", {"back": added.ref.path}, follow=True)
    assert response.status_code == 200
    assert Challenge.objects.filter(pack=draft).count() == 1


def test_nothing_to_undo_is_said_and_breaks_nothing(as_author, draft):
    assert as_author.post(f"{BASE}undo/", {"back": "../../x"}, follow=True).status_code == 200


def test_a_viewer_may_not_act(as_viewer, draft, case):
    assert act(as_viewer, case, "remove").status_code == 403
    assert as_viewer.post(f"{BASE}add/challenges/").status_code == 403
    assert as_viewer.post(f"{BASE}undo/").status_code == 403


def test_an_unknown_act_or_room_is_not_found(as_author, draft, case):
    assert act(as_author, case, "explode").status_code == 404
    assert as_author.post(f"{BASE}add/castles/").status_code == 404
