import sys

import pytest
from django.urls import reverse

from packs.access import Role
from runs.launch.launching import launch
from runs.models import Agent
from tests.people import client_of, make_member
from tests.runs.connections import make_connection

pytestmark = pytest.mark.django_db
SCRIPTED = {"name": "parrot", "config_default": '"At the hub"', "config_delay_seconds": "0"}


def make(client, kind="scripted", **fields):
    return client.post(reverse("runs:agent-new", args=[kind]), {**SCRIPTED, **fields})


def test_an_administrator_makes_an_agent_of_a_kind(as_administrator, team):
    answer = make(as_administrator)
    agent = Agent.objects.get()
    assert answer.url == reverse("runs:agent", args=[agent.pk])
    assert (agent.team, agent.kind, agent.config) == (team, "scripted", {"default": "At the hub", "delay_seconds": 0})


def test_a_changed_configuration_does_not_touch_runs_that_started(as_administrator, author, version):
    make(as_administrator)
    agent = Agent.objects.get()
    run = launch(author, version, [agent])
    as_administrator.post(reverse("runs:agent", args=[agent.pk]), {**SCRIPTED, "config_default": '"Elsewhere"'})
    agent.refresh_from_db()
    assert agent.config["default"] == "Elsewhere"
    assert run.agents.get().config["default"] == "At the hub"


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"config_default": "{no json"}, "config_default", "no_json"),
        ({"config_delay_seconds": "-4"}, "config_delay_seconds", "agent.E001"),
        ({"name": "echo"}, "name", "agent.E002"),
        ({"name": ""}, "name", "required"),
    ],
)
def test_what_does_not_fit_is_said_at_its_field_and_nothing_is_lost(as_administrator, agents, fields, field, code):
    answer = make(as_administrator, **fields)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert [error.code for error in form.errors.as_data()[field]] == [code]
    assert form[field].value() == fields[field]
    assert Agent.objects.count() == len(agents)


def test_an_agent_out_of_use_is_kept_and_comes_back(as_administrator, agents):
    url = reverse("runs:agent-state", args=[agents["echo"].pk])
    for state in ("false", "true"):
        as_administrator.post(url, {"active": state})
        assert Agent.objects.get(name="echo").is_active is (state == "true")


def test_trying_an_agent_shows_its_answer_and_stores_nothing(as_administrator, agents):
    url = reverse("runs:agent-test", args=[agents["echo"].pk])
    trial = as_administrator.post(url, {"message": "Say <b>this</b>"})
    assert trial.context["trial"].answer == "Say <b>this</b>"
    assert b"<b>this" not in trial.content


def test_trying_an_agent_that_fails_shows_why(as_administrator, team):
    agent = Agent.objects.create(team=team, name="mute", kind="scripted", config={"answers": {"one": "1"}})
    url = reverse("runs:agent-test", args=[agent.pk])
    assert as_administrator.post(url).context["trial"].outcome.error
    assert as_administrator.post(url, {"case_key": "one"}).context["trial"].answer == "1"


def test_a_program_is_tried_only_when_programs_are_switched_on(as_administrator, team, settings):
    config = {"arguments": [sys.executable, "-c", "print('done')"]}
    agent = Agent.objects.create(team=team, name="program", kind="command", config=config)
    url = reverse("runs:agent-test", args=[agent.pk])
    settings.SANDBOX, settings.ALLOW_LOCAL_COMMANDS = "local", False
    assert as_administrator.post(url).status_code == 403
    settings.ALLOW_LOCAL_COMMANDS = True
    assert as_administrator.post(url).context["trial"].answer == "done"


def test_members_read_agents_and_only_administrators_change_them(as_author, agents):
    pk = agents["echo"].pk
    assert {agent.name for agent in as_author.get(reverse("runs:agents")).context["agents"]} == set(agents)
    assert as_author.get(reverse("runs:agent", args=[pk])).status_code == 200
    assert as_author.post(reverse("runs:agent", args=[pk]), {"name": "mine"}).status_code == 403
    assert as_author.post(reverse("runs:agent-state", args=[pk]), {"active": "false"}).status_code == 403
    assert as_author.post(reverse("runs:agent-test", args=[pk])).status_code == 403
    assert make(as_author).status_code == 403


def test_a_stranger_finds_no_agent_and_no_team(as_stranger, agents):
    assert list(as_stranger.get(reverse("runs:agents")).context["agents"]) == []
    assert as_stranger.get(reverse("runs:agent", args=[agents["echo"].pk])).status_code == 404
    assert make(as_stranger, team="default").status_code == 404


def test_a_kind_that_does_not_exist_is_not_found(as_administrator):
    assert make(as_administrator, "oracle").status_code == 404


def test_a_reader_sees_no_way_to_make_agents(team, agents):
    page = client_of(make_member(team, Role.VIEWER)).get(reverse("runs:agents"))
    assert not page.context["teams"]


def test_the_list_needs_no_more_queries_for_more_agents(as_administrator, team, django_assert_max_num_queries):
    Agent.objects.bulk_create(Agent(team=team, name=str(number), kind="echo") for number in range(40))
    with django_assert_max_num_queries(12):
        as_administrator.get(reverse("runs:agents"))


def test_whoever_makes_the_first_chat_agent_is_led_to_connections(as_administrator, team, model_server):
    page = as_administrator.get(reverse("runs:agent-new", args=["chat"]))
    assert page.context["form"].lacks_connections
    assert reverse("runs:connection-new") in page.content.decode()
    make_connection(team, model_server)
    assert not as_administrator.get(reverse("runs:agent-new", args=["chat"])).context["form"].lacks_connections


def test_how_many_trials_of_an_agent_are_at_work_at_once_is_part_of_it(as_administrator, agents):
    address = f"/agents/{agents['echo'].pk}/"
    as_administrator.post(address, {"name": "echo", "concurrency": "2"})
    agents["echo"].refresh_from_db()
    assert agents["echo"].concurrency == 2
    assert as_administrator.post(address, {"name": "echo", "concurrency": "0"}).status_code == 422
    as_administrator.post(address, {"name": "echo", "concurrency": ""})
    agents["echo"].refresh_from_db()
    assert agents["echo"].concurrency is None
