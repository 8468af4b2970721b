import pytest

from runs.sandbox.attacks import ATTACKS, Report
from runs.sandbox.attacks.contract import Scene
from runs.sandbox.attacks.leftovers import marked
from runs.sandbox.contract import CommandResult, Stop

SCENE = Scene("s3cret" * 6, "/secret", "/victim", 1, 2, 3, "name", "/stream", "/datagram", 4)


def judged(key, stdout=b"", exit_code=0, stop=Stop.NONE, stderr=b""):
    return ATTACKS[key].judge(SCENE, None, CommandResult(exit_code, stdout, stderr, stop))


def test_a_program_is_told_where_to_look_and_not_what_to_find():
    assert SCENE.token not in SCENE.as_argument()
    assert SCENE.secret_file in SCENE.as_argument()


@pytest.mark.parametrize("output", [b"GOT a file\nEND\n", b"END " + SCENE.token.encode(), b"it broke"])
def test_what_was_got_is_told_and_so_is_an_attack_that_did_not_take_place(output):
    assert not Report(ATTACKS["read_files"], judged("read_files", output)).held


def test_an_attack_that_ended_with_nothing_has_been_withstood():
    assert Report(ATTACKS["read_files"], judged("read_files", b"END\n")).held


def test_a_hog_is_withstood_when_it_was_stopped_or_stayed_small():
    assert judged("memory_hog", b"COUNT 640\nEND\n") != ""
    assert judged("memory_hog", b"COUNT 640\n", exit_code=-9, stop=Stop.MEMORY) == ""
    assert judged("memory_hog", b"COUNT 144\nEND\n") == ""
    assert judged("memory_hog", b"", exit_code=1, stderr=b"no such program") != ""


def test_processes_are_found_by_the_last_word_of_their_command_line():
    with open("/proc/self/cmdline", "rb") as opened:
        own = opened.read().split(b"\0")[-2].decode()
    assert marked(own)
    assert not marked("no-process-ends-with-this")
