"""Result files and tester configurations of the format's own runner, as runs of ours."""

import pytest

from packs.access import Role
from packs.formats.archives import read_path
from packs.formats.findings import render_path
from packs.formats.testers import read_tester
from packs.importing import import_pack
from packs.publish import publish
from runs.models import Trial
from runs.results.importing import import_records, look, read_records
from runs.sandbox import bubblewrap
from tests.corpora import corpus_folder
from tests.people import make_member
from tests.runs.working import work_off

FOLDER = corpus_folder("benchmark-pack")
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined"),
]


def test_a_result_file_becomes_a_run_that_says_the_same(team):
    user = make_member(team, Role.CURATOR)
    version = publish(import_pack(team, user, read_path(FOLDER / "sample-mixed")[0], "mixed"), user)
    given = read_records("candidates.jsonl", (FOLDER / "sample-run" / "candidates.jsonl").read_bytes())
    found = look(version, given)
    assert [finding.as_dict() for finding in found.findings] == []
    run = work_off(import_records(found, user))
    trials = {trial.case_key: trial for trial in Trial.objects.filter(run=run)}
    assert {key: trial.status for key, trial in trials.items()} == {
        "mixed/mc": "passed",
        "mixed/sa": "failed",
        "mixed/term": "failed",
        "mixed/tool-call": "undecided",
    }
    assert trials["mixed/term"].stop_reason == "timeout"
    assert trials["mixed/mc"].record.record["said_elsewhere"]["verifier_metadata"]["candidate_answer"] == "Answer: B"
    assert [agent.name for agent in run.agents.all()][0] == "command sample-mixed-command"


TESTERS = FOLDER / "sample-tester"
# What each problem of the broken file is about.
BROKEN = {
    *("schema_version", "run.limit", "run.id", "benchmark.split", "verification.deny_commands[0]"),
    *("harness.image", "harness.type", "harness.env[0]"),
}


@pytest.mark.parametrize("name", ["claude-code", "codex", "command"])
def test_a_sound_tester_configuration_is_read(name):
    tester, found = read_tester((TESTERS / f"{name}.yaml").read_bytes())
    assert found == []
    assert tester.harness == name.replace("-", "_")


def test_every_problem_of_a_broken_tester_configuration_is_told():
    tester, found = read_tester((TESTERS / "broken.yaml").read_bytes())
    assert tester is None
    assert {render_path(finding.path) for finding in found} == BROKEN
    assert {finding.rule for finding in found} == {"ConfigError"}
