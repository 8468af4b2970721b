from dataclasses import replace

from packs.editing.values import ABSENT
from packs.grid.columns import Column, chosen_first, column_at, columns_of, is_cell, key_pointer, place, value_in
from packs.mirror import format_of
from tests.packs.drafts import draft_of
from tests.packs.grid.benchmark import grid_draft, row


def test_columns_are_the_scalars_of_every_family_and_of_free_data(columns):
    names = [column.name for column in columns.values()]
    assert {"id", "family", "input.question", "eval.answer", "eval.tolerance"} <= set(names)
    assert {"metadata.level", "metadata.weight", "environment.image"} <= set(names)
    assert columns["/metadata/level"].filled == 6
    assert columns["/family"].governs
    assert "repo_patch" in columns["/family"].choices


def test_one_column_is_the_same_as_among_all(draft, rows_file, columns):
    adapter = format_of(draft)
    for pointer, column in columns.items():
        assert replace(column_at(adapter, rows_file, pointer), filled=column.filled) == column
    assert column_at(adapter, rows_file, "/metadata/nobody") is None


def test_what_the_schema_says_of_a_column_needs_no_look_at_the_cases(draft, rows_file, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert column_at(format_of(draft), rows_file, "/input/question").title


def test_at_first_what_most_cases_have_is_shown_without_the_key(draft, columns):
    shown = chosen_first(columns, key_pointer(format_of(draft)))
    assert shown == ["/input/question", "/eval/accepted_answers", "/metadata/level", "/metadata/weight"]


def test_a_family_that_rows_state_is_shown_first(team):
    draft = grid_draft(team, [row(1, family="short_answer"), row(2), row(3)])
    adapter = format_of(draft)
    assert chosen_first(columns_of(adapter, draft.input_sets.get()), key_pointer(adapter))[0] == "/family"


def test_items_with_keys_are_columns_by_their_key(team):
    draft = draft_of(team)
    columns = columns_of(format_of(draft), draft.input_sets.get())
    assert columns["/inputs/[prompt]/value"].name == "inputs.prompt.value"
    document = draft.cases.order_by("position").first().document
    assert value_in(document, "/inputs/[prompt]/value") == "Where is parcel case-0?"
    assert value_in(document, "/inputs/[absent]/value") is ABSENT


def test_a_document_that_is_no_row_has_no_values(team):
    draft = grid_draft(team, [row(1), row(2)])
    case = draft.cases.first()
    case.document = {"$line": "{"}
    case.save()
    columns = columns_of(format_of(draft), draft.input_sets.get())
    assert columns["/input/question"].filled == 1
    assert value_in(case.document, "/input/question") is ABSENT


def test_what_half_of_the_cases_have_is_not_what_most_have():
    columns = {
        pointer: Column(pointer, pointer, filled=filled) for pointer, filled in (("/id", 4), ("/a", 3), ("/b", 2))
    }
    assert chosen_first(columns, "/id") == ["/a"]


def test_where_no_case_has_anything_the_first_columns_are_shown():
    assert chosen_first({pointer: Column(pointer, pointer) for pointer in ("/id", "/a")}, "/id") == ["/a"]


def test_only_scalars_of_free_data_are_columns_in_the_order_of_the_cases(team):
    rows = [row(1, metadata={"low": 1, "deep": {"a": 1}}), row(2, metadata={"high": 2, "many": [1]})]
    draft = grid_draft(team, rows)
    found = columns_of(format_of(draft), draft.input_sets.get())
    assert [pointer for pointer in found if pointer.startswith("/metadata/")] == ["/metadata/low", "/metadata/high"]


def test_items_with_keys_that_hold_no_scalar_have_no_column(team):
    draft = draft_of(team)
    for case in draft.cases.all():
        case.document = {
            **case.document,
            "inputs": [{"key": "table", "value": {"a": 1}}, {"key": "word", "value": "x"}],
        }
        case.save()
    found = columns_of(format_of(draft), draft.input_sets.get())
    assert [pointer for pointer in found if pointer.startswith("/inputs/")] == ["/inputs/[word]/value"]


def test_a_name_in_brackets_is_a_name_where_no_list_stands():
    assert place({"metadata": {"[a]": 5}}, "/metadata/[a]") == ("metadata", "[a]")
    assert place({"inputs": [{"key": "b"}, {"key": "a"}]}, "/inputs/[a]/value") == ("inputs", "1", "value")


def test_examples_are_choices_only_where_other_fields_depend_on_the_value():
    column = Column("/kind", "Kind", schema={"type": "string", "examples": ["a", "b"]})
    assert replace(column, governs=True).choices == ("a", "b")
    assert column.choices == ()


def test_null_fills_no_column(team):
    draft = grid_draft(team, [row(1, metadata={"level": None}), row(2, metadata={"level": 1})])
    assert columns_of(format_of(draft), draft.input_sets.get())["/metadata/level"].filled == 1


def test_a_union_fits_into_a_cell_where_one_of_its_shapes_does():
    text, table = {"type": "string"}, {"type": "object"}
    assert is_cell({"anyOf": [table, text]})
    assert not is_cell({"anyOf": [table, table]})
