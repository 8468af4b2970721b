import pytest

from packs import editing
from packs.editing.values import ABSENT
from packs.formats.beginning import EXAMPLE
from packs.grid import changing
from packs.grid.changing import Act, Refusal, Wish, change_at, look_ahead, new_findings, plan, schema_of, typed
from packs.importing import create_pack
from packs.models import Case
from tests.packs.drafts import draft_of
from tests.packs.grid.benchmark import grid_draft, row


def cases(draft):
    return Case.objects.filter(pack=draft).select_related("input_set").order_by("position")


def carry_out(draft, author, wish):
    found = plan(draft, cases(draft), wish)
    editing.change_cases(draft, author, found.changes)
    return found


def values(draft, *path):
    found = []
    for case in cases(draft):
        value = case.document
        for step in path:
            value = value.get(step, ABSENT)
        found.append(value)
    return found


def test_a_field_is_set_in_all_cases_with_the_type_of_its_schema(draft, author):
    found = carry_out(draft, author, Wish(Act.SET, "/eval/tolerance", "0.5"))
    assert (len(found.changes), found.unchanged, found.refused) == (6, 0, 0)
    assert values(draft, "eval", "tolerance") == [0.5] * 6
    assert plan(draft, cases(draft), Wish(Act.SET, "/eval/tolerance", "0.5")).unchanged == 6


def test_a_missing_mapping_is_made_on_the_way(team, author):
    draft = grid_draft(team, [row(1), {key: value for key, value in row(2).items() if key != "metadata"}])
    carry_out(draft, author, Wish(Act.SET, "/metadata/source", "survey"))
    assert values(draft, "metadata", "source") == ["survey", "survey"]


def test_a_field_is_cleared_where_it_is(draft, author):
    found = carry_out(draft, author, Wish(Act.CLEAR, "/metadata/level"))
    assert len(found.changes) == 6
    assert values(draft, "metadata", "level") == [ABSENT] * 6
    assert plan(draft, cases(draft), Wish(Act.CLEAR, "/metadata/level")).unchanged == 6


def test_text_is_replaced_in_texts_and_in_lists_of_texts(draft, author):
    found = carry_out(draft, author, Wish(Act.REPLACE, "/eval/accepted_answers", "boxes", find="parcels"))
    assert found.examples[0].before == "0 parcels"
    assert found.examples[0].after == "0 boxes"
    assert values(draft, "eval", "accepted_answers")[3] == ["3 boxes"]
    assert plan(draft, cases(draft), Wish(Act.REPLACE, "/input/question", "x", find="absent")).unchanged == 6


def test_items_of_lists_are_changed_by_their_key_and_made_where_they_are_missing(team, author):
    draft = draft_of(team)
    carry_out(draft, author, Wish(Act.SET, "/inputs/[prompt]/value", "Where?"))
    assert values(draft, "inputs")[0][0]["value"] == "Where?"
    carry_out(draft, author, Wish(Act.SET, "/inputs/[hint]/value", "north"))
    assert values(draft, "inputs")[2][1] == {"key": "hint", "kind": "text", "value": "north"}
    assert plan(draft, cases(draft), Wish(Act.CLEAR, "/inputs/[absent]/value")).unchanged == 3
    assert draft.problem_errors == 0


def test_lines_that_are_no_rows_and_values_in_the_way_are_refused(draft, author):
    first, second = cases(draft)[:2]
    editing.replace_document(draft, first.kind, first.pk, {"$line": "{broken"}, author)
    editing.replace_document(draft, second.kind, second.pk, {"id": "x", "metadata": "text"}, author)
    found = plan(draft, cases(draft), Wish(Act.SET, "/metadata/level", "hard"))
    assert found.refused == 2
    assert {example.case for example in found.refusals} == {first.pk, second.pk}


def test_a_refusal_says_what_is_missing(draft):
    schema = schema_of(draft, {"$line": "{"})
    with pytest.raises(Refusal) as refused:
        typed(schema, {"$line": "{"}, "/input/question", "x")
    assert refused.value.code == "no_case"
    with pytest.raises(Refusal) as refused:
        change_at(schema, {"id": "a", "input": 3}, "/input/question", "x")
    assert refused.value.code == "no_place"


def test_a_preview_names_cases_that_would_get_new_errors(draft):
    found = plan(draft, cases(draft), Wish(Act.CLEAR, "/input/question"))
    look_ahead(draft, found)
    assert found.checked == 6
    assert [example.key for example in found.broken] == [f"row-{number}" for number in range(6)]
    harmless = plan(draft, cases(draft), Wish(Act.SET, "/input/question", "How many?"))
    look_ahead(draft, harmless)
    assert harmless.broken == []


def test_a_preview_checks_every_case_that_changes(team):
    rows = [row(number) for number in range(60)]
    rows[57] = row(57, input={"question": "How many?"})
    draft = grid_draft(team, rows)
    found = plan(draft, cases(draft), Wish(Act.REPLACE, "/input/question", "", "How many?"))
    harmless = plan(draft, cases(draft), Wish(Act.REPLACE, "/input/question", "So", "How"))
    look_ahead(draft, found)
    look_ahead(draft, harmless)
    assert [example.key for example in found.broken] == ["row-57"]
    assert (harmless.checked, harmless.broken) == (60, [])


def test_of_a_very_large_draft_the_first_changed_cases_are_checked(draft, monkeypatch):
    monkeypatch.setattr(changing, "MANY_CASES", 5)
    monkeypatch.setattr(changing, "CHECKED", 2)
    found = plan(draft, cases(draft), Wish(Act.CLEAR, "/input/question"))
    look_ahead(draft, found)
    assert (found.checked, [example.key for example in found.broken]) == (2, ["row-0", "row-1"])


def test_a_cell_is_checked_without_being_saved(draft):
    case = cases(draft)[2]
    twin = {**case.document, "id": "row-1"}
    assert [finding.path for finding in new_findings(draft, case, twin)] == [("id",)]
    assert new_findings(draft, case, case.document) == []


@pytest.mark.parametrize("many", [changing.MANY_CASES, 0])
def test_a_preview_counts_what_publishing_refuses_although_it_is_a_warning(team, author, monkeypatch, many):
    monkeypatch.setattr(changing, "MANY_CASES", many)
    draft = create_pack(team, author, "agentv", "A pack", first=EXAMPLE)
    case = draft.cases.get()
    found = plan(draft, draft.cases.all(), Wish(Act.SET, "/depends_on", f'["{case.key}"]'))
    look_ahead(draft, found)
    assert [(example.key, "depends on itself" in example.reason) for example in found.broken] == [(case.key, True)]
