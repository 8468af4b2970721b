import sys

from runs.sandbox.contract import MAX_STDERR_BYTES, Command
from runs.sandbox.processes import run_process


def test_of_standard_error_the_end_is_kept(tmp_path):
    code = "import sys; sys.stderr.write('x' * 500_000 + 'end')"
    result = run_process(Command([sys.executable, "-c", code]), tmp_path, {})
    assert len(result.stderr) == MAX_STDERR_BYTES
    assert result.stderr.endswith(b"xend")


def test_a_signal_shows_as_a_negative_exit_code(tmp_path):
    code = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    assert run_process(Command([sys.executable, "-c", code]), tmp_path, {}).exit_code == -15
