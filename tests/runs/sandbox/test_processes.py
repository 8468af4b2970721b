import sys

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
