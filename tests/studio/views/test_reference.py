import json

import pytest


@pytest.mark.parametrize(
    ("query", "accepted", "media"),
    [
        ("", "*/*", "application/vnd.oai.openapi"),
        ("?format=yaml", "*/*", "application/vnd.oai.openapi"),
        ("?format=json", "*/*", "application/vnd.oai.openapi+json"),
        ("", "application/vnd.oai.openapi+json", "application/vnd.oai.openapi+json"),
    ],
)
def test_the_description_comes_as_it_is_asked_for(client, query, accepted, media):
    answer = client.get(f"/api/schema/{query}", headers={"Accept": accepted})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == media
    if media.endswith("json"):
        assert json.loads(answer.content)["openapi"] == "3.1.0"
    else:
        assert answer.content.startswith(b"openapi: 3.1.0")


def test_the_description_is_the_same_for_nobody_and_for_a_key_that_is_wrong(client):
    told = client.get("/api/schema/", headers={"Authorization": "Bearer pw_wrong"})
    assert told.content == client.get("/api/schema/").content


def test_the_page_names_the_description_and_asks_to_sign_in(client, as_author):
    assert 'data-schema="/api/schema/?format=json"' in as_author.get("/api/").text
    assert client.get("/api/").headers["Location"] == "/sign-in/?next=/api/"
