import pytest

from studio.rooms import RAIL, STAFF_RAIL, address, is_current


@pytest.mark.parametrize(
    ("view_name", "label"),
    [
        ("packs:overview", "Packs"),
        ("packs:edit-node", "Packs"),
        ("runs:tryout", "Packs"),
        ("runs:proof", "Packs"),
        ("runs:judges", "Packs"),
        ("runs:show", "Runs"),
        ("runs:trial", "Runs"),
        ("runs:agents", "Agents"),
        ("runs:agent-edit", "Agents"),
        ("runs:connection-new", "Agents"),
        ("runs:secrets", "Agents"),
        ("runs:gate", "Packs"),
        ("runs:gate-check", "Packs"),
        ("runs:run-gates", "Runs"),
        ("admin:packs_pack_changelist", "Curation"),
        ("studio:ops", "Ops"),
        ("studio:workers", "Ops"),
        ("studio:home", None),
        ("runs:notifications", None),
        ("runs:webhook-act", None),
        ("", None),
    ],
)
def test_a_page_belongs_to_one_room_at_most(view_name, label):
    current = [room.label for room in RAIL + STAFF_RAIL if is_current(room, view_name)]
    assert current == ([label] if label else [])


def test_a_page_that_is_not_installed_has_no_address():
    assert address("runs:no-such-page") == ""
    assert address("packs:overview", "default", "parcels") == "/packs/default/parcels/"


def test_keys_of_rooms_are_all_different():
    keys = [room.key for room in RAIL + STAFF_RAIL]
    assert len(set(keys)) == len(keys)
