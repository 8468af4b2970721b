import pytest
from django.urls import reverse

from packs import blobs
from packs.access import Role
from packs.models import PackStatus
from packs.publish import publish
from runs.models import Run
from tests.packs.drafts import draft_of
from tests.people import client_of


@pytest.fixture
def draft(team):
    source = blobs.put(b"# a comment\n")
    return draft_of(team, title="Parcels", source=source, source_name="parcels.yaml")


def url(name="overview", *more):
    return reverse(f"packs:{name}", args=["default", "parcels", *more])


def test_it_shows_counts_sets_and_the_card(as_author, draft):
    context = as_author.get(url()).context
    assert context["totals"] == {"challenges": 1, "input_sets": 1, "cases": 3, "assets": 0}
    assert [(row.key, row.case_total) for row in context["sets"]] == [("hubs", 3)]
    assert [dimension.key for dimension in context["card"].dimensions] == ["correctness"]


def test_it_counts_the_changes_since_the_newest_version(as_author, author, draft):
    publish(draft, author)
    assert as_author.get(url()).context["edits_since"] == 0


def test_the_source_is_downloaded_as_it_was_given(as_author, draft):
    response = as_author.get(url("source"))
    assert response.getvalue() == b"# a comment\n"
    assert "parcels.yaml" in response.headers["Content-Disposition"]
    assert response.headers["Content-Type"] == "application/octet-stream"


def test_a_pack_without_an_import_has_no_source(as_author, team):
    draft_of(team)
    assert as_author.get(url("source")).status_code == 404


@pytest.mark.parametrize(("act", "status"), [("archive", PackStatus.ARCHIVED), ("deprecate", PackStatus.DEPRECATED)])
def test_a_curator_takes_a_pack_out_of_use_and_back(members, draft, act, status):
    curator = client_of(members[Role.CURATOR])
    assert curator.post(url("life", act)).status_code == 302
    draft.refresh_from_db()
    assert draft.status == status
    curator.post(url("life", "restore"))
    draft.refresh_from_db()
    assert draft.status == PackStatus.DRAFT


def test_an_author_may_not_archive(as_author, draft):
    assert as_author.post(url("life", "archive")).status_code == 403


def test_an_act_that_does_not_exist_is_not_found(members, draft):
    assert client_of(members[Role.CURATOR]).post(url("life", "explode")).status_code == 404


def test_a_stranger_finds_nothing(as_stranger, draft):
    assert as_stranger.get(url()).status_code == 404
    assert as_stranger.get(url("source")).status_code == 404
    assert as_stranger.post(url("life", "archive")).status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_pack(as_author, author, draft, django_assert_max_num_queries):
    publish(draft, author)
    with django_assert_max_num_queries(12):
        as_author.get(url())


def test_runs_of_the_pack_lead_to_the_list_where_they_are_chosen_for_a_comparison(as_author, author, draft):
    assert b"/runs/?pack=" not in as_author.get(url()).content
    Run.objects.create(team=draft.team, version=publish(draft, author), name="nightly")
    assert f'href="/runs/?pack=default/{draft.slug}"'.encode() in as_author.get(url()).content
