import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from packs.access import Role
from runs.launch.launching import launch
from runs.models import Agent, Run
from tests.people import client_of, make_member
from tests.runs.connections import make_connection
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def send(client, method, path, data=None, **headers):
    body = {} if data is None else {"data": json.dumps(data), "content_type": "application/json"}
    return getattr(client, method)(f"/api/v1/{path}", headers=headers or None, **body)


def codes(response):
    return [finding["code"] for finding in response.json()["findings"]]


def wanted(version, *agents, **more):
    return {
        "challenge_pack_version_id": version.pk,
        "agent_deployment_ids": [agent.pk for agent in agents],
        **more,
    }


@pytest.fixture
def finished(author, version, agents):
    return work_off(launch(author, version, [agents["echo"], agents["empty"]]))


def test_a_run_is_started_and_says_how_its_input_set_was_chosen(as_author, version, agents):
    response = send(as_author, "post", "runs/", wanted(version, agents["echo"], trials=2, ci_metadata={"sha": "1"}))
    assert response.status_code == 201
    shown = response.json()
    assert (shown["input_set"], shown["selection"]) == ("default", "only_one")
    assert (shown["execution_mode"], shown["trial_count"]) == ("single_agent", 6)
    assert shown["metadata"] == {"sha": "1"}
    assert send(as_author, "get", f"runs/{shown['id']}/").json()["id"] == shown["id"]


def test_who_answers_for_a_model_is_chosen_by_id_or_by_name(as_author, version, agents, team, model_server):
    own = make_connection(team, model_server, name="own")
    for given in (own.pk, "own"):
        chosen = {"judge-1": {"connection": given, "model": "small"}}
        response = send(as_author, "post", "runs/", wanted(version, agents["echo"], connections=chosen))
        run = Run.objects.get(pk=response.json()["id"])
        assert run.connections == {"judge-1": {"connection": own.pk, "model": "small"}}
    refused = send(as_author, "post", "runs/", wanted(version, agents["echo"], connections={"judge-1": {}}))
    assert codes(refused) == ["invalid_connections"]


def test_the_same_idempotency_key_starts_one_run(as_author, version, agents):
    given = wanted(version, agents["echo"])
    key = {"Idempotency-Key": "once"}
    first, second = (send(as_author, "post", "runs/", given, **key) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"]
    assert Run.objects.count() == 1


def test_an_idempotency_key_with_another_body_is_refused(as_author, version, agents):
    key = {"Idempotency-Key": "once"}
    send(as_author, "post", "runs/", wanted(version, agents["echo"]), **key)
    refused = send(as_author, "post", "runs/", wanted(version, agents["echo"], trials=3), **key)
    assert (refused.status_code, codes(refused)) == (409, ["idempotency_key_reused"])
    assert Run.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_requests_with_one_key_at_once_one_says_that_it_made_the_run(author, version, agents):
    at_once = Barrier(2)

    def start(_):
        client = client_of(author)
        at_once.wait()
        try:
            key = {"Idempotency-Key": "race"}
            return send(client, "post", "runs/", wanted(version, agents["echo"]), **key).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(start, range(2))) == [200, 201]
    assert Run.objects.count() == 1


def test_refusals_carry_the_codes_of_the_format(as_author, sets_version, version, agents, team):
    echo = agents["echo"]
    refusals = {
        "missing_challenge_input_set_id": wanted(sets_version, echo),
        "invalid_challenge_input_set_id": wanted(sets_version, echo, challenge_input_set_id=987654),
        "invalid_challenge_pack_version_id": {**wanted(version, echo), "challenge_pack_version_id": 987654},
        "invalid_agent_deployment_ids": {**wanted(version), "agent_deployment_ids": [987654]},
        "invalid_max_iterations": wanted(version, echo, max_iterations=5000),
        "invalid_race_context": wanted(version, echo, race_context=True),
        "invalid_request": wanted(version, echo, colour="red"),
    }
    for code, data in refusals.items():
        response = send(as_author, "post", "runs/", data)
        assert (response.status_code, codes(response)) == (400, [code])
    assert codes(send(as_author, "post", "runs/", wanted(version))) == ["invalid_agent_deployment_ids"]
    assert codes(send(as_author, "post", "runs/", [])) == ["invalid_request"]


@pytest.fixture
def version(team, author):
    """Beside `sets_version` in one team, so under a slug of its own."""
    return publish_text(team, author, pack_text({"default": 3}, slug="single"), slug="single")


def test_a_missing_choice_of_input_set_names_the_choices(as_author, sets_version, agents):
    [finding] = send(as_author, "post", "runs/", wanted(sets_version, agents["echo"])).json()["findings"]
    assert finding["path"] == "challenge_input_set_id"
    assert "small" in finding["hint"]
    assert "large" in finding["hint"]


def test_an_input_set_is_named_by_id_or_key(as_author, sets_version, agents):
    by_id = wanted(sets_version, agents["echo"], challenge_input_set_id=sets_version.input_sets.get(key="large").pk)
    by_key = wanted(sets_version, agents["echo"], input_set="large")
    for data in (by_id, by_key):
        assert send(as_author, "post", "runs/", data).json()["input_set"] == "large"


def test_runs_are_listed_newest_first_and_filtered(as_author, author, version, agents):
    first, second = (launch(author, version, [agents["echo"]]) for _ in range(2))
    listed = send(as_author, "get", "runs/").json()["results"]
    assert [row["id"] for row in listed] == [second.pk, first.pk]
    work_off(first)
    assert [row["id"] for row in send(as_author, "get", "runs/?status=completed").json()["results"]] == [first.pk]
    assert send(as_author, "get", "runs/?pack=other").json()["results"] == []


def test_a_list_of_runs_costs_the_same_however_long_it_is(
    as_author, author, version, agents, django_assert_max_num_queries
):
    for _ in range(8):
        launch(author, version, [agents["echo"], agents["empty"]])
    with django_assert_max_num_queries(8):
        send(as_author, "get", "runs/")


def test_cancelling_is_accepted_once(as_author, author, version, agents):
    run = launch(author, version, [agents["echo"]])
    response = send(as_author, "post", f"runs/{run.pk}/cancel/")
    assert (response.status_code, response.json()["status"]) == (202, "cancelled")
    assert codes(send(as_author, "post", f"runs/{run.pk}/cancel/")) == ["api.run_has_ended"]


def test_trials_are_paged_and_filtered(as_author, finished):
    page = send(as_author, "get", f"runs/{finished.pk}/trials/?limit=4").json()
    assert len(page["results"]) == 4
    assert page["next"]
    failed = send(as_author, "get", f"runs/{finished.pk}/trials/?status=failed").json()["results"]
    assert len(failed) == 3
    agent = finished.agents.get(name="echo").pk
    of_agent = send(as_author, "get", f"runs/{finished.pk}/trials/?run_agent={agent}&case_key=case-0001").json()
    assert len(of_agent["results"]) == 1
    assert send(as_author, "get", f"runs/{finished.pk}/trials/?run_agent=x").status_code == 400


def test_a_trial_tells_grades_events_scorecard_and_stored_document(as_author, finished):
    trial = finished.trials.filter(run_agent__name="echo").first()
    shown = send(as_author, "get", f"trials/{trial.pk}/").json()
    assert shown["grades"][0]["verdict"] == "pass"
    events = send(as_author, "get", f"trials/{trial.pk}/events/?limit=2").json()
    assert [event["sequence_number"] for event in events["results"]] == [1, 2]
    assert events["results"][0]["event_type"] == "system.run.started"
    assert events["results"][0]["summary"]["case_key"] == trial.case_key
    second = as_author.get(events["next"]).json()
    assert second["results"][0]["sequence_number"] == 3
    card = send(as_author, "get", f"trials/{trial.pk}/scorecard/").json()
    assert (card["state"], card["scorecard"]["passed"]) == ("ready", True)
    stored = send(as_author, "get", f"trials/{trial.pk}/stored/").json()
    assert stored["document"]["case_key"] == trial.case_key


def test_a_replay_is_read_in_windows(as_author, finished):
    trial = finished.trials.first()
    whole = send(as_author, "get", f"trials/{trial.pk}/replay/").json()
    assert whole["state"] == "ready"
    assert whole["pagination"] == {"limit": 50, "total_steps": 3, "has_more": False}
    assert "steps" not in whole["replay"]["summary"]
    part = send(as_author, "get", f"trials/{trial.pk}/replay/?cursor=1&limit=1").json()
    assert part["steps"] == whole["steps"][1:2]
    assert part["pagination"]["next_cursor"] == 2
    scoring = send(as_author, "get", f"trials/{trial.pk}/replay/?types=scoring").json()
    assert [step["type"] for step in scoring["steps"]] == ["scoring"]
    assert send(as_author, "get", f"trials/{trial.pk}/replay/?q=No+such+text").json()["steps"] == []
    for wrong in ("limit=0", "limit=201", "cursor=-1", "cursor=x"):
        assert send(as_author, "get", f"trials/{trial.pk}/replay/?{wrong}").status_code == 400


def test_a_replay_that_is_not_there_yet_is_pending(as_author, author, version, agents):
    trial = launch(author, version, [agents["echo"]]).trials.first()
    for part in ("replay", "scorecard"):
        response = send(as_author, "get", f"trials/{trial.pk}/{part}/")
        assert (response.status_code, response.json()["state"]) == (202, "pending")


def test_a_trial_that_ended_without_one_has_no_scorecard(as_author, author, version, agents):
    run = launch(author, version, [agents["echo"]])
    send(as_author, "post", f"runs/{run.pk}/cancel/")
    for part in ("replay", "scorecard"):
        assert send(as_author, "get", f"trials/{run.trials.first().pk}/{part}/").status_code == 409


def test_exports_are_files(as_author, finished):
    for kind, start in (("json", b'{"run"'), ("jsonl", b'{"run"'), ("junit", b"<?xml"), ("html", b"<!doctype html")):
        response = send(as_author, "get", f"runs/{finished.pk}/export/?as={kind}")
        assert b"".join(response.streaming_content).lower().startswith(start)
        assert response["Content-Disposition"].startswith("attachment")
    assert send(as_author, "get", f"runs/{finished.pk}/export/?as=pdf").status_code == 400


def test_administrators_manage_agents(as_administrator, team):
    given = {"name": "fixed", "kind": "scripted", "config": {"default": "hub"}}
    response = send(as_administrator, "post", "agents/", given)
    assert response.status_code == 201
    pk = response.json()["id"]
    assert send(as_administrator, "post", "agents/", given).status_code == 409
    changed = send(as_administrator, "patch", f"agents/{pk}/", {"is_active": False, "config": {"default": "x"}})
    assert (changed.json()["is_active"], changed.json()["config"]) == (False, {"default": "x"})
    assert send(as_administrator, "delete", f"agents/{pk}/").status_code == 204
    assert send(as_administrator, "get", f"agents/{pk}/").status_code == 404


def test_a_configuration_that_does_not_fit_is_refused_at_its_place(as_administrator, team):
    given = {"name": "cat", "kind": "command", "config": {"arguments": "cat"}}
    response = send(as_administrator, "post", "agents/", given)
    assert response.status_code == 422
    assert [(finding["code"], finding["path"]) for finding in response.json()["findings"]] == [
        ("agent.E001", "config.arguments")
    ]


def test_kinds_of_agents_say_what_they_need_and_whether_they_can_run(as_author, settings):
    # Programs cannot be confined by it, and nobody allowed them to run without.
    settings.SANDBOX = "local"
    kinds = {row["kind"]: row for row in send(as_author, "get", "agents/kinds/").json()}
    assert kinds["echo"]["available"]
    assert not kinds["command"]["available"]
    assert kinds["command"]["reason"]
    assert kinds["scripted"]["schema"]["properties"]["default"]


def paths_of(run, agent):
    trial = run.trials.first().pk
    return [
        ("get", f"runs/{run.pk}/"),
        ("get", f"runs/{run.pk}/agents/"),
        ("get", f"runs/{run.pk}/trials/"),
        ("get", f"runs/{run.pk}/export/"),
        ("get", f"run-agents/{run.agents.first().pk}/"),
        ("get", f"agents/{agent.pk}/"),
        *(
            ("get", f"trials/{trial}/{part}")
            for part in ("", "events/", "replay/", "transcript/", "scorecard/", "stored/")
        ),
        ("post", f"runs/{run.pk}/cancel/"),
        ("patch", f"agents/{agent.pk}/"),
        ("delete", f"agents/{agent.pk}/"),
    ]


def test_strangers_find_nothing(as_stranger, finished, version, agents):
    for method, path in paths_of(finished, agents["echo"]):
        assert send(as_stranger, method, path, {} if method == "patch" else None).status_code == 404, path
    assert send(as_stranger, "get", "runs/").json()["results"] == []
    assert send(as_stranger, "get", "agents/?team=default").json()["results"] == []
    response = send(as_stranger, "post", "runs/", wanted(version, agents["echo"]))
    assert codes(response) == ["invalid_challenge_pack_version_id"]
    assert Agent.objects.filter(name="echo").exists()


def test_nobody_is_asked_to_sign_in(as_nobody, finished, agents):
    for method, path in paths_of(finished, agents["echo"]):
        assert send(as_nobody, method, path, {} if method == "patch" else None).status_code in (401, 403), path


def test_roles_may_do_what_they_are_for(team, author, administrator, version, agents):
    members = {Role.AUTHOR: author, Role.ADMINISTRATOR: administrator}
    members |= {role: make_member(team, role) for role in (Role.VIEWER, Role.REVIEWER, Role.CURATOR)}
    may_run = {Role.AUTHOR, Role.CURATOR, Role.ADMINISTRATOR}
    for role, user in members.items():
        client = client_of(user)
        started = send(client, "post", "runs/", wanted(version, agents["echo"]))
        assert started.status_code == (201 if role in may_run else 403), role
        assert send(client, "get", "runs/").status_code == 200
        run = launch(None, version, [agents["echo"]])
        cancelled = send(client, "post", f"runs/{run.pk}/cancel/")
        assert cancelled.status_code == (202 if role in may_run else 403), role
        changed = send(client, "patch", f"agents/{agents['echo'].pk}/", {"is_active": True})
        assert changed.status_code == (200 if role == Role.ADMINISTRATOR else 403), role


def test_a_member_of_two_teams_cannot_run_one_teams_agent_on_the_others_version(
    author, other_team, version, agents, as_author
):
    make_member(other_team, Role.AUTHOR)
    foreign = Agent.objects.create(team=other_team, name="foreign", kind="echo")
    response = send(as_author, "post", "runs/", wanted(version, foreign))
    assert codes(response) == ["invalid_agent_deployment_ids"]
