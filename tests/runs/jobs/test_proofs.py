"""Proofs of the cases of drafts and versions, kept in rows."""

import io
import json
from pathlib import Path

import pytest

from packs.editing import Change, EditRefused, apply, undo
from packs.editing.files import file_content
from packs.formats.archives import read_path
from packs.formats.document import PROOF_FILE, NodeKind
from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import JobStatus
from packs.publish import PublishRefused, publish
from runs.jobs.proofs import accept, is_quick, prove_case, start_proving, state_answer, unproven
from runs.models.proofs import StoredProof, report_of, standing_of, standing_of_version
from runs.proof.command import main
from runs.proof.document import CaseState
from runs.proof.probes import Code, Work
from tests.packs.drafts import draft_of, pack_text
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db
SAMPLES = Path("packs/samples")
LOOSE = {"says": ("contains", *TIDY[1:])}
TIGHT = {"says": TIDY}


def proven(pack, author, version=None):
    """The job that proved the cases."""
    job = start_proving(pack, author, version)
    execute_job(job.pk)
    job.refresh_from_db()
    return job


def draft(team, author, validators, *answers):
    return import_pack(
        team, author, challenge(validators, answers, asked="Answer exactly with the name."), "planted.yaml"
    )


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.iterdir()))
def test_a_draft_is_proven_as_its_files_are(team, author, name, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    out = io.StringIO()
    main(["prove", str(SAMPLES / name), "--json"], out)
    [alone] = json.loads(out.getvalue())["results"]
    files, _ = read_path(SAMPLES / name)
    pack = import_pack(team, author, dict(files), name)
    job = proven(pack, author)
    assert job.status == JobStatus.COMPLETED, job.error
    found = report_of(pack)
    assert found["cases"] == alone["cases"]
    assert (found["state"], found["strength"]) == (alone["state"], alone["strength"])


def test_a_change_of_a_case_makes_its_proof_stale_and_one_of_the_pack_that_of_all(team, author):
    pack = draft(team, author, TIGHT, "Leeds", "York")
    proven(pack, author)
    first, second = pack.cases.order_by("position")
    assert set(standing_of(pack).states.values()) == {CaseState.PROVEN}
    apply(pack, [Change(NodeKind.CASE, first.pk, "/expectations/0/value", "Hull")], author)
    assert standing_of(pack).states == {first.pk: CaseState.STALE, second.pk: CaseState.PROVEN}
    proven(pack, author)
    assert standing_of(pack).state is CaseState.PROVEN
    apply(pack, [Change(NodeKind.PACK, pack.pk, "/version/evaluation_spec/validators/0/type", "contains")], author)
    assert set(standing_of(pack).states.values()) == {CaseState.STALE}
    proven(pack, author)
    assert set(standing_of(pack).states.values()) == {CaseState.REFUTED}
    undo(pack, author)
    assert set(standing_of(pack).states.values()) == {CaseState.STALE}


def test_a_rule_keeps_unproven_cases_from_being_published(team, author, administrator):
    pack = draft(team, author, LOOSE, "Leeds")
    pack.needs_proof = True
    pack.save()
    for _ in range(2):
        with pytest.raises(PublishRefused) as refused:
            publish(pack, administrator)
        assert refused.value.code == "pack_needs_proof"
        proven(pack, author)
    assert "1 is refuted" in unproven(pack)
    apply(pack, [Change(NodeKind.PACK, pack.pk, "/version/evaluation_spec/validators/0/type", TIDY[0])], author)
    assert "1 is stale" in unproven(pack)
    proven(pack, author)
    version = publish(pack, administrator, number=7)
    assert standing_of_version(version).state is CaseState.PROVEN
    assert standing_of(pack).state is CaseState.PROVEN


def test_a_team_can_have_the_rule(team, author, administrator):
    team.needs_proof = True
    team.save()
    with pytest.raises(PublishRefused, match="have to be proven"):
        publish(draft_of(team, pack_text(2)), administrator)


def test_a_version_that_was_published_unproven_is_proven_later(team, author, administrator):
    pack = draft(team, author, TIGHT, "Leeds")
    version = publish(pack, administrator)
    assert standing_of_version(version).state is CaseState.UNPROVEN
    assert proven(pack, author, version).status == JobStatus.COMPLETED
    assert standing_of_version(version).state is CaseState.PROVEN
    assert standing_of(pack).state is CaseState.UNPROVEN


def test_what_an_author_states_is_tried_and_can_be_undone(team, author):
    pack = draft(team, author, TIGHT, "Leeds")
    case = pack.cases.select_related("pack__team", "input_set").get()
    assert is_quick(case)
    assert prove_case(case).state == CaseState.PROVEN
    state_answer(case, "right", Work("It is Leeds."), author)
    found = prove_case(case)
    assert found.state == CaseState.REFUTED
    assert [reason["code"] for reason in found.document["reasons"]] == [Code.REFUSES_EQUAL]
    accept(case, Code.REFUSES_EQUAL, "One word is asked for.", author)
    found = prove_case(case)
    assert found.state == CaseState.PROVEN
    assert [reason["accepted"] for reason in found.document["accepted"]] == ["One word is asked for."]
    undo(pack, author)
    undo(pack, author)
    assert file_content(pack, PROOF_FILE) is None


def test_comments_of_an_author_are_not_dropped(team, author):
    files = challenge(TIGHT, ["Leeds"]) | {PROOF_FILE: b"# ours\ncases: []\n"}
    pack = import_pack(team, author, files, "planted")
    case = pack.cases.select_related("pack__team", "input_set").get()
    with pytest.raises(EditRefused) as refused:
        state_answer(case, "wrong", Work("York"), author)
    assert refused.value.code == "has_comments"
    assert file_content(pack, PROOF_FILE) == b"# ours\ncases: []\n"


def test_a_draft_with_errors_is_not_proven(team, author):
    pack = draft_of(team, pack_text(1).replace(b"type: contains", b"type: contians"))
    job = proven(pack, author)
    assert (job.status, job.outcome["code"]) == (JobStatus.REFUSED, "pack_has_errors")
    assert not StoredProof.objects.exists()
