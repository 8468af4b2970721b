from runs.replay.vocabulary import COUNTERS, ENDS, KINDS, LETTERS, MOMENTS, STARTS, TERMINAL


def test_every_kind_of_step_has_a_letter_of_its_own():
    assert len(LETTERS) == len(KINDS)
    named = {*STARTS.values(), *(kind for kind, _ in ENDS.values()), *MOMENTS.values()}
    assert named <= KINDS.keys()
    assert {letter for letters in COUNTERS.values() for letter in letters} <= LETTERS.keys()


def test_an_event_type_has_one_role():
    assert not STARTS.keys() & ENDS.keys()
    assert not MOMENTS.keys() & (STARTS.keys() | ENDS.keys())
    assert TERMINAL.keys() <= ENDS.keys()
