from runs.grading.graders.passages import find_passage

TEXT = "The parcel is\n  at the hub. The parcel is late."


def test_a_passage_is_found_whatever_white_space_it_has():
    start, end = find_passage(TEXT, "is at the  hub.")
    assert TEXT[start:end] == "is\n  at the hub."


def test_signs_stand_for_themselves_and_nothing_is_found_nowhere():
    assert find_passage("a.b", "a?b") is None
    assert find_passage(TEXT, "  ") is None
