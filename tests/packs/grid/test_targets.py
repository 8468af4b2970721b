import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.document import NodeKind
from packs.formats.findings import to_pointer
from packs.formats.tables import read_table
from packs.grid.targets import ANSWER, likely_check, likely_format, likely_targets, targets_of, texts_of
from tests.packs.asking import asked_at

# Entries of a list stand under their keys.
BY_KEY = {"challenge_pack": "/inputs/[question]/value"}
QUESTIONS = {name: to_pointer(asked_at(name)) for name in FORMATS} | BY_KEY
KEYS = {name: adapter_of(name).KEY_POINTERS[NodeKind.CASE] for name in FORMATS}


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize(
    "heads",
    [("id", "question", "answer"), ("Case ID", "Prompt", "Expected output"), ("Nr", "Frage", "Antwort")],
)
def test_columns_are_recognised_by_the_words_that_people_use(name, heads):
    table = read_table(",".join(heads) + "\na,Why?,so\n")
    assert list(likely_targets(table, name).values()) == [KEYS[name], QUESTIONS[name], ANSWER]


@pytest.mark.parametrize("name", list(FORMATS))
def test_columns_without_names_are_recognised_by_what_stands_in_them(name):
    table = read_table("PX-1\tLeeds\tWhere is the first parcel?\nPX-2\tLeeds\tAnd the second?\n", has_names=False)
    assert likely_targets(table, name) == {"1": KEYS[name], "2": ANSWER, "3": QUESTIONS[name]}
    two = read_table("What is two and two?\t4\nIs it five?\tno\n", has_names=False)
    assert likely_targets(two, name) == {"1": QUESTIONS[name], "2": ANSWER}


@pytest.mark.parametrize("name", list(FORMATS))
def test_no_target_is_guessed_for_two_columns(name):
    table = read_table("question,prompt,answer,expected,id,key\na,b,c,d,e,f\n")
    found = [to for to in likely_targets(table, name).values() if to]
    assert len(found) == len(set(found))


def test_what_nobody_asked_for_is_kept_where_a_format_has_a_place():
    table = read_table("question,answer,source\nWhy?,so,web\n")
    assert likely_targets(table, "agentv")["source"] == "/metadata/source"
    assert likely_targets(table, "task_suite")["source"] == ""


def test_records_in_the_names_of_a_format_stand_for_themselves():
    table = read_table('{"task_id": "a_1", "inputs": {"user_message": "Why?"}, "graders": [], "description": "x"}')
    assert likely_format(table) == "task_suite"
    assert likely_targets(table, "task_suite") == {
        "task_id": "/task_id",
        "inputs.user_message": "/inputs/user_message",
        "graders": "/graders",
        "description": "/description",
    }


def test_a_target_can_be_named_as_on_screen_as_a_field_and_as_a_pointer():
    targets = targets_of("agentv")
    named = [targets.named("Head", text) for text in ("question", "answer", "key", "criteria", "/x/y", "metadata", "")]
    assert named == ["/input", ANSWER, "/id", "/criteria", "/x/y", "/metadata/Head", ""]
    assert targets.named("Head", "nothing") is None


@pytest.mark.parametrize(
    ("answers", "check"),
    [
        (["Leeds", "York"], "contains"),
        (["4", "42 ± 0.5"], "numeric_match"),
        (["hub = 1", 'a.b = "x"'], "json_path_match"),
        (["yes", "no", "yes", "no", "yes", "no"], "exact_match"),
        ([], "contains"),
    ],
)
def test_the_check_follows_from_how_answers_are_written(answers, check):
    assert likely_check("challenge_pack", answers) == check
    for name in FORMATS:
        assert likely_check(name, answers) in adapter_of(name).FIRST_CHECKS


def test_only_cells_that_hold_something_are_looked_into():
    assert texts_of(read_table('{"a": null}\n{"a": " x "}\n{"b": 1}\n{"a": 2}'), "a") == ["x", "2"]


def test_keys_are_what_every_row_has():
    table = read_table('{"question": "a?", "answer": "x", "n": "n1"}\n{"question": "b?", "answer": "y"}\n')
    assert likely_targets(table, "challenge_pack")["n"] == ""
