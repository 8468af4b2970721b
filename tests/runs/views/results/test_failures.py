import re

import pytest
from django.urls import reverse

from packs.access import Role
from packs.formats.provenance import OWN_KEY
from packs.models import Case, Edit, Membership, Pack
from runs.models import Trial
from tests.people import client_of, make_member
from tests.runs.failing import failing_run, publish_suite, task

pytestmark = pytest.mark.django_db


@pytest.fixture
def trial(team, author, version):
    return Trial.objects.filter(run=failing_run(team, author, version)).order_by("pk")[0]


def address(trial, query=""):
    return reverse("runs:case", args=[trial.pk]) + query


def save(client, trial, **fields):
    return client.post(address(trial), {"act": "save", **fields})


def test_the_page_proposes_the_draft_of_the_trial_s_own_pack(as_author, trial):
    answer = as_author.get(address(trial))
    context = answer.context
    assert (context["target"].slug, context["place"].key) == ("parcels", "default")
    assert context["wording"].expected == "hub"
    assert context["drafted"].key in answer.content.decode()


def test_a_saved_case_opens_in_the_workbench(as_author, trial):
    answer = save(as_author, trial)
    row = Case.objects.get(key="case-0000-replay-1")
    assert answer.status_code == 302
    assert f"/cases/{row.pk}/" in answer["Location"]
    assert as_author.get(answer["Location"]).status_code == 200


def test_looking_writes_nothing(as_author, trial):
    before = Edit.objects.count()
    answer = as_author.post(address(trial), {"title": "Lost", "request": "Where?", "expected": "Leeds"})
    assert answer.status_code == 200
    assert Edit.objects.count() == before
    assert "value: Where?" in answer.context["drafted"].text


def test_a_second_case_of_a_trial_is_saved_only_when_it_is_wanted(as_author, trial):
    save(as_author, trial)
    assert save(as_author, trial).status_code == 422
    assert not Case.objects.filter(key="case-0000-replay-2").exists()
    # The form is drawn anew with each change; what was ticked stays.
    drawn = as_author.post(address(trial), {"anyway": "1"}).content.decode()
    assert re.search(r'name="anyway"[^>]*checked', drawn)
    assert save(as_author, trial, anyway="1").status_code == 302
    assert Case.objects.filter(key="case-0000-replay-2").exists()


def test_a_case_can_go_into_a_draft_of_another_format(as_author, team, author, trial):
    pack = publish_suite(team, author, task("parcel_1")).pack
    answer = as_author.get(address(trial, f"?pack={pack.pk}"))
    assert answer.context["place"].key == "failure_replays"
    assert save(as_author, trial, pack=pack.pk, set="0").status_code == 302
    row = Case.objects.get(pack=pack, input_set__key="failure_replays")
    assert row.document[OWN_KEY]["trial"] == trial.pk


def test_the_replay_hands_over_its_step(as_author, trial):
    page = as_author.get(reverse("runs:replay", args=[trial.pk]) + "?step=3")
    assert address(trial, "?step=3") in page.content.decode()
    assert as_author.get(address(trial, "?step=3")).context["facts"]["step"] == 3


def test_an_odd_step_means_the_whole_trial(as_author, trial):
    for step in ("x", "0", "²", "9" * 40):
        assert as_author.get(address(trial, f"?step={step}")).status_code == 200


def test_drafts_of_teams_with_one_name_stand_under_their_own_team(as_author, author, other_team, team, trial):
    other_team.name = team.name
    other_team.save()
    Membership.objects.create(team=other_team, user=author, role=Role.AUTHOR)
    for owner, title in ((team, "1"), (other_team, "2"), (team, "3"), (other_team, "4")):
        Pack.objects.create(team=owner, slug=title, title=title, format="challenge_pack")
    page = as_author.get(address(trial)).content.decode()
    assert page.count("<optgroup") == 2


def test_another_team_s_draft_cannot_be_chosen(as_author, other_team, stranger, trial):
    pack = publish_suite(other_team, stranger, task("parcel_1")).pack
    assert as_author.get(address(trial, f"?pack={pack.pk}")).status_code == 404


def test_who_may_edit_no_draft_may_make_no_case(team, trial, as_stranger, as_nobody):
    viewer = client_of(make_member(team, Role.VIEWER))
    assert viewer.get(address(trial)).status_code == 403
    assert as_stranger.get(address(trial)).status_code == 404
    assert as_nobody.get(address(trial)).status_code == 302


def test_the_workbench_shows_the_provenance_and_does_not_let_it_be_changed(as_author, team, author, trial):
    pack = publish_suite(team, author, task("parcel_1")).pack
    page = save(as_author, trial, pack=pack.pk)["Location"]
    text = as_author.get(page).content.decode()
    assert reverse("runs:trial", args=[trial.pk]) in text
    assert f'name="t:/{OWN_KEY}' not in text
    row = Case.objects.get(pack=pack, input_set__key="failure_replays")
    before = row.document
    ref = f"cases/{row.pk}"
    field = reverse("packs:edit", args=[team.slug, pack.slug]) + f"{ref}/field/"
    as_author.post(
        field, {"at": "/inputs/incident_trace_ref", "seen": pack.revision, "t:/inputs/incident_trace_ref": "x"}
    )
    row.refresh_from_db()
    assert row.document == before


@pytest.mark.parametrize("trial_number", ["x", -1, True, 2**63, None])
def test_facts_that_somebody_broke_do_not_break_the_workbench(as_author, team, author, trial_number):
    broken = {OWN_KEY: {"trial": trial_number, "seal": "none"}}
    pack = publish_suite(team, author, task("parcel_1", **broken)).pack
    row = Case.objects.get(pack=pack)
    answer = as_author.get(reverse("packs:edit", args=[team.slug, pack.slug]) + f"cases/{row.pk}/")
    assert answer.status_code == 200
    assert "provenance.W001" in [found["code"] for found in row.findings]
