"""Runs that are started for a gate."""

import pytest

from packs.models import VersionStatus
from runs.jobs.gating.checks import GateRefused
from runs.jobs.tasks import execute_gate
from runs.launch.gating import Start, start_for_gate
from runs.launch.gating.starting import newest_version
from runs.launch.refusals import LaunchRefused
from runs.models import GateRequest, Run
from tests.runs.gated import answering, publish_suites, suite_files, task
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

MERGE, NIGHTLY = "ci_merge_gate", "nightly"


@pytest.fixture
def suites(team, author):
    return publish_suites(team, author)


def cases(run):
    return sorted(set(run.trials.values_list("case_key", flat=True)))


def test_only_the_cases_of_the_gate_are_tried(suites, author):
    merge = start_for_gate(author, suites, answering(suites, "one"), Start(MERGE))
    nightly = start_for_gate(author, suites, answering(suites, "two"), Start(NIGHTLY))
    assert cases(merge) == ["attack_1", "capital_1", "incident_1"]
    assert cases(nightly) == ["attack_1", "capital_1", "essay_1", "incident_1"]


def test_a_task_that_speaks_for_itself_is_heard(team, author):
    own = task("essay_1", "open_ended") + b"gates: {ci_merge_gate: true}\n"
    version = publish_suites(team, author, files=suite_files(open_ended__essay_1=own))
    assert "essay_1" in cases(start_for_gate(author, version, answering(version), Start(MERGE)))


def test_the_verdict_comes_when_the_run_has_ended(suites, author):
    run = start_for_gate(author, suites, answering(suites), Start(MERGE, metadata={"branch": "main"}))
    work_off(run)
    execute_gate(GateRequest.objects.get(run=run).pk)
    check = run.gate_checks.get()
    assert (check.verdict, check.branch, check.created_by) == ("pass", "main", author)


def test_the_same_key_gives_the_same_run(suites, author):
    agent = answering(suites)
    runs = [start_for_gate(author, suites, agent, Start(MERGE, idempotency_key="build 7")) for _ in range(2)]
    assert runs[0] == runs[1]
    assert GateRequest.objects.count() == 1


def test_a_pack_without_suites_is_run_by_the_set_that_is_named(sets_version, author, agents):
    run = start_for_gate(author, sets_version, agents["reference"], Start(MERGE, input_set="large"))
    assert run.trials.count() == 2
    with pytest.raises(LaunchRefused) as refused:
        start_for_gate(author, sets_version, agents["reference"], Start(MERGE))
    assert refused.value.code == "missing_challenge_input_set_id"


def test_a_gate_without_members_starts_nothing(team, author):
    config = b"suites: {}\ngates:\n  ci_merge_gate: {must_include_suites: []}\n  nightly: {}\n  release_candidate: {}\n"
    version = publish_suites(team, author, files=suite_files() | {"evals/config.yml": config})
    with pytest.raises(GateRefused) as refused:
        start_for_gate(author, version, answering(version), Start(MERGE))
    assert refused.value.code == "gate_without_members"
    assert not Run.objects.exists()


def test_a_pack_without_a_version_that_can_be_run_is_refused(suites):
    assert newest_version(suites.pack) == suites
    type(suites).objects.update(status=VersionStatus.ARCHIVED)
    with pytest.raises(LaunchRefused, match="has no version that can be run"):
        newest_version(suites.pack)
