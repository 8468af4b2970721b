import json

import pytest

VALIDATORS = "version.evaluation_spec.validators"


@pytest.fixture
def lens(as_author, draft):
    def post(act, section, text, **more):
        address = f"/packs/default/parcels/edit/pack/{act}/?section={section}"
        return as_author.post(address, {"text": text, "seen": draft.revision, **more})

    return post


@pytest.fixture
def text_of(node_page):
    return lambda section: node_page("pack", section=section, lens="yaml").response.context["text"]


def lint(lens, section, text):
    return json.loads(lens("lint", section, text).content)["findings"]


def test_the_text_of_a_section_has_that_section_only(text_of):
    text = text_of(VALIDATORS)
    assert text.startswith("version:\n  evaluation_spec:\n    validators:\n")
    assert "scorecard" not in text
    assert "says-hub" in text


def test_a_section_is_changed_and_nothing_else(lens, text_of, draft):
    before = draft.document
    assert lens("yaml", VALIDATORS, text_of(VALIDATORS).replace("says-hub", "names-hub")).status_code == 302
    draft.refresh_from_db()
    expected = json.loads(json.dumps(before).replace("says-hub", "names-hub"))
    assert json.dumps(draft.document) == json.dumps(expected)


def test_an_untouched_text_leaves_no_edit(lens, text_of, draft, node_page):
    revision = draft.revision
    for section in node_page("pack").sections_of(draft):
        assert lens("yaml", section, text_of(section)).status_code == 302
    draft.refresh_from_db()
    assert draft.revision == revision


def test_what_somebody_else_changed_in_another_section_stays(lens, text_of, draft, someone_else):
    text, seen = text_of(VALIDATORS), draft.revision
    someone_else(draft, "/pack/name", "Theirs")
    assert lens("yaml", VALIDATORS, text.replace("contains", "exact_match"), seen=seen).status_code == 302
    draft.refresh_from_db()
    assert draft.document["pack"]["name"] == "Theirs"
    assert draft.document["version"]["evaluation_spec"]["validators"][0]["type"] == "exact_match"


def test_a_problem_is_found_at_its_line(lens, text_of):
    text = text_of(VALIDATORS).replace("final_output", "nowhere")
    wrong = [item for item in lint(lens, VALIDATORS, text) if item["severity"] == "error"]
    assert wrong
    assert {text.splitlines()[item["line"] - 1].strip() for item in wrong} == {"target: nowhere"}


def test_problems_of_other_sections_are_not_told_here(lens, text_of, someone_else, draft):
    someone_else(draft, "/pack/slug", "")
    assert not [item for item in lint(lens, VALIDATORS, text_of(VALIDATORS)) if item["severity"] == "error"]
    assert [item for item in lint(lens, "pack", text_of("pack")) if item["severity"] == "error"]


def test_what_is_edited_elsewhere_is_refused_at_its_line(lens, text_of, draft):
    text = text_of(VALIDATORS) + "pack:\n  slug: other\n"
    response = lens("yaml", VALIDATORS, text)
    assert response.status_code == 422
    assert response.context["text"] == text
    found = response.context["findings"][0]
    assert (found["code"], found["line"]) == ("form.E003", text.splitlines().index("pack:") + 1)
    draft.refresh_from_db()
    assert draft.document["pack"]["slug"] == "parcels"


def test_an_absent_section_shows_its_keys_and_is_written_below_them(lens, text_of, draft):
    text = text_of("version.sandbox")
    assert text == "# version:\n#   sandbox:\n"
    assert lens("yaml", "version.sandbox", text).status_code == 302
    assert lint(lens, "version.sandbox", text) == []
    assert lens("yaml", "version.sandbox", "version:\n  sandbox:\n    network_access: true\n").status_code == 302
    draft.refresh_from_db()
    assert draft.document["version"]["sandbox"] == {"network_access": True}
    assert draft.document["version"]["number"] == 1
