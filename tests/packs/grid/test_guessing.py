from packs.formats.tables import read_table
from packs.grid.guessing import are_cases, guessed


def test_names_are_recognised_by_column_by_title_and_as_mapped_before(draft, columns):
    table = read_table("Id,input.question,Tolerance,Stufe,id")
    assert guessed(table, draft, columns, {"Stufe": "/metadata/level"}) == {
        "Id": "/id",
        "input.question": "/input/question",
        "Tolerance": "/eval/tolerance",
        "Stufe": "/metadata/level",
        "id": "",
    }


def test_json_lines_are_cases_when_most_of_their_names_are_fields(draft):
    assert are_cases(read_table('{"id": "a", "input": {}, "eval": {}, "note": 1}\n'), draft)
    assert not are_cases(read_table('{"id": "a", "question": "Why?", "reply": "so"}\n'), draft)
