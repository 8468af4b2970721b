"""A conversation whose user is played by a script, a model and a person, followed and answered in a browser."""

import re

import pytest
from django.conf import settings
from playwright.sync_api import expect

from runs.jobs.tasks import execute_trials
from runs.launch.launching import launch
from runs.models import Agent, Connection, HumanTurn, Run, Trial
from tests.browser.axe import troubles
from tests.corpora import ROOT, corpus_folder
from tests.people import client_of
from tests.runs.conftest import agents, local_endpoints  # noqa: F401
from tests.runs.connections import make_connection
from tests.runs.studio_packs import publish_text

pytestmark = pytest.mark.browser
OURS = ROOT / "tests" / "fixtures" / "conversations" / "late-ferry.yaml"
DESK = {
    "Ferry F-77 was late and I missed my train. What now?": "That is no matter of ours.",
    "I am tired.": "I hear you.",
    "And my train?": "A new ticket is there tomorrow.",
    "I want a free cabin.": "A cabin I cannot give.",
    "Thank you.": "You get a voucher by mail.",
}


def roles(request):
    """The model of the desk answers what it was told last; the passenger's speaks in turn."""
    said = [message["content"] for message in request["messages"] if message["role"] != "system"]
    if request["model"] == "passenger":
        return "I am tired." if len(said) == 3 else "And my train?"
    return DESK.get(said[-1], "Your refund is on its way.")


@pytest.fixture
def desk(transactional_db, team, model_server, local_endpoints):
    """An agent that a model plays; the same connection answers for the passenger."""
    model_server.answer = roles
    make_connection(team, model_server, model_list=[{"name": "desk"}, {"name": "passenger"}])
    config = {"connection": "models", "model": "desk"}
    return Agent.objects.create(team=team, name="desk", kind="chat", config=config)


def start(page, base, version, agent):
    """Start a run on its page, and work it off until nothing is left to do without a person."""
    page.goto(f"{base}/runs/new/?version={version.pk}&agent={agent.pk}")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/runs/\d+/$"))
    run = Run.objects.get()
    execute_trials(run.pk)
    return run


def test_a_person_answers_in_the_page_and_the_replay_shows_every_turn(
    open_as, live_server, administrator, team, desk, errors
):
    version = publish_text(team, administrator, OURS.read_text(), slug="late-ferry")
    page = open_as(client_of(administrator), "/")
    run = start(page, live_server.url, version, desk)

    page.get_by_role("link", name="missed-train").first.click()
    expect(page.locator(".said").filter(has_text="A new ticket is there tomorrow.")).to_be_visible()
    expect(page.locator(".turn").filter(has_text="press").first).to_contain_text("I am tired.")
    expect(page.get_by_text("left to answer")).to_be_visible()
    page.get_by_label("What the user says").fill("I want a free cabin.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_label("What the user says")).to_have_count(0)
    execute_trials(run.pk)

    expect(page.locator("#result")).to_contain_text("Passed")
    expect(page.locator(".turn")).to_have_count(5)
    page.goto(f"{live_server.url}/replays/{Trial.objects.get().pk}/")
    heads = page.locator(".replay__turn")
    assert heads.all_inner_texts() == [
        "Turn 1 · open · played by a script",
        "Turn 2 · press · played by a model",
        "Turn 3 · press · played by a model",
        "Turn 4 · takeover · played by a person",
        "Turn 5 · goodbye · played by a script",
    ]
    expect(page.locator(".steprow").filter(has_text="I want a free cabin.")).to_have_count(1)
    expect(page.locator(".steprow").filter(has_text="mismatch")).to_have_count(1)
    assert errors == []


@pytest.fixture
def asked(administrator, team, desk):
    """A turn that waits for a person."""
    version = publish_text(team, administrator, OURS.read_text(), slug="late-ferry")
    execute_trials(launch(administrator, version, [desk]).pk)
    return HumanTurn.objects.get()


def test_without_javascript_an_answer_is_taken_and_one_that_comes_too_late_is_kept(
    new_context, live_server, administrator, asked, author
):
    context = new_context(java_script_enabled=False, base_url=live_server.url)
    session = client_of(author).cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.goto(f"/turns/{asked.pk}/")
        page.get_by_label("What the user says").fill(f"I am {'first' if page is first else 'second'}.")
    first.get_by_role("button", name="Send").click()
    expect(first.get_by_text("Your answer was sent")).to_be_visible()
    second.get_by_role("button", name="Send").click()
    expect(second.get_by_text("I am first.")).to_be_visible()
    expect(second.get_by_label("What you wrote was not sent")).to_have_value("I am second.")


def test_the_corpus_example_is_played_to_its_end(open_as, live_server, administrator, team, desk):
    text = (corpus_folder("challenge-pack") / "multi-turn-refund-recovery.yaml").read_text()
    version = publish_text(team, administrator, text, slug="refund")
    connection = Connection.objects.get()
    connection.model_list = [*connection.model_list, {"name": "claude-haiku-4-5-20251001"}]
    connection.save()
    page = open_as(client_of(administrator), "/")
    run = start(page, live_server.url, version, desk)
    page.goto(f"{live_server.url}/turns/")
    page.get_by_role("link", name="wrong-order-pushback").click()
    page.get_by_label("What the user says").fill("When do I get it?")
    page.get_by_role("button", name="Send").click()
    page.wait_for_url("**/runs/trials/*/")
    execute_trials(run.pk)
    expect(page.locator("#result")).to_contain_text("Your refund is on its way.")
    trial = Trial.objects.get()
    done = trial.events.get(event_type="conversation.completed").payload
    assert (done["stop_reason"], done["human_turn_count"], done["turn_count"]) == ("completed", 1, 2)


def test_the_pages_of_a_turn_are_accessible_and_fit_on_a_phone(open_as, live_server, administrator, asked):
    page = open_as(client_of(administrator), "/turns/")
    for path in ("/turns/", f"/turns/{asked.pk}/", f"/runs/trials/{asked.trial_id}/", "/"):
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(f"{live_server.url}{path}")
        assert troubles(page) == {}, path
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
