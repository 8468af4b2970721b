import pytest
from django.urls import reverse

from runs.agents import AGENTS
from runs.models import Connection
from runs.views.agents.kinds import PROVIDERS

pytestmark = pytest.mark.django_db


def choices(page):
    return [choice for group in page.context["groups"] for choice in group.choices]


def test_every_kind_of_agent_is_offered_once_and_leads_to_its_own_form(as_administrator, team):
    page = as_administrator.get(reverse("runs:agent-kinds"))
    offered = choices(page)
    assert sorted(choice.name for choice in offered) == sorted(AGENTS)
    for choice in offered:
        form = as_administrator.get(choice.url)
        assert (form.status_code, form.context["agent"].kind) == (200, choice.name)


def test_a_kind_says_what_it_is_for_with_a_sentence_and_an_example(as_administrator, team):
    page = as_administrator.get(reverse("runs:agent-kinds"))
    purposes = [group.purpose for group in page.context["groups"]]
    assert purposes[0] == "A model answers"
    assert all(choice.kind["says"].endswith(".") and choice.kind["example"] for choice in choices(page))


def test_a_kind_that_cannot_run_here_says_why(as_administrator, team, settings):
    settings.SANDBOX, settings.ALLOW_LOCAL_COMMANDS = "local", False
    [command] = [each for each in choices(as_administrator.get(reverse("runs:agent-kinds"))) if each.name == "command"]
    assert command.note


def test_only_administrators_see_the_gallery(as_author, as_stranger, agents):
    assert as_author.get(reverse("runs:agent-kinds")).status_code == 403
    assert as_stranger.get(f"{reverse('runs:agent-kinds')}?team=default").status_code == 404


def test_a_new_connection_begins_with_what_its_provider_has(as_administrator, team):
    offered = choices(as_administrator.get(reverse("runs:connection-new")))
    assert sorted(choice.name for choice in offered) == sorted(PROVIDERS)
    [chosen] = [choice for choice in offered if choice.name == "openai"]
    form = as_administrator.get(chosen.url).context["form"]
    assert form["base_url"].value() == "https://api.openai.com/v1"
    as_administrator.post(chosen.url, {name: form[name].value() or "" for name in form.fields} | {"name": "mine"})
    made = Connection.objects.get()
    assert (made.name, made.provider, made.has_responses) == ("mine", "openai", True)


def test_a_connection_to_another_address_begins_empty(as_administrator, team):
    form = as_administrator.get(f"{reverse('runs:connection-new')}?kind=other").context["form"]
    assert form["base_url"].value() in (None, "")
