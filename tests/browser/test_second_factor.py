"""Somebody sets up a second factor that the team demands, and signs in with it."""

import re

import pytest
from playwright.sync_api import expect

from packs.models import Team
from studio.models import SecondFactor
from tests.browser.axe import troubles
from tests.factors import code_of, wrong_code
from tests.people import PASSWORD

pytestmark = pytest.mark.browser


def test_somebody_sets_up_a_second_factor_and_signs_in_with_it(page, author, live_server, errors, listen):
    Team.objects.update(needs_second_factor=True)
    listen(page)
    page.set_viewport_size({"width": 390, "height": 844})

    def give_password(path):
        page.goto(f"{live_server.url}{path}")
        page.get_by_label("Username").fill(author.username)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()

    give_password("/packs/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Set up a second factor")
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    assert troubles(page) == {}
    page.get_by_text("Enter the secret by hand").click()
    secret = page.locator("#secret").inner_text().replace(" ", "")
    page.get_by_label("Code").fill(code_of(secret))
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    assert troubles(page) == {}
    codes = page.locator("#codes code").all_inner_texts()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    kept = download.value.path().read_text()
    assert len(codes) == 10
    assert all(code in kept for code in codes)
    page.get_by_role("link", name="I have kept them").click()
    # There is where somebody wanted to go before.
    expect(page).to_have_url(re.compile(r"/packs/$"))
    page.get_by_label("Account of").click()
    page.get_by_role("button", name="Sign out").last.click()

    give_password("/account/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Enter a code")
    assert troubles(page) == {}
    page.get_by_label("Code").fill(wrong_code(secret))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name=re.compile("The code is not right"))).to_be_visible()
    assert errors == ["Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"]
    # Time passes, so that the app shows another code than the one that set it up.
    SecondFactor.objects.update(last_step=0)
    page.get_by_label("Code").fill(code_of(secret))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(str(author))
    assert page.url == f"{live_server.url}/account/"
