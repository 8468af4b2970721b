"""Quotas where runs begin: a launch is refused before anything of it is there, everywhere with one sentence."""

import json
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.urls import reverse

from runs.launch.launching import Options, add_trials, launch
from runs.launch.refusals import LaunchRefused
from runs.models import Run, Trial
from runs.results.rescoring import RescoreRefused, Wanted, ask_rescore
from tests.people import client_of
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def limit(team, **quotas):
    for name, value in quotas.items():
        setattr(team, name, value)
    team.save()


def refused(act, *given):
    with pytest.raises(LaunchRefused) as caught:
        act(*given)
    return caught.value


def test_a_run_is_refused_whole_where_its_trials_go_over_the_quota(author, team, version, agents):
    launch(author, version, [agents["empty"]])
    limit(team, quota_trials_per_day=7)
    assert launch(author, version, [agents["echo"]]).trial_count == 3
    found = refused(launch, author, version, [agents["echo"]])
    assert (found.code, Run.objects.count()) == ("trials_quota_reached", 2)
    assert "may run 7 trials a day: 6 trials used, and this needs 3. The count starts again on" in found.message


def test_the_page_says_so_before_start_is_pressed(author, administrator, team, version, agents):
    limit(team, quota_trials_per_day=10)
    client, address = client_of(author), reverse("runs:new")
    asked = {"version": version.pk, "agent": agents["echo"].pk, "trials": 1}
    assert "0 of 10" in client.get(address, asked).text
    work_off(launch(author, version, [agents["echo"]], Options(trials=3)))
    # Pages show what was counted a moment ago.
    cache.clear()
    shown = client.get(address, asked).text
    assert f"{administrator} can raise the quota." in shown
    assert "9 trials used, and this needs 3" in shown
    answer = client.post(address, asked)
    assert (answer.status_code, Run.objects.count()) == (422, 1)
    assert "trials_quota_reached" in answer.text
    team.quota_trials_per_day = 12
    team.save()
    assert "trials_quota_reached" not in client.get(address, asked).text
    assert client.post(address, asked).status_code == 302


def test_program_and_command_get_the_sentence_of_the_page(as_author, author, team, version, agents):
    limit(team, quota_trials_per_day=2)
    message = refused(launch, author, version, [agents["echo"]]).message
    body = json.dumps({"challenge_pack_version_id": version.pk, "agent_deployment_ids": [agents["echo"].pk]})
    answer = as_author.post("/api/v1/runs/", body, content_type="application/json")
    [finding] = answer.json()["findings"]
    assert (answer.status_code, finding["code"], finding["message"]) == (403, "trials_quota_reached", message)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("run", "start", version.pack.slug, "--agent", "echo", "--json", stdout=out)
    answered = out.getvalue()
    assert message in answered
    assert "trials_quota_reached" in answered


def test_money_is_refused_by_what_earlier_runs_cost_and_no_more_than_the_budget(author, team, version, agents):
    work_off(launch(author, version, [agents["empty"]]))
    Trial.objects.update(cost_usd=2.0)
    limit(team, quota_usd_per_month=11)
    found = refused(launch, author, version, [agents["empty"]])
    assert found.code == "money_quota_reached"
    assert "may spend $11.00 a month: $6.00 spent, and this needs $6.00." in found.message
    launch(author, version, [agents["empty"]], Options(budgets={"cost_usd": 4}))
    launch(author, version, [agents["echo"]])
    limit(team, quota_usd_per_month=6)
    assert refused(launch, author, version, [agents["echo"]]).code == "money_quota_reached"


def test_a_full_store_starts_no_run(author, team, version, agents):
    limit(team, quota_storage_gb=0.0)
    assert refused(launch, author, version, [agents["echo"]]).code == "storage_quota_reached"
    assert not Run.objects.exists()


def test_more_trials_and_tries_are_refused_on_every_way(as_author, author, team, version, agents):
    run = work_off(launch(author, version, [agents["empty"]]))
    limit(team, quota_trials_per_day=5)
    run.refresh_from_db()
    assert refused(add_trials, run, 1).code == "trials_quota_reached"
    assert "needs 3" in as_author.post(reverse("runs:retry", args=[run.pk]), {"which": "failed"}, follow=True).text
    answer = as_author.post(
        f"/api/v1/runs/{run.pk}/retry/", json.dumps({"which": "failed"}), content_type="application/json"
    )
    assert (answer.status_code, answer.json()["findings"][0]["code"]) == (403, "trials_quota_reached")
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("run", "retry", str(run.pk), "--which", "failed", "--json", stdout=out)
    assert "trials_quota_reached" in out.getvalue()
    assert Run.objects.get(pk=run.pk).status == "completed"
    assert Trial.objects.count() == 3


def test_judges_are_not_asked_again_once_the_money_is_spent(author, team, version, agents):
    run = work_off(launch(author, version, [agents["empty"]]))
    limit(team, quota_usd_per_month=0)
    run.refresh_from_db()
    ask_rescore(run, author)
    with pytest.raises(RescoreRefused) as caught:
        ask_rescore(run, author, Wanted(asks="all"))
    assert caught.value.code == "money_quota_reached"
