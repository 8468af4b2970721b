import struct

import pytest

from runs.sandbox.seccomp import ALLOW, ENOSYS, EPERM, REFUSE, REFUSED, NoFilter, filter_of_calls

NUMBERS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def answer(code, number, *, first=0, second=0, architecture=NUMBERS["x86_64"]):
    """What the kernel's own machine would answer: the program, run instruction by instruction."""
    data = struct.pack("=IIQQQ", number, architecture, 0, first, second)
    steps = [struct.unpack_from("=HBBI", code, place) for place in range(0, len(code), 8)]
    word, place = 0, 0
    while True:
        kind, yes, no, value = steps[place]
        place += 1
        if kind == 0x06:
            return value
        if kind == 0x20:
            word = struct.unpack_from("=I", data, value)[0]
        else:
            is_so = {0x15: word == value, 0x35: word >= value, 0x45: bool(word & value)}[kind]
            place += yes if is_so else no


@pytest.mark.parametrize("machine", NUMBERS)
def test_dangerous_calls_are_refused_and_usual_ones_pass(machine):
    column = list(NUMBERS).index(machine)
    code = filter_of_calls(machine=machine)
    given = {"architecture": NUMBERS[machine]}
    assert {answer(code, numbers[column], **given) for numbers in REFUSED.values()} == {REFUSE | EPERM}
    for usual in ((0, 63), (1, 64), (59, 221), (231, 94), (41, 198), (257, 56)):
        assert answer(code, usual[column], **given) == ALLOW


def test_processes_may_be_made_but_no_namespaces():
    code = filter_of_calls(machine="x86_64")
    assert answer(code, 56, first=17) == ALLOW
    assert answer(code, 56, first=0x003D0F00) == ALLOW
    for flag in (0x10000000, 0x00020000, 0x20000000, 0x40000000):
        assert answer(code, 56, first=flag | 17) == REFUSE | EPERM
    assert answer(code, 435) == REFUSE | ENOSYS


def test_a_terminal_cannot_be_typed_into():
    code = filter_of_calls(machine="x86_64")
    assert answer(code, 16, second=0x5412) == REFUSE | EPERM
    assert answer(code, 16, second=0x5413) == ALLOW


def test_other_ways_to_number_calls_lead_nowhere():
    code = filter_of_calls(machine="x86_64")
    assert answer(code, 0x40000000 | 101) == REFUSE | ENOSYS
    assert answer(code, 26, architecture=0x40000003) == REFUSE | ENOSYS


def test_only_sockets_between_processes_are_left_where_that_is_asked():
    code = filter_of_calls(only_local_sockets=True, machine="x86_64")
    assert [answer(code, 41, first=family) for family in (1, 2, 10, 16, 17)] == [ALLOW] + [REFUSE | EPERM] * 4
    assert answer(filter_of_calls(machine="x86_64"), 41, first=2) == ALLOW


def test_an_unknown_processor_has_no_filter():
    with pytest.raises(NoFilter):
        filter_of_calls(machine="z80")
