"""The index in the database itself."""

from django.db import connection

from packs.models import SearchEntry
from packs.models.fulltext import TABLE, WORDS, is_whole, mark, remake
from tests.packs.models.searching import found


def test_an_index_that_differs_from_its_table_is_noticed_and_made_anew(team):
    SearchEntry.objects.create(kind="case", ref=1, team=team, name=f"{mark('case')} numbat", words="")
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {WORDS}({WORDS}) VALUES ('delete-all')")
    assert not is_whole(connection)
    assert not found("numbat")
    remake(connection)
    assert is_whole(connection)
    assert found("numbat") == [("case", 1)]


def test_an_index_without_rows_is_whole(db):
    assert is_whole(connection)
    assert not found("anything")
    assert not SearchEntry.objects.exists(), TABLE
