"""How many verdicts of a run come from proven cases."""

import pytest

from packs.importing import import_pack
from packs.publish import publish
from runs.jobs.proofs import draft_of, prove_rows
from runs.launch.launching import launch
from runs.models import Trial
from runs.results.case_verdicts import summary_of
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db


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
