"""A script learns that its session has ended; a person is led to the page to sign in."""

import pytest

BY_SCRIPT = ({"HX-Request": "true"}, {"X-Requested-With": "fetch"})


@pytest.mark.parametrize("headers", BY_SCRIPT)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_script_without_a_session_is_told_so(client, db, headers, method):
    assert getattr(client, method)("/packs/", headers=headers).status_code == 401


def test_a_person_without_a_session_is_led_to_the_page_to_sign_in(client, db):
    response = client.get("/packs/")
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/?next=")


@pytest.mark.parametrize("headers", BY_SCRIPT)
def test_a_script_with_a_session_gets_its_answer(as_author, headers):
    assert as_author.get("/packs/", headers=headers).status_code == 200


@pytest.mark.parametrize("headers", BY_SCRIPT)
def test_other_redirects_are_left_as_they_are(as_author, headers):
    assert as_author.get("/sign-in/", headers=headers)["Location"] == "/"
