"""The kinds of notices."""

from packs.notices import KINDS


def test_no_two_kinds_look_alike_where_people_choose():
    assert len({kind.label for kind in KINDS.values()}) == len(KINDS)
