"""Asking for a second scoring, and what is refused."""

import pytest

from runs.jobs.scores.rescoring import rescore
from runs.jobs.trials.control import pause
from runs.launch.launching import launch
from runs.models import RescoreResult, RunStatus
from runs.results.rescoring import RescoreRefused, Wanted, ask_rescore, cancel_rescore, narrowed
from tests.runs.connections import make_connection
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

EVALUATION = """\
name: parcels
version_number: 2
judge_mode: deterministic
validators:
  - {key: answer, type: exact_match, target: final_output, expected_from: "literal:depot"}
scorecard: {dimensions: [correctness], pass_threshold: 0.5}
"""


@pytest.fixture
def run(author, version, agents):
    return work_off(launch(author, version, [agents["echo"]]))


def refusal(run, **wanted):
    with pytest.raises(RescoreRefused) as caught:
        ask_rescore(run, wanted=Wanted(**wanted))
    return caught.value


def test_another_evaluation_judges_the_same_answers_beside_the_old_verdicts(run, author):
    before = list(run.trials.values())
    row = ask_rescore(run, author, Wanted(evaluation=EVALUATION))
    assert (row.created_by, row.trial_count) == (author, 3)
    rescore(row)
    row.refresh_from_db()
    assert row.status == "completed"
    move = {"from": "passed", "to": "failed", "trials": 3, "old_score": 1.0, "new_score": 0.0}
    assert row.summary["moves"] == [move]
    assert set(RescoreResult.objects.values_list("old_status", "status", "score")) == {("passed", "failed", 0.0)}
    assert list(run.trials.values()) == before


def test_an_evaluation_with_mistakes_is_refused_with_its_findings(run):
    refused = refusal(run, evaluation=EVALUATION.replace("exact_match", "exactly"))
    assert refused.code == "invalid_evaluation"
    assert any("validators" in str(finding.path) for finding in refused.findings)
    assert refusal(run, evaluation="- a list").code == "invalid_evaluation"
    assert refusal(run, evaluation="{").findings
    twice = refusal(run, evaluation=f"{EVALUATION}name: parcels\n")
    assert (twice.code, len(twice.findings)) == ("invalid_evaluation", 1)


def test_a_blank_evaluation_is_none(run):
    assert ask_rescore(run, wanted=Wanted(evaluation=" \n")).evaluation is None


def test_results_are_narrowed_by_what_is_asked_for_alone(run):
    rescore(ask_rescore(run, wanted=Wanted(evaluation=EVALUATION)))
    found = [
        narrowed(RescoreResult.objects.all(), {"from": start, "to": end}).count()
        for start, end in (("", ""), ("passed", ""), ("passed", "failed"), ("", "passed"))
    ]
    assert found == [3, 3, 3, 0]


def test_only_versions_of_the_same_pack_can_score(run, team, author):
    text = pack_text({"default": 1}, slug="other").replace("  number: 1", "  number: 2")
    assert publish_text(team, author, text, slug="other").number == 2
    assert refusal(run, number=2).code == "unknown_version"


def test_a_run_that_goes_on_is_not_scored_again(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    assert refusal(run).code == "run_not_ended"
    pause(run)
    run.refresh_from_db()
    assert refusal(run).code == "run_not_ended"
    run.status = RunStatus.SCORING
    assert refusal(run).code == "run_not_ended"


def test_who_is_to_answer_has_to_be_there_and_to_be_asked(run, team, model_server):
    make_connection(team, model_server)
    chosen = {"gpt-small": {"connection": "models", "model": "small"}}
    assert ask_rescore(run, wanted=Wanted(asks="all", connections=chosen)).connections["gpt-small"]["model"] == "small"
    assert refusal(run, connections=chosen).code == "nobody_asked"
    gone = {"gpt-small": {"connection": "gone"}}
    assert refusal(run, asks="missing", connections=gone).code == "invalid_connections"


def test_the_job_of_a_rescore_is_sent_once_its_row_can_be_found(run, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as after_commit:
        row = ask_rescore(run)
        assert row.pk
    assert len(after_commit) == 1
    with django_capture_on_commit_callbacks() as after_commit:
        ask_rescore(run, send=False)
    assert after_commit == []


def test_a_rescore_that_waits_can_be_cancelled_and_is_not_begun(run):
    row = ask_rescore(run)
    assert cancel_rescore(row)
    rescore(row)
    row.refresh_from_db()
    assert (row.status, row.results.count(), row.finished_at is not None) == ("cancelled", 0, True)


def test_a_rescore_that_has_ended_cannot_be_cancelled(run):
    row = ask_rescore(run)
    rescore(row)
    assert not cancel_rescore(row)
    row.refresh_from_db()
    assert row.status == "completed"
