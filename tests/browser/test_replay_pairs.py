"""Two replays side by side, as people read them: choose, go from difference to difference, open what is equal."""

import re

import pytest
from playwright.sync_api import expect

from runs.launch.launching import launch
from runs.models import Agent
from tests.browser.axe import troubles
from tests.browser.keys import press_in_sequence
from tests.people import client_of
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.browser


def called(number, found="parcels:\n- a\n- b\n"):
    payload = {"tool_name": f"tool{number}", "arguments": {"van": number}, "result": {"content": found}}
    return {"type": "tool.call.completed", "payload": payload}


def said(words, tokens):
    usage = {"input_tokens": tokens, "output_tokens": 5, "cost_usd": tokens / 1000}
    return {"type": "model.call.completed", "payload": {"model": "small", "output_text": words, "usage": usage}}


@pytest.fixture
def as_curator(transactional_db, administrator):
    return client_of(administrator)


@pytest.fixture
def trials(as_curator, team, administrator):
    """Two trials of a case in one run: the second found other parcels, called a tool more and said something else."""
    version = publish_text(team, administrator, pack_text({"default": 1}))
    calls = [called(number) for number in range(12)]
    changed = [*calls[:9], called(9, "parcels:\n- a\n- c\n"), *calls[10:], called(12)]
    stories = {
        "first": [*calls, said("They are at the hub.", 40), called(20)],
        "second": [*changed, said("They are at the port.", 55), called(20)],
    }
    agents = [
        Agent.objects.create(
            team=team, name=name, kind="scripted", config={"default": {"output": "hub", "events": events}}
        )
        for name, events in stories.items()
    ]
    return list(work_off(launch(administrator, version, agents)).trials.order_by("pk"))


def test_two_replays_are_read_from_difference_to_difference_by_keys_alone(open_as, as_curator, trials, errors):
    page = open_as(as_curator, f"/replays/{trials[0].pk}/")
    page.keyboard.press("c")
    page.get_by_role("link", name="second, trial 1").press("Enter")
    page.wait_for_url(re.compile(r"/replays/compare/\?a=\d+&b=\d+$"))
    title, status = page.locator("#step-title"), page.get_by_role("status").first
    press_in_sequence(page, "g", "g", until=title.filter(has_text="Run completed"))
    page.keyboard.press("f")
    expect(title).to_contain_text("tool9")
    expect(page.locator("#step del")).to_have_text("- b\n")
    expect(page.locator("#step ins")).to_have_text("- c\n")
    page.keyboard.press("]")
    expect(title).to_contain_text("tool12")
    expect(status).to_contain_text("2 of 2")
    page.keyboard.press("j")
    expect(title).to_contain_text("Model call")
    expect(page.locator("#replay-list [aria-current]")).to_contain_text("+15 tokens")
    page.reload()
    expect(title).to_contain_text("Model call")
    page.keyboard.press("[")
    expect(title).to_contain_text("tool12")
    assert errors == []


def test_a_fold_opens_at_its_first_step_and_all_of_them_by_a_key(open_as, as_curator, trials):
    page = open_as(as_curator, f"/replays/compare/?a={trials[0].pk}&b={trials[1].pk}")
    folds = page.locator(".replay__fold")
    before = folds.count()
    folds.first.press("Enter")
    expect(folds).to_have_count(before - 1)
    expect(page.locator("#step-title")).to_contain_text("tool1")
    assert "open=" in page.url
    page.keyboard.press("o")
    expect(folds).to_have_count(0)


def test_two_replays_and_their_choice_are_accessible_and_fit_on_a_phone(open_as, as_curator, live_server, trials):
    page = open_as(as_curator, "/runs/")
    a, b = (trial.pk for trial in trials)
    for path in (f"?a={a}", f"?a={a}&b={b}", f"?a={a}&b={b}&row=14"):
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(f"{live_server.url}/replays/compare/{path}")
            assert troubles(page) == {}, (path, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    sides = [page.locator("#step .sides").first.locator(":scope > *").nth(place).bounding_box() for place in (0, 1)]
    assert sides[0]["y"] + sides[0]["height"] <= sides[1]["y"]
