import csv
import io

import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.beginning import EXAMPLE
from packs.formats.tables import read_table
from packs.grid.beginnings import NO_QUESTION, NO_ROWS, Recipe, check, completed_recipe, likely_recipe, look, make

TEXT = "id;question;answer\npx_1;Where is PX-1?;Leeds\npx_2;Where, then, is PX-2?;York\n"


def made(text, name, **more):
    table = read_table(text)
    recipe = likely_recipe(table, name, "Parcels")
    recipe = Recipe(**{**{field: getattr(recipe, field) for field in recipe.__slots__}, **more})
    return check(recipe, make(recipe, table))


def lines(troubles):
    return [trouble.line for trouble in troubles]


@pytest.mark.parametrize("name", list(FORMATS))
def test_each_row_becomes_a_case_that_asks_and_checks_what_stands_there(name):
    found = made(TEXT, name)
    assert found.found.refused(takes_errors=False) == []
    tasks = list(adapter_of(name).compile_tasks(found.tree))
    rows = list(csv.DictReader(io.StringIO(TEXT), delimiter=";"))
    assert [task.case_key for task in tasks] == [row["id"] for row in rows]
    for task, row in zip(tasks, rows, strict=True):
        assert row["question"] in str(task.as_dict()["agent"])
        assert row["answer"] in str(task.as_dict()["graders"])
        assert row["answer"] not in str(task.as_dict()["agent"])


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize("text", [TEXT, "question\nWhere is PX-1?\nWhere is PX-2?\n"])
def test_nothing_of_the_example_stands_in_the_cases(name, text):
    tree = made(text, name).tree
    assert EXAMPLE.question not in str(tree.input_sets)
    assert EXAMPLE.answer not in str([case.document for case in tree.input_sets[0].cases][1:])


@pytest.mark.parametrize("name", list(FORMATS))
def test_what_is_made_can_be_written_and_read_back(name):
    adapter = adapter_of(name)
    tree = made(TEXT, name).tree
    again, findings = adapter.load(adapter.dump(tree))
    assert not [finding for finding in findings if finding.is_error]
    assert again == tree


@pytest.mark.parametrize("name", list(FORMATS))
def test_cases_without_a_key_get_one_that_no_other_has(name):
    stem = adapter_of(name).starter("new", "New").input_sets[0].cases[0].key.rstrip("0123456789")
    found = made(f"id,question,answer\n,a?,x\n{stem}1,b?,x\n,c?,x\n", name)
    assert [case.key for case in found.tree.input_sets[0].cases] == [f"{stem}2", f"{stem}1", f"{stem}3"]


@pytest.mark.parametrize("name", list(FORMATS))
def test_rows_that_ask_nothing_or_have_no_answer_are_named(name):
    found = made("question,answer\na?,x\n,y\nc?,\nd?, \n", name).found
    assert lines(found.troubles) == [3, 4, 5]
    assert "'answer' is empty" in found.troubles[1].reason


def test_two_rows_of_one_key_are_named_by_the_check():
    # AgentV itself only warns of them.
    for name in FORMATS.keys() - {"agentv"}:
        found = made("id,question,answer\na_1,a?,x\nb_2,b?,x\na_1,c?,x\n", name).found
        assert lines(found.broken) == [4], name


def test_a_column_of_keys_that_a_format_does_not_take_is_left_to_other_uses():
    text = "id,question,answer\nPX 1/a,a?,x\nPX 2/b,b?,x\n"
    assert made(text, "task_suite").found.refused(takes_errors=False) == []
    assert [case.key for case in made(text, "task_suite").tree.input_sets[0].cases] == ["task_1", "task_2"]


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_column_that_is_called_like_a_field_of_other_cases_breaks_none(name):
    assert made("code,question,answer\n007,Who?,Bond\n008,What?,A phone\n", name).found.broken == []


def test_answers_that_do_not_suit_the_check_are_named():
    found = made("question,answer\na?,4\nb?,four\n", "challenge_pack", check="numeric_match").found
    assert lines(found.troubles) == [3]
    assert "42 ± 0.5" in found.troubles[0].reason


def test_a_row_that_needs_other_settings_than_the_rest_is_named():
    text = "question,answer\na?,4 ± 1\nb?,5 ± 1\nc?,6 ± 2\n"
    assert lines(made(text, "challenge_pack", check="numeric_match").found.troubles) == [4]
    assert made(text, "benchmark_pack", check="numeric_match").found.troubles == []


def test_a_table_without_rows_or_without_a_question_makes_nothing():
    for text, mapping, reason in (("question,answer\n", None, NO_ROWS), ("a,b\n1,2\n", {"b": "answer"}, NO_QUESTION)):
        found = made(text, "agentv", **({} if mapping is None else {"mapping": mapping}))
        assert found.tree is None
        assert [(each.line, each.reason) for each in found.found.troubles] == [(0, reason)]


def test_cases_of_a_format_itself_come_whole():
    asked = '"input": [{"role": "user", "content": "Why?"}]'
    text = f'[{{"id": "a", {asked}, "assertions": [{{"type": "contains", "value": "x"}}]}}]'
    found = made(text, "agentv")
    [case] = found.tree.input_sets[0].cases
    assert case.document["assertions"] == [{"type": "contains", "value": "x"}]
    assert case.document["input"] == [{"role": "user", "content": "Why?"}]
    assert found.found.refused(takes_errors=False) == []


def test_lines_that_could_not_be_read_refuse_the_table_even_where_errors_are_taken():
    found = made('{"question": "a?", "answer": "x"}\n{"question": \n', "agentv").found
    assert [finding.line for finding in found.refused(takes_errors=True)] == [2]


def test_the_first_rows_are_shown_as_cases_with_what_is_wrong():
    table = read_table("question,answer,note\n" + "".join(f"q{number}?,{number or ''},n\n" for number in range(30)))
    rows = look(likely_recipe(table, "benchmark_pack"), table)
    assert len(rows) == 10
    assert [bool(row["reason"]) for row in rows] == [True] + [False] * 9
    assert rows[1] == {"line": 3, "reason": "", "cells": ["q1?", "1", "n"]}


def test_names_that_come_late_are_mapped_and_what_was_chosen_stays():
    table = read_table('{"question": "a?", "answer": "x"}\n{"question": "b?", "answer": "y", "key": "k"}')
    recipe = completed_recipe(Recipe("agentv", mapping={"question": "/input", "answer": "answer"}), table)
    assert recipe.mapping == {"question": "/input", "answer": "answer", "key": "/id"}


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_key_that_stands_twice_is_named_in_every_format(name):
    found = made("id,question,answer\npx_1,Where?,Leeds\npx_1,When?,now\n", name)
    assert lines(found.found.broken) == [3]
