"""Pages of verdicts."""

from xml.etree import ElementTree

import pytest
from django.urls import reverse

from packs.access import Role
from runs.jobs.gating.checks import judge, keep
from runs.models import GateCheck, Release
from tests.people import client_of, make_member
from tests.runs.gated import gated_run, publish_suites
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

MERGE = "ci_merge_gate"
CALL = {"type": "tool.call.failed", "payload": {"tool_name": "wire", "arguments": {}, "error": "no"}}
POLICY = {
    "suites": ["golden", "adversarial", "failure_replays"],
    "fail_on": ["golden_regression"],
    "baseline": "target_branch",
    "blocking": "on",
}


@pytest.fixture
def suites(team, author):
    return publish_suites(team, author)


@pytest.fixture
def check(suites, author):
    """A red verdict, because of one golden task."""
    keep(judge(gated_run(author, suites), MERGE))
    run = gated_run(author, suites, capital_1={"output": "Madrid", "events": [CALL]})
    return keep(judge(run, MERGE), author)


def page(client, check, name="gate-check", **query):
    return client.get(reverse(f"runs:{name}", args=[check.pk]), query)


def test_a_verdict_leads_from_the_condition_to_the_trial_that_decided_it(check, as_author):
    text = page(as_author, check).content.decode()
    first = check.run.trials.filter(case_key="capital_1").first()
    assert 'id="condition-golden_regression"' in text
    assert reverse("runs:failing-step", args=[first.pk]) in text


def test_what_failed_stands_first_and_the_rest_can_be_filtered(check, as_author):
    assert page(as_author, check).context["members"][0]["task_id"] == "capital_1"
    found = page(as_author, check, verdict="pass", suite="adversarial").context["members"]
    assert [member["task_id"] for member in found] == ["attack_1"]
    assert page(as_author, check, q="INCID").context["members"][0]["suite"] == "failure_replays"


def test_a_trial_opens_at_the_first_step_that_shows_trouble(check, as_author):
    trial = check.run.trials.filter(case_key="capital_1").first()
    answer = page(as_author, trial, "failing-step")
    shown = as_author.get(answer.url)
    assert shown.context["step"]
    assert "wire" in shown.content.decode()


def test_a_trial_without_trouble_on_its_way_opens_where_it_was_judged(suites, author, as_author):
    trial = gated_run(author, suites, capital_1="Madrid").trials.filter(case_key="capital_1").first()
    answer = page(as_author, trial, "failing-step")
    assert "step=" in answer.url
    assert as_author.get(answer.url).status_code == 200


def test_junit_is_a_download(check, as_author):
    answer = page(as_author, check, "gate-junit")
    assert ElementTree.fromstring(answer.content).get("name") == MERGE


def test_another_policy_is_shown_beside_the_verdict_and_not_kept(check, as_author):
    address = reverse("runs:gate-preview", args=[check.pk])
    assert as_author.get(address).status_code == 200
    answer = as_author.post(address, {**POLICY, "fail_on": []})
    assert answer.context["result"].verdict == "pass"
    assert GateCheck.objects.filter(run=check.run).count() == 1


def test_a_policy_that_makes_no_sense_keeps_what_was_typed(check, as_author):
    answer = as_author.post(reverse("runs:gate-preview", args=[check.pk]), {**POLICY, "threshold-golden": "all"})
    assert answer.status_code == 422
    assert ("golden", "all") in answer.context["form"].thresholds


def test_a_gate_is_asked_from_the_page_of_a_run(suites, author, as_author):
    old, new = gated_run(author, suites), gated_run(author, suites)
    address = reverse("runs:run-gates", args=[new.pk])
    answer = as_author.post(address, {"gate": MERGE, "baseline": f"#{old.pk}"})
    made = GateCheck.objects.get(run=new)
    assert (answer.url, made.baseline) == (reverse("runs:gate-check", args=[made.pk]), old)
    assert made in [row["check"] for row in as_author.get(address).context["rows"]]


@pytest.mark.parametrize("odd", [{"gate": "hotfix"}, {"gate": MERGE, "baseline": "99999"}])
def test_what_cannot_be_asked_is_refused_with_a_reason(suites, author, as_author, odd):
    run = gated_run(author, suites)
    answer = as_author.post(reverse("runs:run-gates", args=[run.pk]), odd)
    assert (answer.status_code, bool(answer.context["trouble"])) == (422, True)


def test_a_curator_names_the_release_that_was_made_with_a_run(check, team):
    curator = client_of(make_member(team, Role.CURATOR))
    curator.post(reverse("runs:gate-release", args=[check.pk]), {"name": "2.4.0"})
    assert Release.objects.get().run == check.run
    assert "2.4.0" in page(curator, check).content.decode()


def test_a_curator_takes_a_release_off_its_run(check, team, author, suites):
    row = Release.objects.create(pack=check.pack, run=check.run, name="2.4.0")
    elsewhere = Release.objects.create(pack=check.pack, run=gated_run(author, suites), name="2.5.0")
    curator = client_of(make_member(team, Role.CURATOR))

    def take_off(client, release):
        return client.post(reverse("runs:gate-release-delete", args=[check.pk, release.pk])).status_code

    assert reverse("runs:gate-release-delete", args=[check.pk, row.pk]) in page(curator, check).text
    assert (take_off(client_of(author), row), take_off(curator, elsewhere)) == (403, 404)
    assert take_off(curator, row) == 302
    assert list(Release.objects.all()) == [elsewhere]
    assert "2.4.0 was removed from this run" in page(curator, check).text


def test_a_later_verdict_on_the_same_run_is_pointed_out(check, as_author):
    again = keep(judge(work_off(check.run), MERGE))
    assert page(as_author, check).context["newer"] == again
    assert page(as_author, again).context["newer"] is None


def test_a_task_without_a_verdict_tells_what_kept_its_trials_from_counting(suites, author, as_author):
    run = gated_run(author, suites)
    broken = run.trials.filter(case_key="capital_1")
    broken.update(status="error", fault="machine", score=None, error="no judge answers")
    check = keep(judge(run, MERGE))
    member = page(as_author, check, q="capital_1").context["members"][0]
    assert member["verdict"] == "incomplete"
    assert {trial["reason"] for trial in member["reasons"]} == {"no judge answers"}


def test_a_baseline_is_chosen_from_the_runs_of_the_pack_that_have_ended(suites, author, as_author):
    old, new = gated_run(author, suites), gated_run(author, suites)
    shown = as_author.get(reverse("runs:run-gates", args=[new.pk]))
    assert [run.pk for run in shown.context["others"]] == [old.pk]
    answer = as_author.post(reverse("runs:run-gates", args=[new.pk]), {"gate": MERGE, "baseline": old.pk})
    assert GateCheck.objects.get(pk=int(answer.url.split("/")[-2])).baseline == old


def test_the_pass_rate_of_a_suite_with_open_tasks_has_no_colour(suites, author, as_author):
    run = gated_run(author, suites)
    assert "share--part" not in page(as_author, keep(judge(run, MERGE))).content.decode()
    run.trials.filter(case_key="attack_1").update(status="error")
    text = page(as_author, keep(judge(run, MERGE))).content.decode()
    assert text.count("share--part") == 1
