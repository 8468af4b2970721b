"""The kinds of notices."""

from packs.notices import KINDS, those


def test_no_two_kinds_look_alike_where_they_are_chosen():
    assert len({kind.label for kind in KINDS.values()}) == len({kind.event for kind in KINDS.values()}) == len(KINDS)


def test_who_was_deleted_gets_nothing():
    assert those(3, None, 5, 3) == {3, 5}
