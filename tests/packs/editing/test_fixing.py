"""Fixes of a draft as edits."""

import pytest

from packs.editing import apply, changes_of, fix_all, fix_at, fixer_for, recheck, undo
from packs.models import Case, Edit
from tests.packs.drafts import draft_of, pack_text

SLIP = "challenge_pack.W005"


@pytest.fixture
def slipped(team):
    return draft_of(team, pack_text(3).replace(b" inputs:", b" inpts:"))


def documents(draft):
    return [case.document for case in Case.objects.filter(pack=draft).order_by("position")]


def test_a_fix_is_an_edit_with_a_name_that_undo_takes_back(slipped, author):
    before = documents(slipped)
    row = Case.objects.filter(pack=slipped).select_related("input_set").order_by("position")[1]
    fix = fix_at(fixer_for(slipped), row, SLIP, "/inpts")
    apply(slipped, changes_of(row, fix.document), author, label=f"Fix: {fix.label}")
    now = documents(slipped)
    assert now[1] == {("inputs" if key == "inpts" else key): value for key, value in before[1].items()}
    assert [now[0], now[2]] == [before[0], before[2]]
    assert Edit.objects.filter(pack=slipped).latest("id").label == "Fix: Rename inpts to inputs"
    undo(slipped, author)
    assert documents(slipped) == before


def test_all_findings_of_a_kind_are_fixed_in_one_edit(slipped, author):
    before = documents(slipped)
    assert fix_all(slipped, SLIP, author).count == 3
    assert all("inputs" in document and "inpts" not in document for document in documents(slipped))
    assert all(not case.findings for case in Case.objects.filter(pack=slipped))
    undo(slipped, author)
    assert documents(slipped) == before


def test_a_reference_is_fixed_to_a_key_of_the_draft(team, author):
    draft = draft_of(team, pack_text(2))
    challenge = draft.challenges.get().key
    row = Case.objects.filter(pack=draft).select_related("input_set").order_by("position")[1]
    slip = challenge[:-2] + challenge[-1]
    row.document = {**row.document, "challenge_key": slip}
    row.save()
    recheck(draft)
    row.refresh_from_db(fields=["findings"])
    fix = fix_at(fixer_for(draft), row, "challenge_pack.E312", "/challenge_key")
    assert fix.label == f'Change challenge_key to "{challenge}"'


def test_a_finding_that_has_gone_has_no_fix(slipped):
    row = Case.objects.filter(pack=slipped).select_related("input_set").first()
    assert fix_at(fixer_for(slipped), row, SLIP, "/other") is None
