"""The traces of the corpus: in as runs, out as the same traces, and the incident as a task of its own."""

import orjson
import pytest

from packs.access import Role
from packs.formats.archives import read_path
from packs.formats.provenance import find_provenance
from packs.importing import import_pack
from packs.publish import publish
from runs.models import Trial
from runs.results.failures import failure_of, find_place, keep, places_of
from runs.results.importing import Wish, import_records, look, read_records
from runs.results.tracing import trial_record, trial_trace
from tests.corpora import corpus_folder
from tests.people import make_member
from tests.runs.working import work_off

FOLDER = corpus_folder("task-suite") / "examples"
TRACES = sorted((FOLDER / "traces").glob("*.json"))
INCIDENT = "incident-2026-02-11_duplicate-payout_1"
pytestmark = pytest.mark.django_db


@pytest.fixture
def user(team):
    return make_member(team, Role.ADMINISTRATOR)


@pytest.fixture
def version(team, user):
    files, _ = read_path(FOLDER)
    return publish(import_pack(team, user, files, "examples"), user)


def taken_in(version, user, path, case=""):
    found = look(version, read_records(path.name, path.read_bytes()), Wish(case))
    assert found.can_import, found.findings
    run = work_off(import_records(found, user))
    related = ("run__version__pack", "run_agent", "case__input_set")
    return Trial.objects.select_related(*related).get(run=run)


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_trace_comes_in_and_goes_out_unchanged(version, user, path):
    value = orjson.loads(path.read_bytes())
    trial = taken_in(version, user, path, INCIDENT)
    assert trial_trace(trial) == value.get("trace", value)
    assert trial_record(trial)["trace"] == value.get("trace", value)


def test_the_trace_of_the_incident_fails_the_task_that_was_made_of_it(version, user):
    trial = taken_in(version, user, FOLDER / "traces" / "incident-run-7f3a.json")
    assert (trial.case_key, trial.status) == (INCIDENT, "failed")


def test_the_run_that_did_better_passes_it(version, user):
    assert taken_in(version, user, FOLDER / "traces" / "passing-run-9b21.json", INCIDENT).status == "passed"


def test_the_incident_becomes_a_task_without_errors(version, user):
    trial = taken_in(version, user, FOLDER / "traces" / "incident-run-7f3a.json")
    pack = version.pack
    row = keep(pack, find_place(places_of(pack)), failure_of(trial), user)
    assert row.input_set.key == "failure_replays"
    assert row.error_count == 0
    inputs = row.document["inputs"]
    assert (inputs["flaky_tool"], inputs["flaky_pattern"]) == (
        "payout",
        {"first_n_failures": 1, "failure_mode": "timeout"},
    )
    assert inputs["incident_trace_ref"] == find_provenance(row.document)[1]["trace"] == "run-7f3a"
    assert "safety" in row.document["tags"]
