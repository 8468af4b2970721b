"""The pages before and after the directory; `tests/studio/oidc` is about what it says."""

import pytest

from studio.guessing import PER_ADDRESS
from studio.models import SignInAttempt
from tests.oidc_server import visit
from tests.studio.oidc.conftest import provider, running_provider  # noqa: F401

PAGE = "/sign-in/directory/"


def test_without_a_directory_there_is_none(as_author, as_nobody):
    assert as_nobody.get(PAGE).status_code == 404
    assert as_nobody.get(f"{PAGE}answer/").status_code == 404
    assert as_author.post("/account/directory/").status_code == 404
    assert "directory" not in as_nobody.get("/sign-in/").text


def test_the_page_for_signing_in_leads_to_the_directory_and_on(as_nobody, provider, settings):
    settings.OIDC_NAME = "Example Ltd"
    page = as_nobody.get("/sign-in/?next=/packs/").text
    assert "Sign in with Example Ltd" in page
    assert f"{PAGE}?next=/packs/" in page
    assert visit(as_nobody, provider, f"{PAGE}?next=/packs/").url == "/packs/"


@pytest.mark.parametrize(
    "elsewhere", ["https://example.org/", "//example.org", "javascript:alert(1)", "/\\example.org"]
)
def test_nobody_is_led_to_another_site(as_nobody, provider, elsewhere):
    assert visit(as_nobody, provider, f"{PAGE}?next={elsewhere}").url == "/"


def test_attempts_that_come_to_nothing_are_limited_and_others_are_not(as_nobody, client, provider):
    visit(as_nobody, provider)
    assert not SignInAttempt.objects.exists()
    assert {client.get(PAGE).status_code for _ in range(PER_ADDRESS)} == {302}
    assert client.get(PAGE).status_code == 429
    assert client.post("/sign-in/", {"username": "a", "password": "b"}).status_code == 429


def test_passwords_are_not_taken_where_the_studio_says_so(as_nobody, author, provider, settings):
    settings.OIDC_ONLY = True
    assert 'name="password"' not in as_nobody.get("/sign-in/").text
    assert as_nobody.post("/sign-in/", {"username": author.username, "password": "correct horse"}).status_code == 422
    assert "_auth_user_id" not in as_nobody.session


def test_who_has_no_password_is_asked_for_none(as_nobody, provider):
    visit(as_nobody, provider)
    page = as_nobody.get("/account/").text
    assert "Your account has no password." in page
    assert "Change password" not in page
