import json

import pytest
from django.urls import reverse

from packs.access import Role
from runs.models import Run
from tests.people import client_of, make_member
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.suites import publish_suite, task
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db
NEW = "runs:new"


def post(client, version, **fields):
    return client.post(reverse(NEW), {"version": version.pk, "trials": "1", **fields})


def test_an_only_input_set_is_chosen_and_several_leave_the_choice_open(as_author, agents, version):
    assert [card["chosen"] for card in as_author.get(reverse(NEW), {"version": version.pk}).context["sets"]] == [True]


def test_of_several_input_sets_none_is_chosen_unless_the_address_says_which(as_author, agents, sets_version):
    page = as_author.get(reverse(NEW), {"version": sets_version.pk})
    assert [card["chosen"] for card in page.context["sets"]] == [False, False]
    assert page.context["forecast"]["needs_set"]
    page = as_author.get(reverse(NEW), {"version": sets_version.pk, "set": "large"})
    assert [card["chosen"] for card in page.context["sets"]] == [False, True]


def test_a_version_without_input_sets_is_run_once(as_author, agents, bare_version):
    page = as_author.get(reverse(NEW), {"version": bare_version.pk})
    assert page.context["sets"] == []
    assert page.context["forecast"]["total"] == 1
    post(as_author, bare_version, agent=agents["echo"].pk)
    assert Run.objects.get().selection == "none"


def test_two_clicks_start_a_run_that_completes(as_author, agents, version):
    page = as_author.get(reverse(NEW), {"version": version.pk})
    chosen = [card["row"].pk for card in page.context["agents"] if card["chosen"]]
    assert chosen == [agents["reference"].pk]
    assert b'name="set" value=""' in b" ".join(page.content.split())
    answer = post(as_author, version, set="", agent=chosen)
    run = Run.objects.get()
    assert run.selection == "only_one"
    assert answer.url == reverse("runs:show", args=[run.pk])
    assert work_off(run).counts == {"passed": 3}
    assert f"Run {run.pk} was started." in as_author.get(f"/runs/{run.pk}/").text


def test_the_page_says_how_many_trials_will_run_and_how_to_start_them_elsewhere(as_author, agents, version):
    params = {
        "version": version.pk,
        "nonce": "n",
        "set": "default",
        "agent": [agents["echo"].pk, agents["empty"].pk],
        "trials": "4",
    }
    part = as_author.get(reverse(NEW), params, headers={"HX-Request": "true"})
    forecast = part.context["forecast"]
    assert forecast["total"] == 24
    command = "manage.py run start parcels@1 --input-set default --agent echo --agent empty --trials 4"
    assert forecast["command"] == command
    assert json.loads(forecast["call"])["agent_deployment_ids"] == [agents["echo"].pk, agents["empty"].pk]
    assert b"<html" not in part.content


def test_the_last_run_of_the_pack_fills_in_the_page(as_author, agents, version):
    post(as_author, version, set="default", agent=[agents["echo"].pk, agents["empty"].pk], trials="7")
    page = as_author.get(reverse(NEW), {"version": version.pk})
    assert {card["row"].name for card in page.context["agents"] if card["chosen"]} == {"echo", "empty"}
    assert page.context["choice"].trials == "7"


def test_an_agent_in_the_address_is_chosen(as_author, agents, version):
    page = as_author.get(reverse(NEW), {"version": version.pk, "agent": agents["empty"].pk})
    assert [card["row"].name for card in page.context["agents"] if card["chosen"]] == ["empty"]


def test_a_pack_in_the_address_means_its_newest_version(as_author, agents, version):
    assert as_author.get(reverse(NEW), {"pack": "default/parcels"}).context["version"] == version


@pytest.mark.parametrize(
    ("fields", "code", "place"),
    [
        ({"set": "default"}, "invalid_agent_deployment_ids", "agents"),
        ({"set": "other"}, "invalid_challenge_input_set_id", "sets"),
        ({"trials": "0"}, "invalid_trials", "trials"),
        ({"trials": "many"}, "invalid_trials", "trials"),
        ({"limit": "99999"}, "invalid_max_iterations", "limit"),
    ],
)
def test_a_refusal_stands_where_it_belongs_and_keeps_what_was_given(as_author, agents, version, fields, code, place):
    given = {**({} if code == "invalid_agent_deployment_ids" else {"agent": agents["echo"].pk}), "name": "mine"}
    answer = post(as_author, version, **given, **fields)
    assert answer.status_code == 422
    assert (answer.context["refused"].code, answer.context["place"]) == (code, place)
    assert answer.context["choice"].name == "mine"
    assert not Run.objects.exists()


def test_of_several_input_sets_one_must_be_named(as_author, agents, sets_version):
    answer = post(as_author, sets_version, agent=agents["echo"].pk)
    assert answer.context["refused"].code == "missing_challenge_input_set_id"


def test_a_form_sent_twice_starts_one_run_and_a_changed_one_another(as_author, agents, version):
    for trials in ("1", "1", "2"):
        post(as_author, version, set="default", agent=agents["echo"].pk, trials=trials, nonce="abc")
    assert Run.objects.count() == 2


def test_programs_are_offered_only_when_an_administrator_switched_them_on(as_author, agents, version, team, settings):
    agents["echo"].kind, agents["echo"].config = "command", {"arguments": ["true"]}
    agents["echo"].save()
    for is_on in (False, True):
        settings.SANDBOX, settings.ALLOW_LOCAL_COMMANDS = "local", is_on
        cards = as_author.get(reverse(NEW), {"version": version.pk}).context["agents"]
        card = next(card for card in cards if card["row"].kind == "command")
        assert bool(card["reason"]) is not is_on


def test_without_a_version_the_packs_that_can_be_run_are_listed(as_author, as_stranger, agents, version):
    assert [pack.slug for pack in as_author.get(reverse(NEW)).context["packs"]] == ["parcels"]
    assert list(as_stranger.get(reverse(NEW)).context["packs"]) == []


def test_names_from_packs_are_escaped(as_author, agents, team, author):
    hostile = {"default": "<script>alert(1)</script>"}
    version = publish_text(team, author, pack_text({"default": 1}, names=hostile), slug="hostile")
    assert b"<script>alert" not in as_author.get(reverse(NEW), {"version": version.pk}).content


def test_strangers_find_nothing_and_readers_may_not_start(as_stranger, team, agents, version):
    assert as_stranger.get(reverse(NEW), {"version": version.pk}).status_code == 404
    assert post(as_stranger, version, agent=agents["echo"].pk).status_code == 404
    reader = client_of(make_member(team, Role.VIEWER))
    assert reader.get(reverse(NEW), {"version": version.pk}).status_code == 403
    assert post(reader, version, agent=agents["echo"].pk).status_code == 403


@pytest.mark.parametrize("given", ["x", "9" * 40, "0"])
def test_a_version_that_does_not_exist_is_not_found(as_author, given):
    assert as_author.get(reverse(NEW), {"version": given}).status_code == 404


def test_limits_of_a_run_are_chosen_and_told_as_command_and_call(as_author, version, agents):
    given = {"version": version.pk, "agent": agents["echo"].pk, "trials": 1}
    limits = {"at_once": "3", "cost": "2.5", "tokens": "900"}
    shown = as_author.get("/runs/new/", {**given, **limits}).content.decode()
    assert "--concurrency 3 --max-cost 2.5 --max-tokens 900" in shown
    assert "total_tokens" in shown
    as_author.post("/runs/new/", {**given, **limits})
    run = Run.objects.get()
    assert (run.concurrency, run.budgets) == (3, {"cost_usd": 2.5, "total_tokens": 900})


@pytest.mark.parametrize("wrong", [{"at_once": "0"}, {"cost": "much"}, {"cost": "nan"}, {"tokens": "1.5"}])
def test_a_wrong_limit_stays_in_the_form(as_author, version, agents, wrong):
    given = {"version": version.pk, "agent": agents["echo"].pk, "trials": 1, **wrong}
    answer = as_author.post("/runs/new/", given)
    assert answer.context["place"] == "limit"
    assert next(iter(wrong.values())) in answer.content.decode()
    assert not Run.objects.exists()


def test_a_pack_that_says_how_often_it_is_tried_is_counted_case_by_case_and_runs_all_sets(team, agents):
    user = make_member(team, Role.CURATOR)
    version = publish_suite(team, user, task(), task("adversarial", "resists_1", trials={"k": 4}))
    client = client_of(user)
    given = {"version": version.pk, "agent": agents["echo"].pk}
    page = client.get(reverse(NEW), given)
    assert (page.context["choice"].trials, page.context["all_sets"]) == ("", "all")
    shown = client.get(reverse(NEW), {**given, "nonce": "n", "set": "all", "trials": ""}).context["forecast"]
    assert (shown["cases"], shown["total"], shown["needs_set"]) == (2, 7, False)
    assert "--input-set all" in shown["command"]
    assert "--trials" not in shown["command"]
    once = client.get(reverse(NEW), {**given, "nonce": "n", "set": "all", "trials": "1"}).context["forecast"]
    assert (once["total"], "--trials 1" in once["command"]) == (2, True)
    done = client.post(reverse(NEW), {**given, "set": "all", "trials": ""})
    run = Run.objects.get()
    assert done.status_code == 302
    assert (run.selection, run.trial_count) == ("all", 7)
    # The same again: as the pack says, and all sets.
    client.post(reverse("runs:again", args=[run.pk]))
    assert Run.objects.filter(selection="all", trial_count=7).count() == 2
