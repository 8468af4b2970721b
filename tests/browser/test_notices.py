"""Notices reach a person in the studio and a webhook of the team that answers at the third try."""

import pytest
from playwright.sync_api import expect

from packs.notices import RUN_ENDED
from runs.jobs.notices.noting import note
from runs.jobs.notices.sending import deliver
from runs.models import Delivery
from tests.browser.axe import troubles
from tests.people import client_of
from tests.receiving import receiving
from tests.runs.noticed import notice

pytestmark = pytest.mark.browser


def test_a_webhook_that_fails_twice_gets_its_notice(
    open_as, transactional_db, administrator, team, live_server, errors, settings
):
    settings.ENDPOINT_HOSTS = ["127.0.0.1"]
    boss = open_as(client_of(administrator), "/team/default/")
    with receiving(500, 503, 200) as receiver:
        boss.get_by_role("link", name="Webhooks").click()
        boss.get_by_label("Address").fill(receiver.url)
        boss.get_by_label("A run ended").check()
        boss.get_by_role("button", name="Add the webhook").click()
        expect(boss.get_by_text("The secret of the new webhook")).to_be_visible()
        assert troubles(boss) == {}
        note(notice(team, [administrator]))
        pk = Delivery.objects.get().pk
        boss.get_by_role("link", name=receiver.url).click()
        for error in ("The address answered 500.", "The address answered 503."):
            deliver(pk)
            boss.reload()
            expect(boss.get_by_text(error)).to_be_visible()
        deliver(pk)
        boss.reload()
        expect(boss.get_by_text("Arrived")).to_be_visible()
    assert len(receiver.taken) == 3

    boss.get_by_role("link", name="Notifications: 1 unread").click()
    expect(boss.get_by_text("New", exact=True)).to_be_visible()
    note(notice(team, [administrator]))
    expect(boss.locator("#bell")).to_have_text("2")
    boss.get_by_role("button", name="Mark all as read").click()
    expect(boss.get_by_role("link", name="Notifications", exact=True)).to_have_text("")
    boss.get_by_role("link", name="nightly ended.").first.click()
    expect(boss.get_by_role("heading", level=1)).to_have_text("Runs")
    boss.goto(f"{live_server.url}/notifications/")
    expect(boss.get_by_text("New", exact=True)).to_have_count(0)
    assert errors == []


def test_the_pages_are_accessible_in_both_themes_and_fit_on_a_phone(
    open_as, transactional_db, administrator, team, live_server, settings, tmp_path
):
    settings.SMTP = "smtp://mail.example.org"
    page = open_as(client_of(administrator), "/notifications/")
    note(notice(team, [administrator], kind=RUN_ENDED))
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            for name, address in (
                ("list", "/notifications/"),
                ("hooks", "/team/default/webhooks/"),
                ("account", "/account/"),
            ):
                page.goto(f"{live_server.url}{address}")
                assert troubles(page) == {}
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
                page.screenshot(path=tmp_path / f"{name}-{theme}-{width}.png", full_page=True)
