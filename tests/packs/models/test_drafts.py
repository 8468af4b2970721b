import pytest
from django.db import IntegrityError, transaction

from packs import blobs
from packs.models import Edit, Pack, PackFile
from tests.packs.drafts import draft_of


def test_a_slug_is_used_once_in_a_team(team, other_team):
    draft_of(team)
    draft_of(other_team)
    with pytest.raises(IntegrityError), transaction.atomic():
        Pack.objects.create(team=team, slug="parcels", format="challenge_pack")


def test_a_path_names_one_file_of_a_pack(team):
    draft = draft_of(team)
    PackFile.objects.create(pack=draft, path="a.txt", blob=blobs.put(b"1"))
    with pytest.raises(IntegrityError), transaction.atomic():
        PackFile.objects.create(pack=draft, path="a.txt", blob=blobs.put(b"2"))


def test_rows_are_named_by_what_people_call_them(team):
    draft = draft_of(team)
    case = draft.cases.order_by("position").first()
    assert (str(draft), str(case), str(draft.challenges.get())) == ("Parcels", "case-0", "locate")
    edit = Edit(pack=draft, action=Edit.Action.SET, kind="case", node=case.pk, pointer="/payload")
    assert "/payload" in str(edit)


def test_bytes_that_a_draft_uses_are_not_deleted(team):
    draft = draft_of(team)
    blob = blobs.put(b"1")
    PackFile.objects.create(pack=draft, path="a.txt", blob=blob)
    with pytest.raises(IntegrityError):
        blob.delete()
