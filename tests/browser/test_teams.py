"""People come into a team, get another role, and leave, without the administration."""

import pytest
from playwright.sync_api import expect

from packs.access import Role
from packs.models import Membership
from tests.browser.axe import troubles
from tests.people import client_of

pytestmark = pytest.mark.browser
PASSWORD = "a longer battery staple"


@pytest.fixture
def as_boss(transactional_db, administrator):
    return client_of(administrator)


def test_somebody_is_invited_makes_an_account_gets_a_role_and_leaves(
    open_as, open_apart, new_context, as_boss, team, live_server, errors, listen
):
    boss = open_as(as_boss, "/")
    boss.get_by_label("Account of").click()
    boss.get_by_role("link", name="Teams").click()
    boss.get_by_role("link", name="Default team", exact=True).click()
    boss.get_by_text("Invite people").click()
    boss.locator("#invitation_role").select_option("Viewer")
    boss.get_by_role("button", name="Make an invitation").click()
    link = boss.locator("#new-link").text_content()

    context = new_context()
    guest = context.new_page()
    listen(guest)
    guest.goto(link)
    assert troubles(guest) == {}
    guest.get_by_label("Username").fill("robin")
    guest.get_by_label("Password", exact=True).fill(PASSWORD)
    guest.get_by_label("Password confirmation").fill(PASSWORD)
    guest.get_by_role("button", name="Make an account and join").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Default team")
    expect(guest.get_by_text("You are Viewer in Default team.")).to_be_visible()
    expect(guest.get_by_text("Invite people")).to_have_count(0)

    boss.goto(f"{live_server.url}/team/default/")
    boss.get_by_label("Role of robin").select_option("Reviewer")
    boss.get_by_role("button", name="Change the role of robin").click()
    expect(boss.get_by_text("robin is Reviewer now.")).to_be_visible()
    assert Membership.objects.get(user__username="robin").role == Role.REVIEWER

    guest.reload()
    guest.get_by_role("button", name="Leave").click()
    guest.locator("#confirm").get_by_role("button", name="Leave").click()
    expect(guest.get_by_text("You are in no team yet")).to_be_visible()
    assert not Membership.objects.filter(user__username="robin").exists()
    assert errors == []


def test_the_pages_are_accessible_in_both_themes_and_fit_on_a_phone(open_as, as_boss, author, team, live_server):
    page = open_as(as_boss, "/teams/new/")
    as_boss.post("/team/default/accounts/", {"name": "nightly-pipeline-of-a-long-name", "role": "author"})
    as_boss.post("/team/default/invitations/", {"role": "viewer"})
    account = team.service_accounts.get()
    for path in ("/audit/", "/teams/", "/teams/new/", "/team/default/", f"/team/default/accounts/{account.pk}/"):
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(live_server.url + path)
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
        assert troubles(page) == {}, path
        page.set_viewport_size({"width": 390, "height": 844})
        page.screenshot(path=f"/tmp/team-{path.strip('/').replace('/', '-')}-390.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    as_author = client_of(author)
    refused = open_as(as_author, "/secrets/")
    assert troubles(refused) == {}
