import pytest
from django.urls import reverse

from packs.access import Role
from packs.editing import remove_node
from packs.formats.document import NodeKind
from packs.models import PackVersion, VersionStatus
from packs.publish import publish
from tests.packs.drafts import draft_of, pack_text
from tests.people import client_of, make_member


def url(name="publish", *more):
    return reverse(f"packs:{name}", args=["default", "parcels", *more])


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def as_curator(team):
    return client_of(make_member(team, Role.CURATOR))


def test_a_valid_draft_becomes_a_version_under_the_number_it_states(as_curator, draft):
    response = as_curator.post(url(), {"number": 1, "notes": "First."})
    version = PackVersion.objects.get()
    assert (version.number, version.notes) == (1, "First.")
    assert response.url == url("version", 1)


def test_a_taken_number_is_replaced_by_the_next_one(as_curator, author, draft):
    publish(draft, author)
    assert as_curator.get(url()).context["form"].initial["number"] == 2
    as_curator.post(url(), {"number": 2})
    assert list(draft.versions.values_list("number", flat=True)) == [2, 1]


def test_the_changes_come_first_and_propose_the_notes(as_curator, author, draft):
    first = as_curator.get(url())
    assert (first.context["form"].initial["notes"], first.context["changes"]) == ("", [])
    publish(draft, author)
    assert "Nothing is different." in as_curator.get(url()).text
    remove_node(draft, NodeKind.CASE, draft.cases.get(key="case-1").pk, author)
    response = as_curator.get(url())
    assert response.context["form"].initial["notes"] == "- 1 case removed: case-1"
    assert [node.title for node in response.context["changes"]] == ["case-1"]
    assert "1 case removed." in response.text
    as_curator.post(url(), {"number": 2, "notes": "Fewer parcels."})
    assert draft.versions.first().notes == "Fewer parcels."


def test_a_number_that_exists_is_a_conflict_and_says_so(as_curator, author, draft):
    publish(draft, author)
    response = as_curator.post(url(), {"number": 1})
    assert response.status_code == 409
    assert response.context["refused"].code == "challenge_pack_version_exists"


def test_errors_block_and_each_leads_to_its_field(as_curator, team):
    draft_of(team, pack_text().replace(b"execution_mode: native", b"execution_mode: nativ"))
    found = as_curator.get(url()).context["findings"]
    assert [finding["path"] for finding in found] == ["version.execution_mode"]
    assert "execution_mode" in found[0]["url"]
    assert as_curator.post(url(), {"number": 1}).status_code == 422
    assert not PackVersion.objects.exists()


def test_a_number_that_is_none_is_an_error_of_the_field(as_curator, draft):
    response = as_curator.post(url(), {"number": "zero"})
    assert response.status_code == 422
    assert response.context["form"].has_error("number")


def test_roles_decide_who_sees_what_blocks_publishing(members, draft):
    for role, user in members.items():
        may = role is not Role.VIEWER
        assert client_of(user).get(url()).status_code == (200 if may else 403)


def test_an_author_gets_no_button_and_cannot_publish(as_author, draft):
    assert b'name="number"' not in as_author.get(url()).content
    assert as_author.post(url(), {"number": 1}).status_code == 403
    assert not PackVersion.objects.exists()


def test_a_stranger_finds_nothing(as_stranger, draft):
    assert as_stranger.get(url()).status_code == 404
    assert as_stranger.post(url(), {"number": 1}).status_code == 404


def test_a_curator_deprecates_a_version(members, draft):
    publish(draft, members[Role.AUTHOR])
    curator = client_of(members[Role.CURATOR])
    curator.post(url("version-status", 1), {"status": "deprecated"})
    assert PackVersion.objects.get().status == VersionStatus.DEPRECATED
    assert curator.post(url("version-status", 1), {"status": "gone"}).status_code == 400


def test_an_author_may_not_change_the_status_of_a_version(as_author, author, draft):
    publish(draft, author)
    assert as_author.post(url("version-status", 1), {"status": "archived"}).status_code == 403
