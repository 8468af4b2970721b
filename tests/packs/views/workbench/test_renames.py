"""The page that renames: it says how many places follow, refuses with a sentence, and leads back."""

import pytest
from django.urls import reverse

from packs.formats.costs import MANY_CASES
from packs.importing import import_pack
from packs.models import Job
from tests.packs.drafts import draft_of, pack_text
from tests.packs.formats.names.test_renames import PACK


@pytest.fixture
def desk(team, author):
    return import_pack(team, author, {"pack.yaml": PACK.encode()}, "desk", slug="desk")


def url_of(pack):
    return reverse("packs:edit-rename", args=[pack.team.slug, pack.slug])


QUESTION = {"what": "input", "old": "question"}


def test_the_places_are_said_before_and_after(as_author, desk):
    page = as_author.get(url_of(desk), QUESTION).content.decode()
    assert "It stands at 6 places in the pack, 1 challenge and 2 cases." in page
    assert "Rename and update 6 places" in page
    answer = as_author.post(url_of(desk), QUESTION | {"new": "query", "back": "pack"}, follow=True)
    assert "Renamed question to query. 6 places in the pack, 1 challenge and 2 cases were updated." in (
        answer.content.decode()
    )


def test_a_node_that_nothing_names_is_renamed_all_the_same(as_author, desk):
    case = desk.cases.get(key="one")
    asked = {"what": "case", "old": "one", "node": case.pk, "back": f"cases/{case.pk}"}
    assert "Nothing else names it." in as_author.get(url_of(desk), asked).content.decode()
    answer = as_author.post(url_of(desk), asked | {"new": "first"}, follow=True)
    assert "Renamed one to first." in answer.content.decode()
    assert answer.context["desk"].row.key == "first"


def test_a_name_that_is_taken_is_refused_and_stays_in_the_field(as_author, desk):
    answer = as_author.post(url_of(desk), QUESTION | {"new": "place"})
    assert answer.status_code == 422
    assert "There is a payload key `place` already." in answer.content.decode()
    assert 'value="place"' in answer.content.decode()


@pytest.mark.parametrize("asked", [{}, {"what": "castle", "old": "a"}, {"what": "input"}])
def test_what_there_is_not_is_not_found(as_author, desk, asked):
    assert as_author.get(url_of(desk), asked).status_code == 404


def test_what_has_gone_leads_back(as_author, desk):
    answer = as_author.get(url_of(desk), QUESTION | {"old": "gone"}, follow=True)
    assert "There is no input gone any more." in answer.content.decode()


def test_fields_that_name_something_lead_there(as_author, desk):
    case = desk.cases.get(key="one")
    page = as_author.get(f"/packs/default/desk/edit/cases/{case.pk}/").content.decode()
    for what in ("what=input&amp;old=question", "what=expectation&amp;old=answer", "what=payload&amp;old=place"):
        assert what in page
    assert f"what=case&amp;old=one&amp;node={case.pk}" in page


def test_very_many_places_are_a_job(as_author, team):
    large = draft_of(team, pack_text(MANY_CASES + 1))
    asked = {"what": "challenge", "old": "locate", "new": "find"}
    answer = as_author.post(url_of(large), asked)
    assert answer.url == reverse("packs:job", args=[Job.objects.get().pk])
    page = " ".join(as_author.get(url_of(large), asked).content.decode().split())
    assert f"More than {MANY_CASES} nodes may name it. The first {MANY_CASES} do so at {MANY_CASES} places." in page
    asked["old"] = "at-no-place"
    assert as_author.get(url_of(large), asked).status_code == 302
