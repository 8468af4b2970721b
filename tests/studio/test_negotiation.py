import pytest


@pytest.mark.parametrize("accepted", ["application/zip", "text/html", "nonsense"])
def test_a_call_is_answered_whatever_the_client_accepts(as_author, accepted):
    answer = as_author.get("/api/v1/packs/", headers={"Accept": accepted})
    assert answer.status_code == 200
    assert answer.json()["results"] == []


def test_the_format_of_packs_is_still_a_filter(as_author):
    assert as_author.get("/api/v1/packs/?format=agentv").status_code == 200
    assert as_author.get("/api/v1/packs/?format=json").status_code == 400


def test_a_form_is_not_a_body_of_the_api(as_author):
    answer = as_author.post("/api/v1/packs/", {"title": "By form"})
    assert answer.status_code == 415
    assert "application/json" in answer.json()["findings"][0]["hint"]
