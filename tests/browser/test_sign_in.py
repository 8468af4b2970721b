"""Somebody signs in with the directory, in a browser that goes there and comes back."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from packs.access import Role
from packs.models import Membership
from tests.browser.axe import troubles
from tests.studio.oidc.conftest import provider, running_provider  # noqa: F401

pytestmark = pytest.mark.browser


def test_somebody_signs_in_with_the_directory(
    transactional_db, page, team, live_server, errors, listen, provider, settings
):
    settings.OIDC_GROUPS = f"packs={team.slug}:author"
    provider.person["groups"] = ["packs"]
    listen(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/account/")
    assert troubles(page) == {}
    page.get_by_role("link", name="Sign in with your organisation").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("robin")
    assert page.url == f"{live_server.url}/account/"
    assert troubles(page) == {}
    assert Membership.objects.get(user__username="robin").role == Role.AUTHOR

    provider.lies = {"nonce": "of another attempt"}
    page.get_by_label("Account of").click()
    page.get_by_role("button", name="Sign out").last.click()
    page.get_by_role("link", name="Sign in with your organisation").click()
    expect(page.get_by_text("The directory did not confirm who you are.")).to_be_visible()
    assert troubles(page) == {}
    assert errors == ["Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"]

    # A form that leads to another site is a page that goes on there: the policy lets no form be sent on.
    errors.clear()
    provider.lies = {}
    User.objects.create_user("owner", password="correct horse")
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign in").click()
    page.goto(f"{live_server.url}/account/")
    provider.person = {"sub": "owner-1"}
    page.get_by_label("Your password").fill("correct horse")
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("button", name="Disconnect")).to_be_visible()
    assert errors == []
