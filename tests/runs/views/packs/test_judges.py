import pytest
from django.urls import reverse

from packs.access import Role
from runs.models import JudgeStandard
from tests.people import client_of, make_member
from tests.runs.calibrated import calibrated_run, judged_suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def version(team, administrator, local_endpoints):
    return judged_suite(team, administrator)


def addressed(name, version):
    return reverse(name, args=[version.pack.team.slug, version.pack.slug])


def test_the_trials_on_which_they_differ_are_one_click_away(as_administrator, administrator, version, model_server):
    run = calibrated_run(version, administrator, model_server, ["pp"] * 4 + ["ff"] * 4 + ["fp", "fp", "pf"])
    answer = as_administrator.get(addressed("runs:judges", version))
    assert {each.trial.run_id for each in answer.context["page"]} == {run.pk}
    text = answer.content.decode()
    for each in answer.context["page"]:
        assert f'href="{reverse("runs:trial", args=[each.trial.pk])}#judges"' in text
    assert "4 of 6" in text
    assert "80% (4 of 5" not in text
    assert "Disagrees with people" in text


def test_a_curator_sets_the_standard_and_an_author_may_not(team, administrator, version, model_server):
    calibrated_run(version, administrator, model_server, ["pp"])
    address = addressed("runs:judge-standard", version)
    curator, author = (client_of(make_member(team, role)) for role in (Role.CURATOR, Role.AUTHOR))
    assert author.post(address, {"least": "0.9"}).status_code == 403
    curator.post(address, {"least": "0.8"})
    curator.post(address, {"least": "2"})
    curator.post(address, {"least": "much"})
    assert JudgeStandard.objects.get(pack=version.pack).least_kappa == 0.8
    assert 'value="0.8"' in curator.get(addressed("runs:judges", version)).content.decode()


def test_a_pack_without_labels_says_what_is_missing(as_administrator, administrator, version, model_server):
    calibrated_run(version, administrator, model_server, ["?p"])
    text = as_administrator.get(addressed("runs:judges", version)).content.decode()
    assert "No judge can be compared with people yet" in text
