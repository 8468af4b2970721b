"""The index as a whole: filled after a migration, compared with the rows, made anew."""

from django.apps import apps
from django.db import connection

from packs.models import Case, SearchEntry
from packs.models.fulltext import TABLE
from packs.models.reindexing import comparisons, prepare, rebuild
from tests.packs.drafts import draft_of
from tests.packs.models.searching import found, troubles


def test_every_kind_of_difference_is_counted_and_a_rebuild_removes_it(team):
    draft_of(team)
    entries = SearchEntry.objects.filter(kind="case").order_by("pk")
    entries.filter(pk=entries[0].pk).delete()
    entries.filter(pk=entries[0].pk).update(words="other")
    SearchEntry.objects.create(kind="case", ref=10**12, team=team, name="ghost", words="")
    [compared] = [compared for compared in comparisons() if compared.kind == "case"]
    assert (compared.entries, compared.missing, compared.different, compared.left_over) == (3, 1, 1, 1)
    assert all(compared.is_right for compared in rebuild())
    assert troubles() == []
    assert not found("ghost")


def test_rows_that_were_there_before_the_index_are_in_it_after_a_migration(team):
    draft_of(team)
    SearchEntry.objects.all().delete()
    prepare(apps.get_app_config("packs"))
    assert troubles() == []
    assert len(found("parcel")) >= Case.objects.count()


def test_what_a_migration_drops_of_the_index_is_made_again(team):
    draft_of(team)
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER packs_case_unsearched")
        cursor.execute(f"DROP TRIGGER {TABLE}_added")
    prepare(apps.get_app_config("packs"))
    Case.objects.first().delete()
    Case.objects.first().save()
    assert troubles() == []
