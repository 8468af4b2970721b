import pytest

from packs import publish
from packs.exporting import export_draft
from tests.packs.drafts import draft_of
from tests.people import client_of

API = "/api/v1"


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def version(draft):
    return publish.publish(draft, None, "First")


def test_versions_are_listed_highest_first(draft, version, author, as_author):
    publish.publish(draft, author, number=5)
    shown = as_author.get(f"{API}/packs/{draft.pk}/versions/").json()["results"]
    assert [(item["number"], item["notes"]) for item in shown] == [(5, ""), (1, "First")]
    assert as_author.get(f"{API}/versions/{version.pk}/").json()["digest"] == version.digest


def test_input_sets_have_the_shape_that_upstream_gives_them(version, as_author):
    (shown,) = as_author.get(f"{API}/versions/{version.pk}/input-sets/").json()
    assert shown["challenge_pack_version_id"] == version.pk
    assert (shown["input_key"], shown["name"], shown["case_count"]) == ("hubs", "Hubs", 3)


def test_cases_come_with_their_stored_documents(version, as_author):
    first = as_author.get(f"{API}/versions/{version.pk}/cases/?input_set=hubs&limit=2").json()
    second = as_author.get(first["next"]).json()
    assert [case["case_key"] for case in first["results"] + second["results"]] == ["case-0", "case-1", "case-2"]
    assert first["results"][0]["stored"]["schema_version"] == 1
    one = as_author.get(f"{API}/version-cases/{first['results'][0]['id']}/").json()
    assert one == first["results"][0]


def test_the_published_files_stay_as_they_were(draft, version, author, as_author):
    published = export_draft(draft).files["pack.yaml"]
    draft.cases.all().delete()
    response = as_author.get(f"{API}/versions/{version.pk}/export/")
    assert response.content == published
    assert version.digest in response["ETag"]


def test_curators_withdraw_versions(version, members):
    curator = client_of(members["curator"])
    assert curator.post(f"{API}/versions/{version.pk}/archive/").json()["status"] == "archived"
    assert curator.post(f"{API}/versions/{version.pk}/restore/").json()["status"] == "runnable"
