import json


def test_the_preview_shows_what_the_agent_sees_and_what_stays_hidden(node_page, case):
    shown = node_page(f"cases/{case.pk}", lens="preview")
    sides = shown.response.context["sides"]
    assert "Hub case-0" in sides["hidden"]
    assert "Hub case-0" not in sides["context"] + sides["told"] + shown.response.context["task"].prompt


def test_a_preview_that_cannot_be_made_lists_what_to_mend(node_page, case):
    node_page(f"cases/{case.pk}").fill(**{"/challenge_key": "nowhere"}).send()
    blocking = node_page(f"cases/{case.pk}", lens="preview").response.context["blocking"]
    assert blocking
    assert all(item["url"] for item in blocking)


def test_the_stored_document_is_what_a_version_would_store(node_page, case):
    stored = json.loads(node_page(f"cases/{case.pk}", lens="stored").response.context["stored"])
    assert stored["schema_version"] == 1
    assert stored["case_key"] == "case-0"


def test_only_cases_have_a_stored_document(node_page, draft):
    shown = node_page(f"challenges/{draft.challenges.get().pk}", lens="stored")
    assert shown.response.context["lens"] == "yaml"


def test_a_lens_alone_is_a_part_of_the_page(as_author, draft, case):
    response = as_author.get(f"/packs/default/parcels/edit/cases/{case.pk}/lens/?lens=stored")
    assert "<html" not in response.content.decode()
    assert response.context["lens"] == "stored"
