import json

import pytest
from django.urls import reverse

from packs.access import Role
from runs.launch.launching import launch
from runs.models import Agent, Trial
from tests.people import client_of, make_member
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def call(number):
    failed = number in (120, 240)
    result = {"content": f"found <b>{number}</b>", **({"is_error": True} if failed else {})}
    return {"type": "tool.call.completed", "payload": {"tool_name": f"tool{number}", "result": result}}


@pytest.fixture
def trial(team, author):
    version = publish_text(team, author, pack_text({"default": 1}))
    config = {"default": {"output": "hub", "events": [call(number) for number in range(250)]}}
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config=config)
    return work_off(launch(author, version, [agent])).trials.get()


def page(client, trial, query="", **headers):
    return client.get(reverse("runs:replay", args=[trial.pk]) + query, headers=headers)


def follow(client, url):
    return client.get(url).context


@pytest.mark.parametrize("name", ["replay", "events"])
def test_a_stranger_finds_no_replay(as_stranger, trial, name):
    assert as_stranger.get(reverse(f"runs:{name}", args=[trial.pk])).status_code == 404
    assert as_stranger.get(reverse("runs:event", args=[trial.pk, 1])).status_code == 404


def test_a_viewer_reads_a_replay(team, trial):
    assert page(client_of(make_member(team, Role.VIEWER)), trial).status_code == 200


def test_a_link_to_any_step_shows_that_step_in_its_window(as_author, trial):
    context = page(as_author, trial, "?step=212").context
    assert context["step"]["number"] == 212
    assert [row["number"] for row in context["rows"] if row["is_current"]] == [212]
    assert len(context["rows"]) <= 100


@pytest.mark.parametrize(("asked", "shown"), [("0", 1), ("99999999999999999999", 256), ("-4", 1), ("x", 1), ("", 1)])
def test_a_number_that_is_no_step_leads_to_the_nearest(as_author, trial, asked, shown):
    context = page(as_author, trial, f"?types=all&step={asked}").context
    assert context["step"]["number"] == min(shown, context["total"])


@pytest.mark.parametrize("first", [98, 198, 252])
def test_stepping_on_crosses_a_window_and_ends_with_the_last_step(as_author, trial, first):
    context = page(as_author, trial, f"?types=all&step={first}").context
    seen = [first]
    while context["step_after"] and len(seen) < 6:
        context = follow(as_author, context["step_after"])
        seen.append(context["step"]["number"])
    assert seen == list(range(first, min(first + 6, context["total"] + 1)))


def test_trouble_is_reached_forth_and_back(as_author, trial):
    context = page(as_author, trial).context
    first = follow(as_author, context["error_after"])
    second = follow(as_author, first["error_after"])
    assert [each["step"]["tool_name"] for each in (first, second)] == ["tool120", "tool240"]
    assert second["error_after"] == ""
    assert follow(as_author, second["error_before"])["step"]["tool_name"] == "tool120"


def test_types_narrow_the_rows_and_keep_the_numbers(as_author, trial):
    rows = page(as_author, trial, "?types=error").context["rows"]
    assert [row["done"] for row in rows] == ["tool120()", "tool240()"]
    tools = page(as_author, trial, "?types=tool,output").context
    assert {row["type"] for row in tools["rows"]} <= {"tool_call", "output"}
    assert len(tools["place"].shown) == 251


def test_a_step_of_another_type_is_shown_all_the_same(as_author, trial):
    context = page(as_author, trial, "?types=error&step=1").context
    assert (context["step"]["number"], context["is_hidden"]) == (1, True)


def test_types_that_no_step_has_leave_an_empty_list(as_author, trial):
    assert page(as_author, trial, "?types=sandbox_file").context["rows"] == []


def test_a_search_leads_to_its_hits(as_author, trial):
    context = page(as_author, trial, "?q=tool24").context
    assert (context["step"]["tool_name"], context["hit_number"]) == ("tool24", 1)
    assert len(context["place"].hits) == 11
    assert follow(as_author, context["hit_after"])["step"]["tool_name"] == "tool240"


def test_an_event_number_leads_to_its_step(as_author, trial):
    event = trial.events.get(payload__contains='"tool77"')
    assert page(as_author, trial, f"?event={event.sequence}").context["step"]["tool_name"] == "tool77"


def test_the_result_of_a_call_is_text_and_never_markup(as_author, trial):
    answer = page(as_author, trial, "?q=tool33")
    assert "<b>33</b>" not in answer.content.decode()
    assert "found <b>33</b>" in [part.text for part in answer.context["step"]["asked"]]


def test_htmx_gets_the_replay_without_the_shell(as_author, trial):
    answer = page(as_author, trial, **{"HX-Request": "true"})
    assert answer.content.decode().lstrip().startswith('<div class="replay"')


def test_all_events_leave_as_lines(as_author, trial):
    answer = as_author.get(reverse("runs:events", args=[trial.pk]))
    lines = [json.loads(line) for line in answer.getvalue().splitlines()]
    assert [line["sequence_number"] for line in lines] == list(range(1, trial.event_count + 1))


def test_one_event_is_given_whole(as_author, trial):
    event = as_author.get(reverse("runs:event", args=[trial.pk, 2])).json()
    assert (event["sequence_number"], event["trial_id"]) == (2, str(trial.pk))
    assert as_author.get(reverse("runs:event", args=[trial.pk, 9999])).status_code == 404


def test_both_ends_are_told(as_author, trial):
    ends = page(as_author, trial).context["ends"]
    assert [end["type"] for end in ends] == ["run", "scoring"]


def test_a_trial_without_events_says_why(as_author, author, version, agents):
    trial = launch(author, version, [agents["echo"]]).trials.first()
    assert page(as_author, trial).context["total"] == 0
    Trial.objects.filter(pk=trial.pk).update(status="error", fault="machine", error="no broker")
    assert page(as_author, trial).context["cause"].icon == "server-off"


def test_turns_are_told_apart_and_mismatches_marked(as_author, team, author, agents):
    turns = "[{message: Hello}, {message: Where?, expects: [{key: k, kind: contains, value: depot}]}]"
    lines = f"""\
      - challenge_key: locate
        case_key: talk
        user_simulator:
          schema_version: 1
          kind: hybrid
          phases:
            - {{id: open, actor: scripted, turns: {turns}}}
        expectations: [{{key: answer, kind: text, value: hub}}]
"""
    version = publish_text(team, author, pack_text({"default": lines}, mode="multi_turn"))
    trial = work_off(launch(author, version, [agents["echo"]])).trials.get()
    rows = page(as_author, trial, "?types=all").context["rows"]
    assert [row["turn"] for row in rows if row["turn"]] == [1, 2]
    assert any(row["mismatch"] for row in rows)
    assert [row["answer"] for row in rows if row["done"] == "User"] == ["Hello", "Where?"]


def test_a_window_costs_the_same_wherever_it_is(as_author, trial, django_assert_max_num_queries):
    for step in (1, 200):
        with django_assert_max_num_queries(12):
            page(as_author, trial, f"?step={step}")
