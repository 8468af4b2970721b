import json


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
