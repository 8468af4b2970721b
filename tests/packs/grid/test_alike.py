"""Tables of questions and right answers into sets that have cases, in all formats and with every kind of check."""

import json
from itertools import islice

import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.beginning import First
from packs.formats.tables import read_table
from packs.grid.alike import alike_of, completed, further_keys, likely_mapping
from packs.grid.columns import columns_of, key_pointer
from packs.grid.merging import Merge, look_ahead
from packs.grid.targets import ANSWER
from packs.importing.reading import Reading
from packs.importing.writing import NO_SOURCE, create
from packs.models import Case

ANSWERS = {
    # What only plainer checks take: the kind of a check is not taken for another.
    "contains": ("42", "(b"),
    "exact_match": ("42", "(b"),
    "numeric_match": ("42", "7.5"),
    "json_path_match": ('hub.name = "Leeds"', 'hub.name = "York"'),
}
CHECKS = [(name, check) for name in FORMATS for check in adapter_of(name).FIRST_CHECKS]


def started(name, question, answer, check="contains"):
    return adapter_of(name).starter("new", "New", First(question, answer, check))


def begun(team, author, name, check, cases=1):
    """A draft that asks one question, or none, as a new pack does."""
    tree = started(name, "Where is it?", ANSWERS.get(check, "ab")[0], check)
    reading = Reading(name, "new", tree, None, [], [], [])
    draft = create(team, author, reading, reading.in_tree(), NO_SOURCE)
    if not cases:
        draft.cases.all().delete()
    return draft


def merged(draft, text, **mapping):
    input_set, table = draft.input_sets.first(), read_table(text)
    columns = columns_of(adapter_of(draft.format), input_set)
    likely = likely_mapping(table, input_set, columns, {}) | mapping
    way = Merge(draft, input_set, likely, key_pointer(adapter_of(draft.format)))
    found = way.of(table)
    look_ahead(way, found)
    return found


def split(name, document):
    """The key of a case, where it belongs, and everything else."""
    rest = dict(document)
    key = rest.pop(key_pointer(adapter_of(name)).strip("/"))
    return key, {place: rest.pop(place) for place in ("challenge_key", "suite") if place in rest}, rest


@pytest.mark.parametrize(("name", "check"), CHECKS)
def test_questions_and_right_answers_become_cases_with_the_check_of_those_before(team, author, name, check):
    draft = begun(team, author, name, check)
    answer = ANSWERS.get(check, "ab")[1]
    found = merged(draft, json.dumps([{"question": "Who?", "answer": answer}, {"question": "What?", "answer": answer}]))
    assert (found.troubles, found.broken, found.elsewhere) == ([], [], [])
    (old, home, _), *made = (split(name, each) for each in (draft.cases.get().document, *found.added))
    wanted = started(name, "Who?", answer, check).input_sets[0].cases[0].document
    assert made[0][1:] == (home, split(name, wanted)[2])
    assert made[1][1] == home
    assert len({old, made[0][0], made[1][0]}) == 3


@pytest.mark.parametrize(("name", "check"), CHECKS)
def test_a_right_answer_for_a_case_that_is_there_changes_its_check_alone(team, author, name, check):
    draft = begun(team, author, name, check)
    case, answer = draft.cases.get(), ANSWERS.get(check, "ab")[1]
    found = merged(draft, json.dumps([{"id": case.key, "answer": answer}]), id=key_pointer(adapter_of(name)))
    [(_, made)] = found.rewritten.values()
    wanted = started(name, "Where is it?", answer, check).input_sets[0].cases[0].document
    assert split(name, made) == (case.key, split(name, case.document)[1], split(name, wanted)[2])
    assert (found.broken, found.added) == ([], [])


@pytest.mark.parametrize("name", FORMATS)
def test_a_set_without_cases_gives_keys_and_a_home(team, author, name):
    draft = begun(team, author, name, "contains", cases=0)
    [made] = merged(draft, "question\nWho?\n").added
    key, home, _ = split(name, made)
    assert key
    assert home == split(name, started(name, "Who?", "a").input_sets[0].cases[0].document)[1]


def test_a_line_without_a_right_answer_is_named(team, author):
    found = merged(begun(team, author, "agentv", "contains"), "question,answer\nWho?,Ada\nWhat?,\n")
    assert [(each.line, each.reason) for each in found.troubles] == [(3, "There is no right answer in this line.")]


def test_where_the_check_is_another_one_no_right_answer_is_offered(team, author):
    draft = begun(team, author, "agentv", "contains")
    case = draft.cases.get()
    case.document |= {"assertions": [{"type": "llm-grader", "prompt": "Is it polite?"}]}
    del case.document["expected_output"]
    case.save()
    assert alike_of(draft.input_sets.get()).check == ""
    found = merged(draft, "question,answer\nWho?,Ada\n")
    assert found.added == [{"id": "question-2", "input": "Who?"}]
    [trouble] = merged(draft, "question,answer\nWho?,Ada\n", answer=ANSWER).troubles
    assert trouble.reason.startswith("The check there does not follow from a right answer alone.")


def test_free_keys_go_on_behind_the_last_and_around_those_of_other_sets(team, author):
    draft = begun(team, author, "benchmark_pack", "contains")
    row = draft.cases.get()
    Case.objects.filter(pk=row.pk).update(key="q7", document={**row.document, "id": "q7"})
    other = draft.input_sets.create(position=2, key="more.jsonl", document={"file": "more.jsonl"})
    other.cases.create(pack=draft, position=1, key="q8", document={**row.document, "id": "q8"})
    found = merged(draft, "question,answer\nWho?,a\nWhat?,b\n")
    assert [made["id"] for made in found.added] == ["q9", "q10"]


def test_keys_without_a_number_get_one():
    assert list(islice(further_keys("hub"), 3)) == ["hub", "hub-2", "hub-3"]
    assert list(islice(further_keys("loc_hub"), 2)) == ["loc_hub", "loc_hub_2"]
    assert list(islice(further_keys("row-8"), 2)) == ["row-8", "row-9"]


def test_columns_further_down_stand_for_what_is_left(team, author):
    draft = begun(team, author, "agentv", "contains")
    input_set, table = draft.input_sets.get(), read_table('[{"question": "Who?"}, {"question": "Why?", "answer": "a"}]')
    columns = columns_of(adapter_of("agentv"), input_set)
    assert completed({"question": "/input"}, table, input_set, columns) == {"question": "/input", "answer": ANSWER}
    assert completed({"question": ANSWER}, table, input_set, columns) == {"question": ANSWER, "answer": ""}


@pytest.mark.parametrize("name", FORMATS)
def test_a_key_that_a_table_gives_twice_stands_in_the_way(team, author, name):
    """In AgentV it is only a warning, but one for which no test of the suite runs."""
    found = merged(begun(team, author, name, "contains"), "id,question,answer\nnew_1,Who?,ab\nnew_1,What?,ab\n")
    assert [each.line for each in found.broken] == [3]
