import pytest

from packs.editing import EditRefused, undo
from packs.formats import FORMATS, adapter_of
from packs.formats.document import NodeKind
from packs.grid.metadata import has_metadata, keys_in_use, rename, renaming, slices
from packs.importing import import_pack

SUITE = b"""\
name: widgets
metadata: {level: any, shared: 1}
tests:
  - {id: one, criteria: c, input: i, metadata: {level: hard, source: {row: 1}, area: io}}
  - {id: two, criteria: c, input: i, metadata: {level: easy, area: io}}
  - {id: three, criteria: c, input: i, metadata: {level: hard, rank: easy}}
  - {id: four, criteria: c, input: i}
"""
OTHER = b"name: gears\ntests:\n  - {id: five, criteria: c, input: i, metadata: {level: hard, area: net}}\n"


@pytest.fixture
def draft(team, author):
    files = {"widgets.eval.yaml": SUITE, "gears.eval.yaml": OTHER}
    return import_pack(team, author, files, "widgets", slug="widgets")


def metadata_of(draft):
    return {row.key: row.document.get("metadata") for row in draft.cases.all()}


def test_formats_say_by_their_schema_whether_cases_have_metadata():
    assert {name for name in FORMATS if has_metadata(adapter_of(name))} == {"agentv", "benchmark_pack"}
    assert has_metadata(adapter_of("agentv"), NodeKind.INPUT_SET)


def test_keys_in_use_are_told_with_their_values_and_nested_ones_with_their_way(draft):
    used = keys_in_use(draft)
    assert [(use.name, use.cases) for use in used.values()] == [
        ("level", 4),
        ("area", 3),
        ("rank", 1),
        ("source.row", 1),
    ]
    assert used["/metadata/level"].values == {"hard": 3, "easy": 1}


def test_cases_are_counted_by_one_key_with_those_that_lack_it_last(draft):
    found = slices(draft, "/metadata/level")
    assert [(text, found.counts[text, ""].total) for text in found.rows] == [("hard", 3), ("easy", 1), ("", 1)]
    assert sorted(found.counts["hard", ""].by_set.values()) == [1, 2]


def test_cases_are_counted_by_two_keys_in_one_input_set(draft):
    gears = draft.input_sets.get(key="gears.eval.yaml")
    assert slices(draft, "/metadata/level", "/metadata/area", gears.pk).total == 1
    found = slices(draft, "/metadata/level", "/metadata/area")
    assert (found.columns, found.counts["hard", "io"].total, found.counts["hard", ""].total) == (
        ("io", "net", ""),
        1,
        1,
    )


def test_a_key_is_renamed_in_all_cases_and_sets_by_one_edit_that_keeps_its_place(draft, author):
    before = metadata_of(draft)
    found = renaming(draft, ("level",), "difficulty")
    rename(draft, found, author)
    after = metadata_of(draft)
    assert list(after["one"]) == ["difficulty", "source", "area"]
    assert draft.input_sets.get(key="widgets.eval.yaml").document["metadata"] == {"difficulty": "any", "shared": 1}
    assert (len(found.changes), found.taken, after["four"]) == (5, 0, None)
    draft.refresh_from_db()
    undo(draft, author)
    assert metadata_of(draft) == before


def test_a_nested_key_is_renamed_where_it_stands(draft, author):
    rename(draft, renaming(draft, ("source", "row"), "line"), author)
    assert metadata_of(draft)["one"]["source"] == {"line": 1}


def test_a_case_that_has_both_names_is_left_alone(draft):
    found = renaming(draft, ("level",), "rank")
    assert (len(found.changes), found.taken) == (4, 1)


@pytest.mark.parametrize("name", ["", "  ", "level"])
def test_a_key_needs_another_name_that_is_not_blank(draft, name):
    with pytest.raises(EditRefused):
        renaming(draft, ("level",), name)


def test_only_a_key_is_renamed(draft):
    with pytest.raises(EditRefused):
        renaming(draft, (), "rank")
