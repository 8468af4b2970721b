"""What can be found by its words, whichever way it was written, on both databases."""

import json

import pytest

from packs.models import Case, SearchEntry, Team
from tests.packs.drafts import draft_of
from tests.packs.models.searching import drifted, found, troubles, unfound
from tests.services import Studio, postgres, postgres_binaries


def test_words_are_found_whatever_their_script_and_the_best_comes_first(db):
    assert unfound() == []


@pytest.mark.parametrize("seed", range(3))
def test_the_index_equals_the_rows_after_any_edits(db, seed):
    assert drifted(seed, 60) == []


@pytest.mark.services
def test_postgresql_finds_the_same_and_keeps_its_index_as_well(tmp_path):
    if postgres_binaries() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres() as server:
        studio = Studio(tmp_path, DATABASE_URL=server.address)
        code = "from tests.packs.models.searching import tell; tell()"
        told = studio.manage("shell", "--no-imports", "--verbosity", "0", "--command", code)
    assert json.loads(told) == []


@pytest.mark.parametrize("way", ["save", "some columns", "update", "bulk_update", "written over"])
def test_a_row_is_found_by_its_new_words_whichever_way_it_is_written(team, way):
    draft_of(team)
    case = Case.objects.first()
    case.document = {"text": "wombat"}
    if way == "save":
        case.save()
    elif way == "some columns":
        case.save(update_fields=["document"])
    elif way == "update":
        Case.objects.filter(pk=case.pk).update(document=case.document)
    elif way == "bulk_update":
        Case.objects.bulk_update([case], ["document"])
    else:
        Case.objects.bulk_create(
            [case], update_conflicts=True, unique_fields=["id"], update_fields=["document", "updated_at"]
        )
    assert found("wombat") == [("case", case.pk)]
    assert troubles() == []


def test_columns_without_words_leave_the_index_alone(team, django_assert_num_queries):
    draft_of(team)
    with django_assert_num_queries(1):
        Case.objects.update(revision=9)


def test_what_goes_with_its_team_is_not_found(team):
    draft_of(team)
    Team.objects.all().delete()
    assert not SearchEntry.objects.exists()
    assert troubles() == []
