import pytest
from django.urls import reverse

from packs.models import Case
from runs.models import FailureGroup, Grade, StoredProof, Trial
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def pack(team, author, version):
    run = run_with(team, author, version, {"bot": ["f", "f", "p"]})
    run_with(team, author, version, {"bot": ["p", "f", "p"]})
    Grade.objects.filter(trial__run=run).update(verdict="fail", score=0.0, reason="expected 'hub'")
    Grade.objects.exclude(trial__run=run).update(verdict="fail", score=0.0, reason="expected 'port'")
    return version.pack


def at(name, pack, *more):
    return reverse(f"runs:{name}", args=[pack.team.slug, pack.slug, *more])


def group_of(client, pack):
    return client.get(at("causes", pack)).context["groups"][0]


def test_groups_are_listed_and_can_be_narrowed_to_a_run(as_author, pack):
    group = group_of(as_author, pack)
    assert (group.trials, group.runs) == (3, 2)
    run = Trial.objects.earliest("pk").run_id
    assert as_author.get(at("causes", pack), {"run": run}).context["groups"][0].trials == 2
    assert "expected" in as_author.get(at("causes", pack)).content.decode()


def test_each_failure_leads_to_a_trial_that_passed_the_same_case(as_author, pack):
    rows = as_author.get(at("cause", pack, group_of(as_author, pack).digest)).context["rows"]
    passed = Trial.objects.get(case_key="case-0000", status="passed")
    besides = {trial.case_key: beside for trial, _, beside, _ in rows}
    assert besides["case-0000"].startswith(f"{reverse('runs:replay-compare')}?a={passed.pk}&b=")
    assert besides["case-0001"] == ""


def test_cases_that_are_not_proven_are_marked(as_author, pack, version):
    def marked():
        rows = as_author.get(at("cause", pack, group_of(as_author, pack).digest)).context["rows"]
        return {trial.case_key: mark and tuple(mark) for trial, _, _, mark in rows}

    assert set(marked().values()) == {None}
    loose = version.cases.get(key="case-0000")
    found = {"code": "accepts_empty", "message": "It accepts an empty answer.", "probe": "an empty answer"}
    proof = {"digest": "x", "state": "refuted", "revision": 1, "document": {"reasons": [found]}}
    StoredProof.objects.create(pack=pack, version=version, node=loose.pk, **proof)
    assert marked() == {"case-0000": ("refuted", True), "case-0001": ("unproven", False)}
    shown = as_author.get(at("cause", pack, group_of(as_author, pack).digest)).content.decode()
    assert "accepts a wrong answer" in shown


def test_failures_are_grouped_by_tool_and_by_step_with_the_names_and_cases_that_others_have(as_author, pack):
    failed = Trial.objects.filter(case_key="case-0000", status="failed").get()
    last = failed.events.order_by("-sequence").first()
    called = {"tool_name": "price", "error": "Unknown item 'PX-1'"}
    stated = {"source": "tools", "occurred_at": last.occurred_at, "payload": called}
    failed.events.filter(event_type="system.output.finalized").update(event_type="tool.call.failed", **stated)

    def listed(by):
        return as_author.get(at("causes", pack), {"by": by}).context["causes"]

    assert [(one.kind, one.source, one.text) for one in listed("tool").groups] == [
        ("tool", "price", "Unknown item <text>")
    ]
    assert listed("tool").apart == 2
    (group,) = listed("step").groups
    assert (group.kind, group.text, group.trials) == ("step", "price in place of the final answer", 1)
    page = at("cause", pack, group.digest)
    assert as_author.get(page).status_code == 404
    ((_, _, beside, _),) = as_author.get(page, {"by": "step"}).context["rows"]
    assert "row=" in beside
    as_author.post(at("cause-name", pack, group.digest), {"name": "Asks the price", "by": "step"})
    assert listed("step").groups[0].title == "Asks the price"
    said = as_author.post(at("cause-cases", pack, group.digest), {"by": "step"}, follow=True).content.decode()
    assert "1 case was made in the draft." in said


def test_a_group_gets_a_name_and_loses_it(as_author, pack):
    digest = group_of(as_author, pack).digest
    as_author.post(at("cause-name", pack, digest), {"name": " Wrong place "})
    assert group_of(as_author, pack).title == "Wrong place"
    as_author.post(at("cause-name", pack, digest), {"name": ""})
    assert not FailureGroup.objects.exists()


def test_cases_are_made_of_each_case_that_failed_and_once(as_author, pack):
    digest, before = group_of(as_author, pack).digest, Case.objects.count()
    said = as_author.post(at("cause-cases", pack, digest), follow=True).content.decode()
    assert "2 cases were made in the draft." in said
    assert Case.objects.count() == before + 2
    again = as_author.post(at("cause-cases", pack, digest), follow=True).content.decode()
    assert "Of 2 the draft has one already." in again
    assert Case.objects.count() == before + 2


def test_a_group_that_is_not_there_is_not_found(as_author, pack):
    assert as_author.get(at("cause", pack, "nothing")).status_code == 404
