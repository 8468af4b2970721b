"""A run and a pack are deleted and brought back."""

import pytest
from playwright.sync_api import expect

from runs.launch.launching import launch, seed_agents
from runs.models import Agent, Run
from tests.browser.axe import troubles
from tests.people import client_of
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.browser


def test_a_run_and_a_pack_are_deleted_and_brought_back(
    open_as, transactional_db, administrator, team, live_server, errors
):
    version = publish_text(team, administrator, pack_text({"default": 2}))
    seed_agents(team, administrator)
    work_off(launch(administrator, version, [Agent.objects.get(team=team, name="echo")]))
    run = Run.objects.get()
    page = open_as(client_of(administrator), f"/runs/{run.pk}/")
    for path, name in ((f"/runs/{run.pk}/", str(run)), ("/packs/default/parcels/", "Parcels")):
        page.goto(live_server.url + path)
        page.get_by_role("link", name="Delete", exact=True).click()
        expect(page.get_by_text("Trials: 2")).to_be_visible()
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert troubles(page) == {}
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.set_viewport_size({"width": 1440, "height": 900})
        page.get_by_role("button", name="Delete", exact=True).click()
        expect(page.locator(".item__title").get_by_text(name)).to_be_visible()
        for width in (390, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            assert troubles(page) == {}
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.request.get(live_server.url + path).status == 404
        page.get_by_role("button", name="Bring back").click()
        expect(page.get_by_text("The bin is empty.")).to_be_visible()
        assert page.request.get(live_server.url + path).status == 200
    assert errors == []
