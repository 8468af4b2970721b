import csv
import io
import json

from packs import editing
from packs.formats.tables import read_table
from packs.grid.alike import likely_mapping
from packs.grid.columns import columns_of, key_pointer
from packs.grid.guessing import guessed
from packs.grid.merging import Merge, look_ahead
from packs.grid.tables import csv_lines
from packs.importing import import_pack
from packs.mirror import format_of, read_tree
from packs.models import Case
from tests.packs.drafts import draft_of, pack_text
from tests.packs.grid.benchmark import grid_draft, row, rows_of

TASK = b"""\
task_id: %s
suite: %s
description: Say done.
inputs: {user_message: Say done.}
graders:
- type: string_match
  patterns: ["done"]
tracked_metrics:
- {type: latency, fields: [wall_time_seconds]}
"""


def merging(draft, text, mapping=None, **more):
    input_set, adapter = draft.input_sets.first(), format_of(draft)
    columns, table = columns_of(adapter, input_set), read_table(text)
    mapping = likely_mapping(table, input_set, columns, {}) if mapping is None else mapping
    way = Merge(draft, input_set, mapping, key_pointer(adapter), **more)
    return way, way.of(table)


def merge(draft, text, mapping=None, **more):
    return merging(draft, text, mapping, **more)[1]


def looked_at(draft, text, mapping=None):
    way, found = merging(draft, text, mapping)
    look_ahead(way, found)
    return found


def carry_out(draft, author, found):
    editing.change_cases(draft, author, found.changes, input_set=draft.input_sets.first().pk, added=found.added)


def document(draft, key):
    return Case.objects.get(pack=draft, key=key).document


def json_lines(rows):
    return "".join(f"{json.dumps(item)}\n" for item in rows)


def test_columns_of_one_name_are_mapped_one_by_one(draft, author):
    mapping = {"id": "/id", "2": "/metadata/left", "note (4)": "/input/question"}
    carry_out(draft, author, merge(draft, "id,,note,note,\nrow-1,a,b,c,d\n", mapping))
    assert document(draft, "row-1")["metadata"]["left"] == "a"
    assert document(draft, "row-1")["input"] == {"question": "c"}


def test_records_become_cases_and_change_those_of_the_same_key(draft, author):
    text = "id\tquestion\taccepted_answers\ttolerance\nrow-1\tHow many?\t1 parcels\t\nnew\tWhy?\tbecause\t0.5\n"
    found = merge(draft, text)
    assert (len(found.added), len(found.rewritten), found.unchanged, found.troubles) == (1, 1, 0, [])
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


def test_two_lines_of_one_key_change_one_case(draft, author):
    text = "id,question,metadata.level\nrow-1,Why?,hard\nrow-1,Why?,easy\n"
    found = merge(draft, text)
    assert len(found.rewritten) == 1
    carry_out(draft, author, found)
    assert document(draft, "row-1")["input"] == {"question": "Why?"}
    assert document(draft, "row-1")["metadata"]["level"] == "easy"


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
    assert (len(found.rewritten), [trouble.line for trouble in found.troubles]) == (1, [3])


def test_lines_that_would_bring_new_errors_are_told_before_they_come(draft):
    found = looked_at(draft, "id,question,accepted_answers\nfine,Why?,so\nempty,,so\nrow-1,,x\nrow-2,Why?,so\n")
    assert [trouble.line for trouble in found.broken] == [3, 4]
    assert looked_at(draft, "id,question\nrow-3,How many parcels are in van 3?\n").broken == []


def test_every_line_of_a_long_table_is_checked(team, author):
    draft = draft_of(team, pack_text(1))
    lines = [f"locate,n-{number},Where?,Hub" for number in range(300)]
    lines[76] = "locate,,Where?,Hub"
    lines[277] = "nowhere,n-277,Where?,Hub"
    lines[299] = "locate,n-5,Where?,Hub"
    text = "challenge_key,case_key,inputs.prompt.value,expectations.answer.value\n" + "\n".join(lines)
    found = looked_at(draft, text)
    told = [trouble.line for trouble in found.broken]
    assert told == [78, 279, 301]
    assert found.report()["broken"] == 3
    carry_out(draft, author, found)
    assert draft.cases.exclude(error_count=0).count() == len(told)


def test_errors_that_a_table_brings_to_other_cases_are_told_too(team, author):
    files = {
        f"evals/{suite}/{suite}_1.yaml": TASK % (f"{suite}_1".encode(), suite.encode())
        for suite in ("golden", "open_ended")
    }
    draft = import_pack(team, author, files, "suites")
    assert draft.problem_errors == 0
    found = looked_at(draft, json_lines([{**draft.cases.get(key="golden_1").document, "task_id": "open_ended_1"}]))
    assert [name for name, _ in found.elsewhere] == ["open_ended_1"]


def test_a_table_that_goes_out_comes_back_without_a_change(team, author):
    running = {"note": "\t@x", "n": -3.5, "=name": "+1 of them"}
    rows = [
        row(1, eval={"accepted_answers": ["a, b", 'say "c"']}),
        row(2, eval={"accepted_answers": ["two\nlines", 2.0]}, metadata={"note": " blank ", "n": 1, "yes": True}),
        row(4, input={"question": "'=1+1"}, metadata=running),
        row(3, input={"question": "=1+1", "context": {"a": [1, None]}}, family="short_answer", metadata=running),
    ]
    draft = grid_draft(team, rows)
    columns = list(columns_of(format_of(draft), draft.input_sets.get()).values())
    data = b"".join(csv_lines(columns, draft.cases.order_by("position")))
    found = merge(draft, data.decode("utf-8-sig"))
    assert (found.is_empty, found.unchanged, found.troubles) == (True, 4, [])
    before = read_tree(draft)
    editing.remove_cases(draft, [draft.cases.get(key="row-3").pk], author)
    carry_out(draft, author, merge(draft, data.decode("utf-8-sig")))
    assert read_tree(draft) == before
    lines = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert len(lines) == 5
    cells = [cell for line in lines for cell in line]
    assert {"'=1+1", "''=1+1", "'\t@x", "-3.5", "'+1 of them", "metadata.=name"} <= set(cells)
    assert not any(cell.startswith(("=", "+", "@", "\t")) for cell in cells)


def test_rows_of_the_format_itself_come_whole_from_json_lines(team, author):
    rows = rows_of(4)
    rows[3] = row(
        3, eval={"accepted_answers": ["3", 3.0]}, metadata={"new": {"deep": [1, {"x": None}]}}, family="short_answer"
    )
    draft = grid_draft(team, rows[:2])
    found = looked_at(draft, json_lines(rows))
    assert (len(found.added), len(found.rewritten), found.unchanged, found.broken) == (2, 0, 2, [])
    carry_out(draft, author, found)
    assert [document(draft, f"row-{number}") for number in range(4)] == rows


def test_objects_of_other_names_are_mapped_like_columns(draft, columns):
    text = '{"id": 17, "question": "Why?", "reply": "so", "extra": {"source": "web"}}\n'
    mapping = guessed(read_table(text), draft, columns, {})
    assert mapping == {"id": "/id", "question": "/input/question", "reply": "", "extra.source": ""}
    [made] = merge(draft, text, {**mapping, "reply": "/eval/accepted_answers"}).added
    assert made == {"id": "17", "input": {"question": "Why?"}, "eval": {"accepted_answers": ["so"]}}


def test_json_values_keep_their_types(draft):
    text = '{"id": "007", "metadata": {"code": "1", "flag": true, "none": null}, "eval": {"tolerance": "0.5"}}\n'
    [made] = merge(draft, text).added
    assert made["id"] == "007"
    assert made["metadata"] == {"code": "1", "flag": True, "none": None}
    assert made["eval"] == {"tolerance": 0.5}
