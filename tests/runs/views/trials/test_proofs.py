"""From a trial to the proof of its case."""

import pytest

from packs.access import Role
from packs.editing.files import file_content
from packs.formats.document import PROOF_FILE
from packs.importing import import_pack
from packs.publish import publish
from runs.jobs.proofs import draft_of, prove_rows
from runs.launch.launching import launch
from runs.models import Trial
from runs.proof.author import read_notes
from tests.people import make_member
from tests.runs.proof.makers import EXPECTED, challenge

pytestmark = pytest.mark.django_db
LOOSE = {"says": ("contains", EXPECTED)}


@pytest.fixture
def run(team, author, agents):
    pack = import_pack(team, author, challenge(LOOSE, ["Leeds", "York"]), "planted")
    subject = draft_of(pack)
    prove_rows(subject, subject.rows)
    run = launch(author, publish(pack, author), [agents["echo"]])
    Trial.objects.filter(run=run).update(status="passed", final_output="Leeds or York")
    return run


def test_verdicts_of_cases_that_are_not_proven_are_marked_with_a_way_to_their_proof(as_author, run):
    trial = Trial.objects.filter(run=run, case_position=0).get()
    way = f"/runs/trials/{trial.pk}/proof/"
    for address in (f"/runs/{run.pk}/", f"/runs/trials/{trial.pk}/"):
        shown = as_author.get(address).content.decode()
        assert "Refuted" in shown
        assert way in shown
    case = run.version.pack.cases.get(key="case-1")
    assert as_author.get(way).url.endswith(f"/cases/{case.pk}/?lens=proof")


def test_an_answer_is_kept_with_its_case_once_and_says_where_it_comes_from(as_author, run):
    trial = Trial.objects.filter(run=run, case_position=0).get()
    for _ in range(2):
        answer = as_author.post(f"/runs/trials/{trial.pk}/proof/", {"name": "wrong"})
        assert answer.url.endswith("?lens=proof")
    notes, _ = read_notes(file_content(run.version.pack, PROOF_FILE))
    [entry] = notes.document["cases"]
    assert entry["case_key"] == "case-1"
    assert entry["wrong"] == [{"text": "Leeds or York", "origin": f"Trial {trial.pk} of run {run.pk}"}]
    assert as_author.post(f"/runs/trials/{trial.pk}/proof/", {"name": "odd"}).status_code == 404


def test_viewers_see_the_proof_of_a_trial_and_keep_nothing(client, team, run):
    client.force_login(make_member(team, Role.VIEWER))
    trial = Trial.objects.filter(run=run).first()
    assert client.get(f"/runs/trials/{trial.pk}/proof/").status_code == 302
    assert client.post(f"/runs/trials/{trial.pk}/proof/", {"name": "wrong"}).status_code == 403
