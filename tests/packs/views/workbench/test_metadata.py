from urllib.parse import urlencode

import pytest
from django.urls import reverse

from packs.editing import Change, apply
from packs.formats.document import NodeKind
from packs.views.workbench.addresses import ref_of
from tests.packs.drafts import draft_of
from tests.packs.suites import draft_of_suite


@pytest.fixture
def draft(team, author):
    return draft_of_suite(team, author)


@pytest.fixture
def case(draft):
    return draft.cases.get(key="first")


def url_of(row):
    return reverse("packs:edit-metadata", args=["default", row.pack.slug, ref_of(row)])


def rows(*given, seen):
    data = {"seen": seen}
    for at, (was, key, kind, text) in enumerate(given):
        data |= {f"key-{at}": key, f"kind-{at}": kind, f"text-{at}": text}
        data |= {f"was-{at}": was} if was else {}
    return data


ROW, PATCH = ("source_row", "source_row", "number", "41"), ("test_patch", "test_patch", "text", "cases/first/a.patch")


def test_metadata_is_shown_as_rows_with_suggestions_of_the_whole_pack(as_author, case):
    context = as_author.get(url_of(case)).context
    assert [(row.key, row.text) for row, _ in context["rows"] if row.key] == [ROW[::3], PATCH[::3]]
    assert set(context["keys"]) == {"source_row", "test_patch", "source_file"}


def test_rows_are_saved_as_one_edit_and_what_was_not_touched_stays(as_author, case, draft):
    data = rows(ROW, ("test_patch", "patch", "text", PATCH[3]), ("", "level", "list", "a\nb"), seen=draft.revision)
    assert as_author.post(url_of(case), data).status_code == 302
    case.refresh_from_db()
    assert case.document["metadata"] == {"source_row": 41, "patch": "cases/first/a.patch", "level": ["a", "b"]}
    draft.refresh_from_db()
    assert draft.edits.values("group").distinct().count() == 1


def test_a_row_that_cannot_be_read_saves_nothing_and_is_shown_as_typed(as_author, case, draft):
    response = as_author.post(url_of(case), rows(("source_row", "source_row", "number", "forty"), seen=draft.revision))
    assert response.status_code == 422
    assert [(row.text, row.trouble) for row, _ in response.context["rows"] if row.trouble] == [("forty", "no_number")]
    case.refresh_from_db()
    assert case.document["metadata"]["source_row"] == 41


def test_metadata_without_rows_leaves_no_empty_mapping_behind(as_author, case, draft):
    as_author.post(url_of(case), {"seen": draft.revision})
    case.refresh_from_db()
    assert "metadata" not in case.document


@pytest.mark.parametrize("stated", ["text", [1], {}])
def test_metadata_that_are_no_rows_stay_where_no_row_is_given(as_author, case, draft, author, stated):
    apply(draft, [Change(NodeKind.CASE, case.pk, "/metadata", stated)], author)
    draft.refresh_from_db()
    as_author.post(url_of(case), {"seen": draft.revision})
    case.refresh_from_db()
    assert case.document["metadata"] == stated


def test_rows_take_the_place_of_metadata_that_are_none(as_author, case, draft, author):
    apply(draft, [Change(NodeKind.CASE, case.pk, "/metadata", "text")], author)
    draft.refresh_from_db()
    as_author.post(url_of(case), rows(("", "level", "number", "3"), seen=draft.revision))
    case.refresh_from_db()
    assert case.document["metadata"] == {"level": 3}


def test_the_same_key_changed_by_two_people_is_shown_with_both_values(as_author, case, draft, administrator):
    apply(draft, [Change(NodeKind.CASE, case.pk, "/metadata/source_row", 42)], administrator)
    response = as_author.post(url_of(case), rows(("source_row", "source_row", "number", "43"), PATCH, seen=0))
    assert response.status_code == 409
    assert [(each.yours, each.theirs) for each in response.context["disputes"]] == [("43", "42")]


def test_a_format_without_metadata_has_no_editor_of_it(as_author, team):
    assert as_author.get(url_of(draft_of(team).cases.first())).status_code == 404


def test_what_the_suite_states_for_all_is_shown_beside(as_author, case, draft, author):
    suite = draft.input_sets.get()
    apply(draft, [Change(NodeKind.INPUT_SET, suite.pk, "/metadata", {"area": "io"})], author)
    shared = as_author.get(url_of(case)).context["shared"]
    assert [(row.key, row.text) for row in shared["rows"]] == [("area", "io")]


def test_the_form_of_a_case_leads_to_the_editor(as_author, case):
    page = as_author.get(reverse("packs:edit-node", args=["default", "widgets", ref_of(case)]))
    assert url_of(case) in page.content.decode()


def test_the_table_shows_only_the_cases_that_lack_a_value(as_author, draft):
    url = reverse("packs:edit-rows", args=["default", "widgets", ref_of(draft.input_sets.get())])
    page = as_author.get(f"{url}?{urlencode({'lacks:/metadata/source_row': '1'})}")
    assert [line.key for line in page.context["lines"]] == ["second"]
