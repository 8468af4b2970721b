import struct

import pytest

from runs.sandbox.seccomp import ALLOW, ENOSYS, EPERM, REFUSE, REFUSED, SHARED_IPC, NoFilter, filter_of_calls

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
        elif kind == 0x54:
            word &= value
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
        assert answer(code, usual[column], first=2, **given) == ALLOW


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


SOCKET, SOCKETPAIR, CLOEXEC = 41, 53, 0o2000000


def test_sockets_are_of_four_families():
    code = filter_of_calls(machine="x86_64")
    for call in (SOCKET, SOCKETPAIR):
        allowed = [family for family in range(64) if answer(code, call, first=family, second=2) == ALLOW]
        assert allowed == ([1, 2, 10, 16] if call == SOCKET else [1])


def test_a_sandbox_can_name_the_families_of_its_sockets():
    code = filter_of_calls(families=(2, 10), machine="x86_64")
    assert [family for family in range(64) if answer(code, SOCKET, first=family) == ALLOW] == [2, 10]
    code = filter_of_calls(families=(), machine="x86_64")
    assert {answer(code, SOCKET, first=family) for family in range(64)} == {REFUSE | EPERM}


def test_without_sockets_of_this_machine_pairs_are_left_that_lead_to_nobody_else():
    code = filter_of_calls(families=(), machine="x86_64")
    pairs = {kind: answer(code, SOCKETPAIR, first=1, second=kind | CLOEXEC) for kind in range(1, 6)}
    assert [kind for kind, found in pairs.items() if found == ALLOW] == [1, 5]


@pytest.mark.parametrize("machine", NUMBERS)
def test_what_the_machine_shares_by_number_is_refused_where_a_sandbox_has_no_numbers_of_its_own(machine):
    column = list(NUMBERS).index(machine)
    given = {"architecture": NUMBERS[machine]}
    for has_own, expected in ((True, ALLOW), (False, REFUSE | EPERM)):
        code = filter_of_calls(has_own_ipc=has_own, machine=machine)
        assert {answer(code, numbers[column], **given) for numbers in SHARED_IPC.values()} == {expected}


def test_an_unknown_processor_has_no_filter():
    with pytest.raises(NoFilter):
        filter_of_calls(machine="z80")
