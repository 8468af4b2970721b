from runs.grading.graders.commands import MAX_KEPT, GraderCommand, counts
from runs.sandbox.contract import CommandResult, Stop


def test_counts_are_read_from_whichever_output_says_them():
    json = '{"passed": 2, "failed": 1}'
    assert counts(json, "a warning")["total_tests"] == 3
    assert counts("", "4 passed")["passed_tests"] == 4
    assert counts("all fine", "") == {}


def test_a_long_output_is_counted_whole_and_kept_in_part():
    output = b"7 passed\n" + b"x" * MAX_KEPT + b"\n"
    told = GraderCommand("k", ("true",), 1).completed(CommandResult(0, output, b""))
    assert told["passed_tests"] == 7
    assert "characters left out" in told["stdout"]


def test_a_command_that_was_stopped_for_what_it_used_says_so():
    told = GraderCommand("k", ("true",), 1).completed(CommandResult(-9, b"", b"", Stop.MEMORY))
    assert (told["stopped"], told["timed_out"], told["exit_code"]) == ("memory", False, -9)
