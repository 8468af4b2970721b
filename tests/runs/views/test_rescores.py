"""Second scorings on pages."""

import pytest

from packs.access import Role
from runs.jobs.rescoring import rescore
from runs.launch import launch
from runs.models import Rescore
from tests.people import client_of, make_member
from tests.runs.test_rescoring import EVALUATION
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(author, version, agents):
    return work_off(launch(author, version, [agents["echo"]]))


def test_a_second_scoring_is_asked_for_and_shown_beside_the_first(as_author, run):
    address = f"/runs/{run.pk}/rescores/"
    form = as_author.get(address)
    assert "answer" in form.context["evaluation"]
    answer = as_author.post(address, {"version": "1", "evaluation": EVALUATION.replace("\n", "\r\n")})
    row = Rescore.objects.get()
    assert answer.headers["Location"] == f"/runs/rescores/{row.pk}/"
    waiting = as_author.get(f"/runs/rescores/{row.pk}/")
    assert waiting.context["is_working"]
    assert "hx-get" in waiting.content.decode()
    rescore(row)
    shown = as_author.get(f"/runs/rescores/{row.pk}/")
    assert not shown.context["is_working"]
    assert [result.status for result in shown.context["page"]] == ["failed"] * 3
    assert f"/runs/rescores/{row.pk}/" in as_author.get(address).content.decode()


def test_what_has_not_changed_is_shown_when_it_is_asked_for(as_author, run):
    as_author.post(f"/runs/{run.pk}/rescores/", {"version": "1"})
    row = Rescore.objects.get()
    rescore(row)
    assert not list(as_author.get(f"/runs/rescores/{row.pk}/").context["page"])
    assert len(as_author.get(f"/runs/rescores/{row.pk}/?all=1").context["page"]) == 3


def test_a_wrong_evaluation_stays_in_the_form_with_what_is_wrong(as_author, run):
    answer = as_author.post(f"/runs/{run.pk}/rescores/", {"version": "1", "evaluation": "name: [mine"})
    assert answer.status_code == 422
    assert answer.context["wish"].findings
    assert "name: [mine" in answer.content.decode()
    assert not Rescore.objects.exists()


def test_readers_read_and_do_not_score(team, stranger, run):
    viewer = client_of(make_member(team, Role.VIEWER))
    address = f"/runs/{run.pk}/rescores/"
    assert "<textarea" not in viewer.get(address).content.decode()
    assert viewer.post(address, {}).status_code == 403
    assert client_of(stranger).get(address).status_code == 404
