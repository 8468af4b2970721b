"""Limits of a connection between processes that share nothing but the database."""

import json
import subprocess
import sys

import pytest

from tests.services import ROOT, Studio

PROCESSES, TIMES = 2, 6


@pytest.mark.services
def test_processes_keep_to_the_calls_that_a_connection_allows_at_a_time(tmp_path, model_server):
    model_server.reply("Hello.", delay=0.2)
    studio = Studio(tmp_path, PACKWRIGHT_ENDPOINT_HOSTS="127.0.0.1")
    shell = [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "--verbosity", "0", "--command"]
    studio.manage(*shell[2:], f"from tests.runs.calling import prepare; prepare({model_server.url!r})")
    code = f"from tests.runs.calling import call; call({TIMES})"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    callers = [subprocess.Popen([*shell, code], cwd=ROOT, env=studio.environment, **pipes) for _ in range(PROCESSES)]
    told = [caller.communicate(timeout=60) for caller in callers]
    assert [json.loads(out) for out, _ in told] == [["Hello."] * TIMES] * PROCESSES, told
    assert len(model_server.requests) == PROCESSES * TIMES
    assert model_server.most_busy == 2
