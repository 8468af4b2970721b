"""Limits of a connection between processes that share nothing but the database."""

import json
import os
import subprocess
import sys

import pytest
from django.db import connection as database

from tests.runs.connections import make_connection
from tests.services import ROOT

PROCESSES, TIMES = 2, 6


def address_of(database):
    given = database.settings_dict
    if database.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    return f"postgres://{given['USER']}:{given['PASSWORD']}@{given['HOST']}:{given['PORT']}/{given['NAME']}"


@pytest.mark.services
def test_processes_keep_to_the_calls_that_a_connection_allows_at_a_time(transactional_db, team, model_server):
    model_server.reply("Hello.", delay=0.2, together=2)
    make_connection(team, model_server, max_concurrent=2)
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": address_of(database)}
    environment["PACKWRIGHT_ENDPOINT_HOSTS"] = "127.0.0.1"
    code = f"import django; django.setup(); from tests.runs.calling import call; call({TIMES})"
    command = [sys.executable, "-c", code]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    callers = [subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) for _ in range(PROCESSES)]
    told = [caller.communicate() for caller in callers]
    assert [json.loads(out or "[]") for out, _ in told] == [["Hello."] * TIMES] * PROCESSES, told
    assert len(model_server.requests) == PROCESSES * TIMES
    assert model_server.most_busy == 2
