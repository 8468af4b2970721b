"""Rows as lines of JSON."""

import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.apps import apps
from django.contrib.auth.models import User

from packs.models import Case, Edit, SearchEntry, Upload
from studio.backups.rows import DERIVED, applied_migrations, fields_of, last_number, lines_of, plain, row_of, tables_at
from tests.packs.drafts import draft_of

pytestmark = pytest.mark.django_db


def test_every_row_of_a_draft_is_read_as_it_was_written(team):
    draft_of(team)
    for model in (Case, Edit, User):
        lines = list(lines_of(model))
        fields = list(fields_of(model).values())
        read = [row_of(model, fields, line) for line in lines]
        kept = model._base_manager.order_by("pk")
        for ours, theirs in zip(read, kept, strict=True):
            assert [getattr(ours, f.attname) for f in fields] == [getattr(theirs, f.attname) for f in fields]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("document", {"big": 10**30, "zero": "\0", "half": "\ud800", "order": {"b": 1, "a": 2.0}}),
        ("updated_at", datetime(2026, 2, 28, 12, 0, 0, 123456, tzinfo=UTC)),
    ],
)
def test_values_that_json_has_no_word_for_come_back(column, value):
    field = Case._meta.get_field(column)
    assert field.to_python(plain(value)) == value


def test_identifiers_amounts_and_times_become_text():
    token = uuid.uuid4()
    assert Upload._meta.get_field("token").to_python(plain(token)) == token
    assert (plain(Decimal("1.50")), plain(timedelta(hours=1)), plain(b"\xff")) == ("1.50", "01:00:00", "/w==")


def test_all_tables_are_saved_but_those_that_the_database_derives():
    named = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    assert named - tables_at(applied_migrations()).keys() == DERIVED
    assert SearchEntry._meta.db_table in DERIVED


def test_the_number_of_the_newest_row_outlives_it(team):
    draft_of(team)
    newest = Case.objects.order_by("-pk").first()
    number = newest.pk
    newest.delete()
    assert last_number(Case) == number
