import fcntl
import sys
from pathlib import Path

from runs.sandbox.contract import MAX_STDERR_BYTES, Command
from runs.sandbox.processes import Launch, run_process


def run_python(code, directory):
    arguments = [sys.executable, "-c", code]
    return run_process(Command(arguments), Launch(arguments, directory, {}))


def test_of_standard_error_the_end_is_kept(tmp_path):
    result = run_python("import sys; sys.stderr.write('x' * 500_000 + 'end')", tmp_path)
    assert len(result.stderr) == MAX_STDERR_BYTES
    assert result.stderr.endswith(b"xend")


def test_a_signal_shows_as_a_negative_exit_code(tmp_path):
    assert run_python("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", tmp_path).exit_code == -15


def test_input_that_nobody_took_is_told():
    def result_of(code, size):
        command = Command([sys.executable, "-S", "-c", code], stdin=b"x" * size)
        return run_process(command, Launch(command.arguments, Path("/"), {}))

    assert result_of("", 1_000_000).left_input
    assert not result_of("import sys; sys.stdin.read()", 1_000_000).left_input
    assert not result_of("", 10).left_input


LEAVES_A_CHILD = """
import fcntl, os, time
held = open("held", "w")
fcntl.flock(held, fcntl.LOCK_EX)
if os.fork() == 0:
    time.sleep(3600)
"""


def test_children_that_outlive_their_program_are_killed(tmp_path):
    assert run_python(LEAVES_A_CHILD, tmp_path).exit_code == 0
    with (tmp_path / "held").open() as held:
        # Held by the child for as long as it lives.
        fcntl.flock(held, fcntl.LOCK_EX)
