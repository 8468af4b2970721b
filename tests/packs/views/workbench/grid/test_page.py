import pytest

from packs.editing import Change, apply
from packs.grid.queries import PAGE
from packs.models import GridChoice
from tests.packs.drafts import draft_of
from tests.packs.grid.benchmark import grid_draft, rows_of


def keys(response):
    return [line.key for line in response.context["lines"]]


def names(response):
    return [column.name for column in response.context["grid"].shown]


def test_every_case_is_a_line_with_its_values(as_author, rows_url):
    response = as_author.get(rows_url)
    line = response.context["lines"][1]
    assert keys(response) == [f"row-{number}" for number in range(6)]
    assert [cell.text for cell in line.cells] == ["How many parcels are in van 1?", "1 parcels", "hard", "1"]


def test_cases_are_found_by_words_values_and_problems(as_author, author, draft, rows_url):
    assert keys(as_author.get(rows_url, {"q": "van 3"})) == ["row-3"]
    assert keys(as_author.get(rows_url, {"q": "metadata.level:hard"})) == ["row-1", "row-3", "row-5"]
    assert keys(as_author.get(rows_url, {"column": "/metadata/level", "value": "easy", "sort": "-key"})) == [
        "row-4",
        "row-2",
        "row-0",
    ]
    assert keys(as_author.get(rows_url, {"is:/family": "repo_patch"})) == []
    case = draft.cases.get(key="row-2")
    apply(draft, [Change(case.kind, case.pk, "/input/question", "")], author)
    response = as_author.get(rows_url, {"problems": "error"})
    assert keys(response) == ["row-2"]
    assert response.context["lines"][0].cells[0].trouble == "error"


@pytest.mark.parametrize("asked", ["?page=99", "?page=x&sort=nothing&problems=all", "?is:none=1&column=x&value=y"])
def test_odd_parameters_do_no_harm(as_author, rows_url, asked):
    assert as_author.get(f"{rows_url}{asked}").status_code == 200


def test_pages_follow_each_other(as_author, team):
    draft = grid_draft(team, rows_of(130), slug="long")
    url = f"/packs/default/long/edit/sets/{draft.input_sets.get().pk}/rows/"
    assert keys(as_author.get(url, {"page": 2}))[0] == f"row-{PAGE}"
    assert len(keys(as_author.get(url))) == PAGE


def test_a_part_is_answered_to_a_search_while_typing(as_author, rows_url):
    response = as_author.get(rows_url, {"q": "van 3"}, headers={"HX-Request": "true"})
    assert b'id="rows"' in response.content
    assert b"<html" not in response.content


def test_each_user_has_columns_of_their_own(as_author, as_viewer, rows_url):
    as_author.post(f"{rows_url}columns/", {"columns": ["/eval/tolerance", "/nothing", "/metadata/level"]})
    assert names(as_author.get(rows_url)) == ["eval.tolerance", "metadata.level"]
    as_author.post(f"{rows_url}columns/", {"reset": "1", "columns": ["/family"]})
    assert names(as_author.get(rows_url))[0] == "input.question"
    as_viewer.post(f"{rows_url}columns/", {"columns": ["/id"]})
    assert names(as_viewer.get(rows_url)) == ["id"]
    assert GridChoice.objects.count() == 2


def test_the_set_of_every_format_has_its_grid(as_author, team):
    draft = draft_of(team)
    response = as_author.get(f"/packs/default/parcels/edit/sets/{draft.input_sets.get().pk}/rows/")
    assert names(response) == ["challenge_key", "inputs.prompt.value", "expectations.answer.value"]
    assert [facet["options"] for facet in response.context["facets"]] == []


def test_a_viewer_sees_the_cases_and_no_way_to_change_them(as_viewer, rows_url):
    page = as_viewer.get(rows_url).content.decode()
    assert "row-5" in page
    assert 'name="case"' not in page
    assert "data-editable" not in page


def test_nodes_without_cases_have_no_grid(as_author, draft):
    assert as_author.get("/packs/default/rows/edit/pack/rows/").status_code == 404


def test_undo_leads_back_to_the_grid(as_author, author, draft, rows_url):
    case = draft.cases.get(key="row-2")
    apply(draft, [Change(case.kind, case.pk, "/input/question", "?")], author)
    back = as_author.get(rows_url).context["grid"].back
    response = as_author.post("/packs/default/rows/edit/undo/", {"back": back})
    assert response["Location"] == rows_url


def test_the_page_costs_as_many_queries_for_many_cases_as_for_few(
    as_author, team, rows_url, django_assert_max_num_queries
):
    draft = grid_draft(team, rows_of(250), slug="long")
    for url in (rows_url, f"/packs/default/long/edit/sets/{draft.input_sets.get().pk}/rows/"):
        with django_assert_max_num_queries(18):
            as_author.get(url)
