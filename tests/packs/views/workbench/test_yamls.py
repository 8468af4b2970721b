import json

import pytest

# What fetch of our scripts says.
BY_SCRIPT = {"X-Requested-With": "fetch"}


@pytest.fixture
def lens(as_author, draft, case):
    base = f"/packs/default/parcels/edit/cases/{case.pk}/"

    def post(act, text, headers=None, **more):
        return as_author.post(f"{base}{act}/", {"text": text, "seen": draft.revision, **more}, headers=headers)

    return post


def text_of(node_page, case):
    return node_page(f"cases/{case.pk}", lens="yaml").response.context["text"]


def test_yaml_text_becomes_the_document_of_the_node(lens, node_page, case):
    assert lens("yaml", text_of(node_page, case).replace("Hub case-0", "Leeds")).status_code == 302
    case.refresh_from_db()
    assert case.document["expectations"][0]["value"] == "Leeds"


def test_yaml_saves_only_what_differs(lens, node_page, draft, case, someone_else):
    text, seen = text_of(node_page, case), draft.revision
    someone_else(case, "/inputs/0/value", "theirs")
    assert lens("yaml", text.replace("Hub case-0", "Leeds"), seen=seen).status_code == 302
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "theirs"
    assert case.document["expectations"][0]["value"] == "Leeds"


def test_text_goes_on_from_what_the_same_page_saved_beside_others(lens, node_page, draft, case, someone_else):
    text, seen = text_of(node_page, case), draft.revision
    someone_else(case, "/inputs/0/value", "theirs")
    half = f"{text}case_timeout_seconds: 9\n"
    assert lens("yaml", half, seen=seen).status_code == 302
    draft.refresh_from_db()
    mine = {"seen": seen, "own": f"{draft.revision}", "before": half}
    assert lens("yaml", f"{half.rstrip()}0\n", **mine).status_code == 302
    case.refresh_from_db()
    assert case.document["case_timeout_seconds"] == 90
    draft.refresh_from_db()
    mine |= {"own": f"{mine['own']},{draft.revision}", "before": f"{half.rstrip()}0\n"}
    assert lens("yaml", text, **mine).status_code == 302
    case.refresh_from_db()
    assert "case_timeout_seconds" not in case.document
    assert case.document["inputs"][0]["value"] == "theirs"


def test_what_others_did_between_own_saves_is_disputed(lens, node_page, draft, case, someone_else):
    text, seen = text_of(node_page, case), draft.revision
    half = f"{text}case_timeout_seconds: 9\n"
    lens("yaml", half, seen=seen)
    draft.refresh_from_db()
    own = draft.revision
    someone_else(case, "/case_timeout_seconds", 30)
    draft.refresh_from_db()
    # No one's own revision but the author's.
    mine = {"seen": seen, "own": f"{own},{draft.revision}", "before": half}
    assert lens("yaml", f"{half.rstrip()}0\n", **mine).status_code == 409
    case.refresh_from_db()
    assert case.document["case_timeout_seconds"] == 30


def test_a_script_gets_the_form_anew_and_the_text_as_it_is_stored(lens, node_page, draft, case):
    text = text_of(node_page, case).replace("Hub case-0", '"Leeds"')
    response = lens("yaml", text, headers=BY_SCRIPT)
    case.refresh_from_db()
    draft.refresh_from_db()
    assert case.document["expectations"][0]["value"] == "Leeds"
    assert response.status_code == 200
    assert b'id="bench"' not in response.content
    assert response.context["drawn"].at == ""
    assert response.context["yaml"] == text_of(node_page, case)
    assert f'data-yaml="{draft.revision}"' in response.content.decode()


def test_a_script_keeps_the_text_that_is_broken_itself(lens, node_page, case):
    response = lens("yaml", text_of(node_page, case) + "a: [1\n", headers=BY_SCRIPT)
    assert (response.status_code, response.content) == (422, b"")


def test_a_script_that_disputes_a_value_gets_the_whole_page(lens, node_page, draft, case, someone_else):
    text, seen = text_of(node_page, case), draft.revision
    someone_else(case, "/inputs/0/value", "theirs")
    mine = text.replace("Where is parcel case-0?", "mine")
    response = lens("yaml", mine, headers=BY_SCRIPT, seen=seen)
    assert response.status_code == 409
    assert response.context["disputes"][0].theirs == "theirs"


def test_broken_yaml_stays_on_screen_and_says_where_it_breaks(lens, node_page, case):
    text = text_of(node_page, case) + "a: [1\n"
    response = lens("yaml", text)
    assert response.status_code == 422
    assert response.context["text"] == text
    assert response.context["findings"][0]["line"]
    before = case.document
    case.refresh_from_db()
    assert case.document == before


def test_the_lint_finds_what_the_form_finds_at_the_line_of_the_value(lens, node_page, case):
    text = text_of(node_page, case).replace("challenge_key: locate", "challenge_key: nowhere")
    found = json.loads(lens("lint", text).content)["findings"]
    wrong = next(item for item in found if item["severity"] == "error")
    assert text.splitlines()[wrong["line"] - 1].startswith("challenge_key:")


def test_an_edit_in_the_form_shows_in_the_yaml(node_page, case):
    shown = node_page(f"cases/{case.pk}").fill(**{"/inputs/0/value": "Shown in both"}).send()
    assert "Shown in both" in shown.response.context["text"]


@pytest.mark.parametrize(
    ("more", "is_stored"),
    [("", True), ("# a remark\n", True), ("case_timeout_seconds: 9\n", False), ("a: [1\n", False)],
)
def test_a_text_can_be_compared_with_what_is_stored(lens, node_page, case, more, is_stored):
    text = text_of(node_page, case) + more
    assert json.loads(lens("lint", text, compare="1").content) == {"is_stored": is_stored}
