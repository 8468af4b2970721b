"""What is kept of the output of a program."""

from runs.sandbox.contract import MAX_STDERR_BYTES, Command, Stop
from runs.sandbox.output import Output


def test_lines_are_passed_on_whole_wherever_the_pieces_end():
    lines = []
    output = Output(Command(["x"], on_line=lines.append))
    for piece in (b"on", b"e\ntwo\nth", b"ree"):
        assert output.take(piece, is_error=False) is Stop.NONE
    assert lines == [b"one", b"two"]
    output.finish_line()
    assert lines == [b"one", b"two", b"three"]
    assert output.texts() == (b"one\ntwo\nthree", b"")


def test_too_much_output_stops_the_program_and_of_errors_the_end_is_kept():
    output = Output(Command(["x"], max_output_bytes=3))
    assert output.take(b"abc", is_error=False) is Stop.NONE
    assert output.take(b"d", is_error=False) is Stop.OUTPUT_LIMIT
    for _ in range(3):
        output.take(b"e" * MAX_STDERR_BYTES, is_error=True)
    output.take(b"end", is_error=True)
    assert len(output.texts()[1]) == MAX_STDERR_BYTES
    assert output.texts()[1].endswith(b"end")
