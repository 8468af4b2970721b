"""From an endpoint to an agent that answers, as an administrator does it."""

import pytest
from playwright.sync_api import expect

from runs.models import Agent, Connection
from tests.browser.axe import troubles
from tests.people import client_of
from tests.runs.conftest import local_endpoints  # noqa: F401

pytestmark = pytest.mark.browser
KEY = "sk-planted-4711-do-not-show"


@pytest.fixture
def as_manager(transactional_db, administrator, local_endpoints):
    return client_of(administrator)


def test_an_administrator_adds_an_endpoint_tests_it_and_makes_an_agent_of_it(open_as, as_manager, model_server, errors):
    model_server.reply("It lies at the Leeds hub.")
    page = open_as(as_manager, "/agents/new/chat/")
    page.get_by_role("link", name="Add a connection").click()
    page.get_by_role("option", name="OpenAI-compatible endpoint").click()
    page.get_by_label("Name", exact=True).fill("Local models")
    page.get_by_label("Address").fill(model_server.url)
    page.get_by_label("Key (optional)").fill(KEY)
    page.get_by_label("Models (optional)").fill("small 0.15 0.6")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Local models")
    page.get_by_role("button", name="Test").click()
    answer = page.locator("#test-answer")
    expect(answer).to_contain_text("It lies at the Leeds hub.")
    expect(answer).to_contain_text("7 in, 3 out")
    assert KEY not in page.content()

    page.goto(page.url.partition("/connections/")[0] + "/agents/new/chat/")
    page.get_by_label("Name", exact=True).fill("small model")
    page.get_by_label("Connection").select_option("Local models")
    page.get_by_label("Model", exact=True).fill("small")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("small model")
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#try pre")).to_have_text("It lies at the Leeds hub.")
    made = Agent.objects.get().config
    assert (made["connection"], made["model"], made["max_steps"]) == ("Local models", "small", 50)
    assert errors == []


def test_an_endpoint_that_does_not_answer_is_told_beside_the_form(open_as, as_manager, team, model_server):
    connection = Connection.objects.create(team=team, name="models", base_url="http://127.0.0.1:9/v1", max_retries=0)
    page = open_as(as_manager, f"/connections/{connection.pk}/")
    page.get_by_label("Model", exact=True).fill("small")
    page.get_by_role("button", name="Test").click()
    expect(page.locator("#test-answer .notice")).to_contain_text("cannot be reached")


def test_the_pages_are_accessible_in_both_themes_and_fit_on_a_phone(
    open_as, as_manager, live_server, team, model_server
):
    long = [{"name": f"provider/a-model-with-a-long-name-{number}"} for number in range(5)]
    connection = Connection.objects.create(team=team, name="models", base_url=f"{model_server.url}/x", model_list=long)
    as_manager.post("/secrets/", {"team": team.pk, "name": "TRACKER_" * 8, "value": "planted-4711"})
    page = open_as(as_manager, "/connections/")
    for path in (
        "/connections/",
        "/connections/new/",
        f"/connections/{connection.pk}/",
        "/secrets/",
        "/agents/new/chat/",
    ):
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(live_server.url + path)
        assert troubles(page) == {}, path
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
