"""Fixes on the pages of the workbench."""

import pytest

from packs.formats.costs import MANY_CASES
from packs.models import Case, Job
from tests.packs.drafts import draft_of, pack_text

EDIT = "/packs/default/parcels/edit/"


@pytest.fixture
def slipped(team):
    return draft_of(team, pack_text(3).replace(b" inputs:", b" inpts:"))


@pytest.fixture
def case(slipped):
    return Case.objects.filter(pack=slipped).order_by("position").first()


def test_the_page_of_a_case_offers_its_fixes(as_author, case):
    page = as_author.get(f"{EDIT}cases/{case.pk}/")
    assert f'hx-get="{EDIT}cases/{case.pk}/fixes/"' in page.text
    assert "Rename inpts to inputs" in as_author.get(f"{EDIT}cases/{case.pk}/fixes/").text


def test_a_press_applies_the_fix_and_leads_back_to_the_field(as_author, case):
    posted = {"code": "challenge_pack.W005", "at": "/inpts", "back": "node"}
    answer = as_author.post(f"{EDIT}cases/{case.pk}/fix/", posted)
    assert answer.url.startswith(f"{EDIT}cases/{case.pk}/")
    case.refresh_from_db()
    assert "inpts" not in case.document
    again = as_author.post(f"{EDIT}cases/{case.pk}/fix/", posted, follow=True)
    assert "nothing to fix here any more" in again.text


def test_the_list_of_problems_offers_fixes_alone_and_for_all_of_a_kind(as_author, slipped, case):
    page = as_author.get(f"{EDIT}problems/")
    assert f'hx-get="{EDIT}problems/fixes/' in page.text
    offered = as_author.get(f"{EDIT}problems/fixes/").text
    assert offered.count("Rename inpts to inputs</span></button>") == 3
    assert f'id="fixes-cases{case.pk}"' in offered
    assert f'id="fixes-cases{case.pk}"' in page.text
    assert "Fix all like “Rename inpts to inputs”" in offered
    answer = as_author.post(f"{EDIT}problems/fix/", {"code": "challenge_pack.W005"}, follow=True)
    assert "Fixed challenge_pack.W005 in 3 places" in answer.text


def test_a_large_draft_is_fixed_by_a_job(as_author, team):
    draft = draft_of(team, pack_text(MANY_CASES + 1).replace(b" inputs:", b" inpts:"))
    answer = as_author.post(f"{EDIT}problems/fix/", {"code": "challenge_pack.W005"})
    job = Job.objects.get(pack=draft)
    assert (job.kind, job.parameters) == ("fix", {"code": "challenge_pack.W005"})
    assert answer.url == f"/packs/jobs/{job.pk}/"


def test_viewers_are_offered_none(as_viewer, case):
    assert "fixes/" not in as_viewer.get(f"{EDIT}cases/{case.pk}/").text
    assert "fixes/" not in as_viewer.get(f"{EDIT}problems/").text
    assert as_viewer.get(f"{EDIT}cases/{case.pk}/fixes/").status_code == 403
