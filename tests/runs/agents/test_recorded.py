from runs.agents.recorded import fits


def test_a_row_fits_by_all_that_it_names():
    assert fits({"case_key": "one"}, "day", "find", "one")
    assert fits({"case_key": "one", "challenge_key": "find", "input_set": "day"}, "day", "find", "one")
    assert not fits({"case_key": "two"}, "day", "find", "one")
    assert not fits({"case_key": "one", "challenge_key": "other"}, "day", "find", "one")
    assert not fits({"case_key": "one", "input_set": "night"}, "day", "find", "one")
