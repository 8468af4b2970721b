import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.test import override_settings

from packs.access import Role
from packs.formats.task import Trials
from packs.models import VersionStatus
from runs.launch.launching import (
    MAX_CONCURRENCY,
    MAX_TRIALS,
    Options,
    add_trials,
    choose_input_set,
    chosen_plans,
    config_problems,
    launch,
    seed_agents,
)
from runs.launch.planning import Plan
from runs.launch.refusals import LaunchRefused
from runs.models import Agent, Run, Trial
from tests.people import make_member
from tests.runs.connections import make_connection
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def refusal(*args, **more):
    with pytest.raises(LaunchRefused) as caught:
        launch(*args, **more)
    assert not Run.objects.exists()
    return caught.value


def test_a_trial_is_made_for_each_case_agent_and_number(author, version, agents):
    run = launch(author, version, [agents["echo"], agents["empty"]], Options(trials=2))
    assert run.trial_count == Trial.objects.filter(run=run).count() == 12
    assert run.counts == {"queued": 12}
    places = Trial.objects.filter(run=run).values_list("case_key", "run_agent__name", "number")
    assert len(set(places)) == 12


def test_the_only_input_set_is_taken_when_none_is_given(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    assert (run.input_set.key, run.selection) == ("default", "only_one")


def test_several_input_sets_need_a_choice_and_the_choices_are_listed(author, sets_version, agents):
    error = refusal(author, sets_version, [agents["echo"]])
    assert error.code == "missing_challenge_input_set_id"
    assert [(choice["key"], choice["cases"]) for choice in error.choices] == [("small", 1), ("large", 2)]


@pytest.mark.parametrize("given", ["large", "The large set", "the LARGE set", " large "])
def test_an_input_set_is_found_by_key_or_name(sets_version, given):
    found, selection = choose_input_set(sets_version, given)
    assert (found.key, selection) == ("large", "given")


def test_an_input_set_is_found_by_its_id(sets_version):
    wanted = sets_version.input_sets.get(key="small")
    assert choose_input_set(sets_version, str(wanted.pk)) == (wanted, "given")


def test_a_key_wins_over_the_name_of_another_set(team, author):
    text = pack_text({"small": 1, "large": 1}, names={"small": "large"})
    assert choose_input_set(publish_text(team, author, text), "large")[0].key == "large"


def test_two_sets_of_one_name_are_refused_with_just_those_as_choices(author, team, agents):
    text = pack_text({"a": 1, "b": 1, "c": 1}, names={"a": "Same", "c": "same"})
    error = refusal(author, publish_text(team, author, text), [agents["echo"]], Options(input_set="same"))
    assert error.code == "invalid_challenge_input_set_id"
    assert len(error.choices) == 2


def test_an_input_set_of_another_version_is_refused(author, team, sets_version, agents):
    other = publish_text(team, author, pack_text({"other": 1}, slug="other"), slug="other")
    wanted = str(other.input_sets.get().pk)
    assert refusal(author, sets_version, [agents["echo"]], Options(input_set=wanted)).code == (
        "invalid_challenge_input_set_id"
    )


def test_a_version_without_input_sets_runs_one_trial_without_a_case(author, bare_version, agents):
    run = launch(author, bare_version, [agents["echo"]])
    assert (run.input_set, run.selection) == (None, "none")
    assert Trial.objects.get(run=run).case is None
    error = refusal_of_set(author, bare_version, agents)
    assert error.code == "invalid_challenge_input_set_id"


def refusal_of_set(author, version, agents):
    with pytest.raises(LaunchRefused) as caught:
        launch(author, version, [agents["echo"]], Options(input_set="any"))
    return caught.value


@pytest.mark.parametrize("status", [VersionStatus.ARCHIVED, VersionStatus.DEPRECATED])
def test_only_a_runnable_version_is_run(author, version, agents, status):
    type(version).objects.filter(pk=version.pk).update(status=status)
    version.refresh_from_db()
    assert refusal(author, version, [agents["echo"]]).code == "invalid_challenge_pack_version_id"


@pytest.mark.parametrize("role", [Role.VIEWER, Role.REVIEWER])
def test_who_may_not_run_is_refused(team, version, agents, role):
    assert refusal(make_member(team, role), version, [agents["echo"]]).code == "invalid_challenge_pack_version_id"


def test_a_stranger_is_refused(stranger, version, agents):
    assert refusal(stranger, version, [agents["echo"]]).code == "invalid_challenge_pack_version_id"


def test_agents_must_be_given_once_active_and_of_the_team(author, stranger, other_team, version, agents):
    code = "invalid_agent_deployment_ids"
    echo = agents["echo"]
    foreign = Agent.objects.create(team=other_team, name="foreign", kind="echo")
    retired = Agent.objects.create(team=version.pack.team, name="retired", kind="echo", is_active=False)
    for given in ([], [echo, echo], [foreign], [retired]):
        assert refusal(author, version, given).code == code


def test_commands_run_only_where_an_administrator_switched_them_on(author, version, team, agents):
    command = Agent.objects.create(team=team, name="cat", kind="command", config={"arguments": ["cat"]})
    with override_settings(SANDBOX="local", ALLOW_LOCAL_COMMANDS=False):
        assert refusal(author, version, [command]).code == "agent_unavailable"
    with override_settings(ALLOW_LOCAL_COMMANDS=True):
        assert launch(author, version, [command]).trial_count == 3


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (Options(max_iterations=0), "invalid_max_iterations"),
        (Options(max_iterations=1001), "invalid_max_iterations"),
        (Options(trials=0), "invalid_trials"),
        (Options(trials=101), "invalid_trials"),
    ],
)
def test_numbers_out_of_range_are_refused(author, version, agents, options, code):
    assert refusal(author, version, [agents["echo"]], options).code == code


def test_the_same_idempotency_key_gives_the_same_run(author, version, agents):
    options = Options(idempotency_key="once")
    first = launch(author, version, [agents["echo"]], options)
    assert launch(author, version, [agents["echo"]], options) == first
    assert launch(author, version, [agents["echo"]]) != first


def chat_agent(team, **more):
    config = {"connection": "models", "model": "small"}
    return Agent.objects.create(team=team, name="model", kind="chat", config=config, **more)


@pytest.mark.parametrize("sets", [{"default": 1}, {}])
def test_a_research_pack_needs_an_endpoint_that_takes_such_tasks(author, team, model_server, sets):
    version = publish_text(team, author, pack_text(sets, mode="responses"))
    connection, agent = make_connection(team, model_server), chat_agent(team)
    assert refusal(author, version, [agent]).code == "unsupported_mode"
    connection.has_responses = True
    connection.save()
    assert launch(author, version, [agent]).agents.get().connection == connection


@pytest.mark.parametrize("change", [{"is_active": False}, {"name": "other"}])
def test_an_agent_without_a_connection_in_use_is_refused(author, team, version, model_server, change):
    make_connection(team, model_server, **change)
    assert refusal(author, version, [chat_agent(team)]).code == "agent_unavailable"


CONVERSATION = """\
      - challenge_key: locate
        case_key: talk
        user_simulator:
          schema_version: 1
          kind: hybrid
          phases:
            - {phase}
        expectations: [{{key: answer, kind: text, value: hub}}]
"""
SCRIPTED = "{id: open, actor: scripted, turns: [{message: Hello}]}"


def test_a_conversation_whose_user_nobody_can_play_is_refused(author, team, agents):
    case = CONVERSATION.format(phase="{id: open, actor: llm, persona: Angry, model: gpt}")
    version = publish_text(team, author, pack_text({"default": case}, mode="multi_turn"))
    assert refusal(author, version, [agents["echo"]]).code == "no_connection"


def test_a_person_may_play_the_user_for_any_agent_that_converses(author, team, agents):
    case = CONVERSATION.format(phase="{id: open, actor: human, persona: Angry}")
    version = publish_text(team, author, pack_text({"default": case}, mode="multi_turn"))
    assert launch(author, version, [agents["echo"]]).trial_count == 1


@override_settings(ALLOW_LOCAL_COMMANDS=True)
def test_an_agent_that_cannot_converse_is_refused_for_a_conversation(author, team, agents):
    version = publish_text(team, author, pack_text({"default": CONVERSATION.format(phase=SCRIPTED)}, mode="multi_turn"))
    command = Agent.objects.create(team=team, name="cat", kind="command", config={"arguments": ["cat"]})
    assert refusal(author, version, [command]).code == "incompatible_mode"
    assert launch(author, version, [agents["echo"]]).trial_count == 1


def test_a_run_keeps_the_agents_configuration_as_it_was(author, version, team):
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config={"default": "hub"})
    run = launch(author, version, [agent])
    Agent.objects.filter(pk=agent.pk).update(config={"default": "elsewhere"})
    assert run.agents.get().config == {"default": "hub"}


def test_seeding_agents_twice_changes_nothing(team, administrator):
    seed_agents(team, administrator)
    seed_agents(team, administrator)
    assert sorted(Agent.objects.values_list("name", flat=True)) == ["echo", "empty", "reference"]


def test_a_configuration_is_checked_by_the_schema_of_its_kind():
    assert list(config_problems("command", {"arguments": ["cat"]})) == []
    assert [pointer for pointer, _ in config_problems("scripted", {"delay_seconds": -1})] == ["/delay_seconds"]
    assert list(config_problems("echo", {"x": 1})) != []


def test_every_code_of_launching_and_grading_is_documented():
    sources = ("launch/launching.py", "management/grading.py", "api/launches/requests.py", "api/agents/agents.py")
    root = Path(__file__).parents[3]
    text = "".join((root / "runs" / name).read_text() for name in sources)
    codes = set(
        re.findall(
            r'"((?:invalid|missing|unsupported|incompatible)_[a-z_]+|agent_unavailable|(?:outputs|agent)\.E\d+)"', text
        )
    )
    documented = (root / "docs" / "runs.md").read_text()
    assert len(codes) > 12
    assert sorted(code for code in codes if f"`{code}`" not in documented) == []


def test_more_trials_join_those_that_are_there(author, version, agents):
    run = work_off(launch(author, version, [agents["echo"], agents["empty"]]))
    ended = set(run.trials.values_list("pk", "finished_at"))
    assert add_trials(run, 2) == 12
    assert work_off(run).counts == {"passed": 9, "failed": 9}
    assert (run.trials_per_case, run.trial_count) == (3, 18)
    assert set(run.trials.values_list("number", flat=True)) == {1, 2, 3}
    assert ended <= set(run.trials.values_list("pk", "finished_at"))


@pytest.mark.parametrize("count", [0, -1, MAX_TRIALS])
def test_no_more_trials_are_added_than_a_case_can_have(author, version, agents, count):
    run = work_off(launch(author, version, [agents["echo"]]))
    with pytest.raises(LaunchRefused) as refused:
        add_trials(run, count)
    assert refused.value.code == "invalid_trials"
    assert run.trials.count() == 3


def test_how_many_trials_are_at_work_at_once_is_chosen_at_launch(author, version, agents, settings):
    assert launch(author, version, [agents["echo"]]).concurrency == settings.RUN_CONCURRENCY
    assert launch(author, version, [agents["echo"]], Options(concurrency=32)).concurrency == 32
    for concurrency in (0, MAX_CONCURRENCY + 1):
        with pytest.raises(LaunchRefused) as refused:
            launch(author, version, [agents["echo"]], Options(concurrency=concurrency))
        assert refused.value.code == "invalid_concurrency"


def test_a_pack_that_wants_more_trials_of_a_case_than_a_run_may_have_is_refused(version):
    case = version.cases.first()
    plan = Plan(case, Trials(), MAX_TRIALS)
    assert chosen_plans([plan], None) == [plan]
    with pytest.raises(LaunchRefused, match=f"'{case.key}' wants {MAX_TRIALS + 1} trials"):
        chosen_plans([replace(plan, count=MAX_TRIALS + 1)], None)
