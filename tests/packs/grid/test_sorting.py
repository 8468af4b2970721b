import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from packs.editing.values import ABSENT
from packs.grid.sorting import ordered, sorted_ids
from tests.drawing import drawn
from tests.packs.grid.orders import TEXTS, differences, document_of, expected, rows_of
from tests.services import Studio, postgres, postgres_binaries

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=4)
numbers = st.integers(-(2**53), 2**53) | st.floats(width=32, allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | numbers | texts
values = scalars | st.lists(scalars, max_size=2) | st.dictionaries(texts, scalars, max_size=2)


def sorted_values(given, **how):
    return [given[pk] for pk in ordered(((value, pk) for pk, value in enumerate(given)), **how)]


def test_numbers_come_before_texts_and_what_is_missing_last():
    given = ["b", ABSENT, True, 10, "A", None, [1], 9.5, False]
    assert sorted_values(given, descending=False) == [9.5, 10, "A", "b", False, True, [1], ABSENT, None]
    assert sorted_values(given, descending=True) == [[1], True, False, "b", "A", 10, 9.5, ABSENT, None]


def test_cases_with_the_same_value_stay_in_their_order_both_ways():
    given = ["a", "B", "A", "b"]
    assert sorted_values(given, descending=False) == ["a", "A", "B", "b"]
    assert sorted_values(given, descending=True) == ["B", "b", "a", "A"]


def test_the_database_sorts_all_kinds_of_values_in_that_order(db):
    assert differences() == []


@pytest.mark.services
def test_postgresql_sorts_all_kinds_of_values_in_that_order(tmp_path):
    if postgres_binaries() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres() as server:
        studio = Studio(tmp_path, DATABASE_URL=server.address)
        code = "from tests.packs.grid.orders import tell; tell()"
        told = studio.manage("shell", "--no-imports", "--verbosity", "0", "--command", code)
    assert json.loads(told) == []


@settings(max_examples=drawn(40), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.lists(values, max_size=12), scalars, st.booleans())
def test_the_database_sorts_any_values_in_that_order(db, held, inherited, descending):
    rows = rows_of(map(document_of, held))
    for pointer in ("/value", "/a.b/c d"):
        found = sorted_ids(rows, pointer, inherited, descending=descending)
        assert found == expected(rows, pointer, inherited, descending)


@pytest.mark.parametrize("value", [2**70, "\ud800"], ids=["a long number", "half a letter"])
def test_the_database_is_not_asked_about_documents_that_it_would_read_in_another_way(db, value):
    rows = rows_of(map(document_of, [*TEXTS, value]))
    assert sorted_ids(rows, "/value", ABSENT, descending=True, limit=1) is None
    assert sorted_ids(rows.exclude(pk=rows.last().pk), "/value", ABSENT, descending=True, limit=1) is not None


@pytest.mark.parametrize("pointer", ["/tags/0", "/tags/-1", "/inputs/[question]/value", '/a"b', "/a\\b", "/", "/a\n"])
def test_the_database_is_not_asked_for_what_it_would_take_for_another_place(db, pointer):
    assert sorted_ids(rows_of([{"tags": ["a"]}]), pointer, ABSENT, descending=False) is None
