"""How many verdicts of a run come from proven cases."""

import pytest
from django.utils.timezone import now

from packs.importing import import_pack
from packs.publish import publish
from runs.jobs.proofs import draft_of, prove_rows
from runs.jobs.scores.reviewing import review
from runs.launch.launching import Options, launch
from runs.models import Event, Trial
from runs.models.proofs import standing_of
from runs.proof.document import CaseState
from runs.results.case_verdicts import summary_of
from runs.results.proofs import put_forward
from tests.runs.proof.makers import TIDY, challenge
from tests.runs.reviews import begin_reviewed, requests_of, reviewed_task, reviewer, scores

pytestmark = pytest.mark.django_db


def test_cases_that_nobody_passes_or_that_a_person_overruled_are_put_forward(as_author, team, author, agents):
    pack = import_pack(team, author, challenge({"says": TIDY}, ["Leeds", "York"], asked="Answer exactly."), "planted")
    run = launch(author, publish(pack, author), [agents["echo"]], Options(trials=3))
    Trial.objects.filter(run=run, case__key="case-1").update(status="failed")
    Trial.objects.filter(run=run, case__key="case-2").update(status="passed")
    first, second = pack.cases.order_by("position")
    states = standing_of(pack).states
    assert [(found.case, found.why) for found in put_forward(pack, states)] == [(first.pk, "None of 3 trials passed")]
    trial = Trial.objects.filter(run=run, case__key="case-2").first()
    Event.objects.create(
        trial=trial, sequence=9999, event_type="grader.verdict.overruled", payload={}, occurred_at=now()
    )
    assert {found.case for found in put_forward(pack, states)} == {first.pk, second.pk}
    page = as_author.get("/proofs/default/planted/").content.decode()
    assert "2 cases put forward by runs" in page
    # What is proven and fails says something of agents.
    proven = dict.fromkeys(states, CaseState.PROVEN)
    assert [found.case for found in put_forward(pack, proven)] == [second.pk]


def test_cases_at_which_several_reviewers_part_from_the_graders_are_put_forward(team, author):
    run = begin_reviewed(team, author, reviewed_task(min_reviewers=2, pass_threshold=3.0))
    request, pack = requests_of(run)[0], run.version.pack
    for name in ("ada", "bob"):
        review(request, reviewer(team, name), scores(4, 4))
    proven = dict.fromkeys(standing_of(pack).states, CaseState.PROVEN)
    Trial.objects.filter(pk=request.trial_id).update(status="passed")
    assert put_forward(pack, proven) == []
    Trial.objects.filter(pk=request.trial_id).update(status="failed")
    [found] = put_forward(pack, proven)
    assert (found.why, found.trial) == ("2 reviewers say that the answer is right", request.trial_id)


def test_verdicts_count_where_their_case_is_proven(as_author, team, author, agents):
    pack = import_pack(team, author, challenge({"says": TIDY}, ["Leeds", "York"], asked="Answer exactly."), "planted")
    assert summary_of(launch(author, publish(pack, author), [agents["echo"]]))["proven_verdicts"] is None
    subject = draft_of(pack)
    prove_rows(subject, subject.rows[:1])
    run = launch(author, publish(pack, author, number=2), [agents["echo"]])
    assert summary_of(run)["proven_verdicts"] == 0
    for status in ("passed", "failed"):
        Trial.objects.filter(run=run).update(status=status)
        assert summary_of(run)["proven_verdicts"] == Trial.objects.filter(run=run, case__key="case-1").count()
    Trial.objects.filter(run=run).update(status="error")
    assert summary_of(run)["proven_verdicts"] == 0
    assert "Verdicts from proven cases" in as_author.get(f"/runs/{run.pk}/").content.decode()
