"""Fixes of findings in the grid of cases."""

import pytest

from packs.models import Case, Edit
from tests.packs.drafts import draft_of, pack_text

SLIP = "challenge_pack.W005"


@pytest.fixture
def slipped(team):
    return draft_of(team, pack_text(3).replace(b" inputs:", b" inpts:"))


@pytest.fixture
def back(slipped):
    return f"sets/{slipped.input_sets.get().pk}/rows"


@pytest.fixture
def url(back):
    return f"/packs/default/parcels/edit/{back}/"


def test_each_case_of_the_page_has_its_fix_and_all_have_one_together(as_author, slipped, url):
    page = as_author.get(f"{url}?problems=warning").text
    assert f'hx-get="{url}fixes/?problems=warning"' in page
    offered = as_author.get(f"{url}fixes/?problems=warning").text
    assert offered.count("Rename inpts to inputs</span></button>") == 3
    assert "Fix all like “Rename inpts to inputs”" in offered
    for case in slipped.cases.all():
        assert f'id="fixes-cases{case.pk}"' in offered
        assert f'id="fixes-cases{case.pk}"' in page
    assert "Rename" not in as_author.get(f"{url}fixes/?problems=error").text


def test_a_press_leads_back_to_the_grid(as_author, slipped, url, back):
    case = slipped.cases.order_by("position").first()
    posted = {"code": SLIP, "at": "/inpts", "back": back}
    answer = as_author.post(f"/packs/default/parcels/edit/cases/{case.pk}/fix/", posted)
    assert answer.url == url
    assert "inputs" in Case.objects.get(pk=case.pk).document
    answer = as_author.post("/packs/default/parcels/edit/problems/fix/", {"code": SLIP, "back": back}, follow=True)
    assert answer.redirect_chain[-1][0] == url
    assert "in 2 places" in answer.text
    assert Edit.objects.filter(pack=slipped).values("group").distinct().count() == 2


def test_a_saved_cell_asks_anew_for_the_fixes_of_its_case(as_author, slipped, url, back):
    case = slipped.cases.order_by("position").first()
    cell = f"/packs/default/parcels/edit/cases/{case.pk}/cell/"
    sent = {"at": "/case_key", "text": "first", "seen": slipped.revision}
    answer = as_author.post(f"{cell}save/", sent, headers={"HX-Request": "true"})
    assert f"cases/{case.pk}/fixes/?back={back}" in answer.text
    offered = as_author.get(f"/packs/default/parcels/edit/cases/{case.pk}/fixes/?back={back}").text
    assert f'name="back" value="{back}"' in offered


def test_viewers_are_offered_none(as_viewer, url):
    assert "fixes" not in as_viewer.get(url).text
    assert as_viewer.get(f"{url}fixes/").status_code == 403
