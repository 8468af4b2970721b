"""Preprocessors of a published AgentV suite, from the launch to the judge's question and the replay's events."""

import pytest
import yaml

from packs.access import Role
from packs.importing import import_pack
from packs.publish import publish
from runs.launch.launching import launch
from runs.models import Trial
from runs.sandbox import bubblewrap
from tests.people import make_member
from tests.runs.connections import make_connection
from tests.runs.working import work_off

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined"),
]

CONVERT = b"""\
import json, sys
told = json.load(sys.stdin)
print(open(told["path"], "rb").read().partition(b"\\x03")[2].decode().upper())
"""
SUITE = {
    "name": "sheets",
    "preprocessors": [{"type": "xlsx", "command": ["python", "../scripts/convert.py"]}],
    "tests": [
        {
            "id": "a",
            "input": "How many parcels?",
            "input_files": ["parcels.xlsx", "note.md"],
            "criteria": "Says how many.",
        }
    ],
}


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


def version_of(team, user, program=CONVERT):
    files = {
        "evals/sheets.eval.yaml": yaml.safe_dump(SUITE).encode(),
        "evals/parcels.xlsx": b"PK\0\x03 thirty parcels",
        "evals/note.md": b"Counted by hand.",
        "scripts/convert.py": program,
    }
    return publish(import_pack(team, user, files, "sheets"), user)


def test_a_judge_of_a_run_reads_a_sheet_of_the_pack(team, curator, agents, model_server, local_endpoints):
    make_connection(team, model_server, model_list=[{"name": "judge"}])
    model_server.answer = lambda request: '{"score": 1}'
    run = work_off(launch(curator, version_of(team, curator), [agents["echo"]]))
    trial = run.trials.get()
    assert trial.status == "passed", trial.error
    asked = model_server.requests[0]["messages"][1]["content"]
    assert "THIRTY PARCELS" in asked
    assert "Counted by hand." in asked
    [event] = trial.events.filter(event_type="grader.verification.code_executed")
    assert "THIRTY PARCELS" in event.payload["stdout"]


def test_a_preprocessor_that_fails_makes_the_trial_an_error_and_asks_nobody(
    team, curator, agents, model_server, local_endpoints
):
    make_connection(team, model_server, model_list=[{"name": "judge"}])
    version = version_of(team, curator, b"import sys; sys.stdin.read(); sys.exit('not a sheet')")
    trial: Trial = work_off(launch(curator, version, [agents["echo"]])).trials.get()
    assert (trial.status, trial.fault) == ("error", "pack")
    assert "parcels.xlsx" in trial.error
    assert "not a sheet" in trial.error
    assert model_server.requests == []
