import pytest

HTMX = {"HX-Request": "true"}
QUESTION = "/input/question"


def test_a_cell_is_saved_with_the_type_of_its_schema(as_author, draft, cell_url):
    response = as_author.post(
        f"{cell_url('row-1')}save/", {"at": "/eval/tolerance", "text": "0.5", "seen": draft.revision}, headers=HTMX
    )
    assert response.status_code == 200
    assert draft.cases.get(key="row-1").document["eval"]["tolerance"] == 0.5
    assert b'id="problem-count"' in response.content
    assert b'id="seen"' in response.content


def test_a_saved_cell_tells_the_problems_of_its_case(as_author, draft, cell_url):
    response = as_author.post(f"{cell_url('row-1')}save/", {"at": QUESTION, "text": " ", "seen": 9}, headers=HTMX)
    assert response.context["cell"].trouble == "error"
    assert response.context["case"]["errors"] == 1
    assert draft.cases.get(key="row-1").document["input"] == {"question": " "}


def test_typing_is_checked_without_saving(as_author, draft, cell_url):
    response = as_author.post(f"{cell_url('row-1')}check/", {"at": QUESTION, "text": ""}, headers=HTMX)
    assert [finding.path for finding in response.context["findings"]] == [("input", "question")]
    response = as_author.post(f"{cell_url('row-1')}check/", {"at": "/id", "text": "row-0"}, headers=HTMX)
    assert [finding.path for finding in response.context["findings"]] == [("id",)]
    response = as_author.post(f"{cell_url('row-1')}check/", {"at": QUESTION, "text": "Why?"}, headers=HTMX)
    assert response.context["findings"] == []
    draft.refresh_from_db()
    assert draft.revision == 1


def test_a_cell_that_somebody_else_changed_keeps_both_values(as_author, draft, cell_url, someone_else):
    seen = draft.revision
    someone_else(draft.cases.get(key="row-1"), QUESTION, "Theirs?")
    response = as_author.post(
        f"{cell_url('row-1')}save/", {"at": QUESTION, "text": "Mine?", "seen": seen}, headers=HTMX
    )
    assert response.status_code == 409
    page = response.content.decode()
    assert "Theirs?" in page
    assert "Mine?" in page
    assert draft.cases.get(key="row-1").document["input"]["question"] == "Theirs?"
    draft.refresh_from_db()
    again = {"at": QUESTION, "text": "Mine?", "seen": draft.revision}
    assert as_author.post(f"{cell_url('row-1')}save/", again, headers=HTMX).status_code == 200
    assert draft.cases.get(key="row-1").document["input"]["question"] == "Mine?"


def test_the_control_of_a_cell_offers_what_the_schema_allows(as_author, cell_url):
    response = as_author.get(cell_url("row-1"), {"at": "/environment/materialize_workdir_from_image", "edit": "1"})
    assert response.context["options"] == ["true", "false"]
    response = as_author.get(cell_url("row-1"), {"at": "/family", "edit": "1"})
    assert "repo_patch" in response.context["suggestions"]
    assert b"short_answer" in as_author.get(cell_url("row-1"), {"at": "/family"}).content


def test_what_cannot_hold_the_value_is_refused_and_the_text_kept(as_author, draft, cell_url, someone_else):
    someone_else(draft.cases.get(key="row-1"), "/metadata", "text")
    data = {"at": "/metadata/level", "text": "hard", "seen": 99}
    response = as_author.post(f"{cell_url('row-1')}save/", data, headers=HTMX)
    assert response.status_code == 422
    assert b"hard" in response.content
    assert draft.cases.get(key="row-1").document["metadata"] == "text"


def test_without_a_script_saving_leads_to_the_case(as_author, draft, cell_url):
    response = as_author.post(f"{cell_url('row-1')}save/", {"at": QUESTION, "text": "Why?", "seen": 9})
    assert response.status_code == 302
    assert "/cases/" in response["Location"]


@pytest.mark.parametrize("at", ["", "/nothing", "no pointer"])
def test_unknown_columns_are_not_there(as_author, cell_url, at):
    assert as_author.get(cell_url("row-1"), {"at": at}).status_code == 404


def test_a_viewer_may_look_at_a_cell_and_not_change_it(as_viewer, cell_url):
    assert as_viewer.get(cell_url("row-1"), {"at": QUESTION}).status_code == 200
    assert as_viewer.post(f"{cell_url('row-1')}save/", {"at": QUESTION, "text": "x"}).status_code == 403
