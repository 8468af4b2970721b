import csv
import io

import pytest

from packs import editing
from packs.grid.columns import columns_of, key_pointer
from packs.grid.tables import Merge, csv_lines, guessed, look_ahead, read_table
from packs.mirror import format_of, read_tree
from packs.models import Case
from tests.packs.drafts import draft_of
from tests.packs.grid.benchmark import grid_draft, row


def merge(draft, text, mapping=None, **more):
    input_set, adapter = draft.input_sets.get(), format_of(draft)
    columns, table = columns_of(adapter, input_set), read_table(text)
    mapping = guessed(table.names, columns, {}) if mapping is None else mapping
    return Merge(draft, input_set, mapping, key_pointer(adapter), **more).of(table)


def carry_out(draft, author, found):
    editing.change_cases(draft, author, found.changes, input_set=draft.input_sets.get().pk, added=found.added)


def document(draft, key):
    return Case.objects.get(pack=draft, key=key).document


@pytest.mark.parametrize("text", ["a\tb\n1\tx, y\n", 'a,b\r\n1,"x, y"\r\n', "\ufeffa;b\n1;x, y", 'a,b\n\n,\n1,"x, y"'])
def test_the_first_line_says_how_a_table_is_separated(text):
    table = read_table(text)
    assert table.names == ("a", "b")
    assert [record for _, record in table.records] == [("1", "x, y")]


def test_records_know_their_line_and_short_ones_are_filled_up():
    table = read_table('a,b\n"one\ntwo",x\nthree\n')
    assert table.records == ((2, ("one\ntwo", "x")), (4, ("three", "")))
    assert read_table("x\ty", has_names=False).names == ("1", "2")
    assert read_table("").records == ()


def test_columns_without_a_name_or_with_the_same_one_are_told_apart(draft, author):
    table = read_table("id,,note,note,\nrow-1,a,b,c,d\n")
    assert table.names == ("id", "2", "note", "note (4)", "5")
    assert read_table("a,a,a (2),2,\n1,2,3,4,5").names == ("a", "a (2)", "a (2) (3)", "2", "5")
    mapping = {"id": "/id", "2": "/metadata/left", "note (4)": "/input/question"}
    carry_out(draft, author, merge(draft, "id,,note,note,\nrow-1,a,b,c,d\n", mapping))
    assert document(draft, "row-1")["metadata"]["left"] == "a"
    assert document(draft, "row-1")["input"] == {"question": "c"}


def test_names_are_recognised_by_column_by_title_and_as_mapped_before(columns):
    found = guessed(["Id", "input.question", "Tolerance", "Stufe", "id"], columns, {"Stufe": "/metadata/level"})
    assert found == {
        "Id": "/id",
        "input.question": "/input/question",
        "Tolerance": "/eval/tolerance",
        "Stufe": "/metadata/level",
        "id": "",
    }


def test_records_become_cases_and_change_those_of_the_same_key(draft, author):
    text = "id\tquestion\taccepted_answers\ttolerance\nrow-1\tHow many?\t1 parcels\t\nnew\tWhy?\tbecause\t0.5\n"
    found = merge(draft, text)
    assert (len(found.added), found.changed, found.unchanged, found.refused) == (1, 1, 0, 0)
    carry_out(draft, author, found)
    assert document(draft, "new") == {
        "id": "new",
        "input": {"question": "Why?"},
        "eval": {"accepted_answers": ["because"], "tolerance": 0.5},
    }
    assert document(draft, "row-1")["input"] == {"question": "How many?"}
    assert document(draft, "row-1")["metadata"] == {"level": "hard", "weight": 1}
    again = merge(draft, text)
    assert (again.is_empty, again.unchanged) == (True, 2)
    assert merge(draft, text, adds_only=True).skipped == 2


def test_an_empty_cell_takes_the_value_away(draft, author):
    carry_out(draft, author, merge(draft, "id,metadata.level\nrow-1,\n"))
    assert document(draft, "row-1")["metadata"] == {"weight": 1}


def test_cases_of_keyed_items_are_made_from_a_table(team, author):
    draft = draft_of(team)
    text = "challenge_key\tcase_key\tinputs.prompt.value\texpectations.answer.value\nlocate\tfresh\tWhere?\tHub 9\n"
    carry_out(draft, author, merge(draft, text))
    assert document(draft, "fresh")["inputs"] == [{"key": "prompt", "kind": "text", "value": "Where?"}]
    assert draft.problem_errors == 0


def test_records_that_cannot_be_taken_are_named_by_their_line(draft, author):
    case = Case.objects.get(pack=draft, key="row-1")
    editing.replace_document(draft, case.kind, case.pk, {"id": "row-1", "metadata": "text"}, author)
    found = merge(draft, "id,metadata.level\nrow-0,hard\nrow-1,hard\n")
    assert (found.changed, found.refused) == (1, 1)
    assert [trouble.line for trouble in found.troubles] == [3]


def test_lines_that_would_bring_new_errors_are_told_before_they_come(draft):
    text = "id,question,accepted_answers\nfine,Why?,so\nempty,,so\nrow-1,,x\nrow-2,Why?,so\n"
    found, input_set = merge(draft, text), draft.input_sets.get()
    look_ahead(Merge(draft, input_set, {}, ""), found)
    assert [trouble.line for trouble in found.broken] == [3, 4]
    assert len(found.first) == 4
    again = merge(draft, "id,question\nrow-3,How many parcels are in van 3?\n")
    assert again.first == []


def test_a_table_that_goes_out_comes_back_without_a_change(team, author):
    rows = [
        row(1, eval={"accepted_answers": ["a, b", 'say "c"']}),
        row(2, eval={"accepted_answers": ["two\nlines", 2.0]}, metadata={"note": " blank ", "n": 1, "yes": True}),
        row(3, input={"question": "=1+1", "context": {"a": [1, None]}}, family="short_answer"),
    ]
    draft = grid_draft(team, rows)
    columns = list(columns_of(format_of(draft), draft.input_sets.get()).values())
    data = b"".join(csv_lines(columns, draft.cases.order_by("position")))
    found = merge(draft, data.decode("utf-8-sig"))
    assert (found.is_empty, found.unchanged, found.refused) == (True, 3, 0)
    before = read_tree(draft)
    editing.remove_cases(draft, [draft.cases.get(key="row-3").pk], author)
    carry_out(draft, author, merge(draft, data.decode("utf-8-sig")))
    assert read_tree(draft) == before
    lines = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert len(lines) == 4
