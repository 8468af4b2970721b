from collections import Counter

from runs.grading.dealing import dealt, drawn

ROWS = list(range(100, 400))


def test_a_draw_is_the_same_for_a_seed_and_keeps_the_order():
    first = drawn(ROWS, 30, 7)
    assert (first, len(set(first)), first == sorted(first)) == (drawn(ROWS, 30, 7), 30, True)
    assert drawn(ROWS, 30, 8) != first
    assert drawn(ROWS, 1000, 7) == ROWS


def test_each_row_goes_to_as_many_people_as_needed_none_of_them_twice():
    places = dealt(ROWS, {1: 1, 2: 1, 3: 1}, 2, 7)
    assert set(places) == set(ROWS)
    assert {len(set(people)) for people in places.values()} == {2}
    assert set(Counter(who for people in places.values() for who in people).values()) == {200}


def test_people_get_about_what_their_share_is():
    got = Counter(who for people in dealt(ROWS, {1: 3, 2: 1}, 1, 7).values() for who in people)
    assert got == {1: 225, 2: 75}


def test_with_fewer_people_than_places_all_get_every_row():
    assert set(map(tuple, dealt(ROWS, {4: 1, 2: 9}, 3, 1).values())) == {(2, 4)}
