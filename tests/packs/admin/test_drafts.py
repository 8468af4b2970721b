"""Packs and their nodes in curation."""

import pytest
from django.urls import reverse

from packs.jobs import execute_job
from packs.models import Asset, Case, Challenge, InputSet, Job, Pack, PackStatus
from tests.packs.admin.acts import act, ids
from tests.packs.drafts import draft_of
from tests.people import client_of

NODES = {Pack: "pack", Challenge: "challenge", InputSet: "inputset", Case: "case", Asset: "asset"}


@pytest.fixture
def draft(team):
    return draft_of(team, title="Parcels")


@pytest.mark.parametrize("model", [Pack, Challenge, InputSet, Case])
def test_lists_and_pages_of_nodes_open_and_lead_into_the_studio(as_superuser, curator, draft, model):
    name = f"admin:packs_{NODES[model]}"
    row = model.objects.first()
    as_curator = client_of(curator)
    assert as_curator.get(reverse(f"{name}_changelist"), {"q": "parcels"}).status_code == 200
    page = as_curator.get(reverse(f"{name}_change", args=[row.pk])).content.decode()
    assert "/packs/default/parcels/" in page
    # Who is no member would find nothing there.
    page = as_superuser.get(reverse(f"{name}_change", args=[row.pk]))
    assert page.status_code == 200
    assert "/packs/default/parcels/" not in page.content.decode()


def test_an_asset_tells_whether_its_bytes_were_given(as_superuser, draft):
    asset = Asset.objects.create(pack=draft, position=1, key="map", path="map.txt", document={"key": "map"})
    assert "not given" in as_superuser.get(reverse("admin:packs_asset_changelist")).content.decode()
    assert as_superuser.get(reverse("admin:packs_asset_change", args=[asset.pk])).status_code == 200


def test_documents_are_shown_whole_in_their_order_and_cannot_be_typed_over(as_superuser, draft):
    url = reverse("admin:packs_case_change", args=[draft.cases.first().pk])
    page = as_superuser.get(url).content.decode()
    assert "<textarea" not in page
    assert page.index("challenge_key&quot;: &quot;locate") < page.index("expectations&quot;")
    assert as_superuser.post(url, {"key": "other"}).status_code == 403


@pytest.mark.parametrize("kind", NODES.values())
def test_lists_take_as_many_queries_for_many_rows_as_for_few(
    as_superuser, draft, team, django_assert_max_num_queries, kind
):
    url = reverse(f"admin:packs_{kind}_changelist")
    for number in range(8):
        draft_of(team, slug=f"more-{number}")
    with django_assert_max_num_queries(12):
        assert as_superuser.get(url).status_code == 200


def test_curators_see_their_own_packs_only(team, other_team, curator, draft):
    theirs = draft_of(other_team, slug="theirs")
    client = client_of(curator)
    assert ids(client.get(reverse("admin:packs_pack_changelist"))) == [draft.pk]
    assert client.get(reverse("admin:packs_pack_change", args=[theirs.pk])).status_code == 302
    act(client, "packs_pack", "archive_packs", theirs.pk)
    theirs.refresh_from_db()
    assert theirs.status == PackStatus.DRAFT


def test_who_is_not_staff_is_asked_to_sign_in(as_administrator, draft):
    for kind in NODES.values():
        assert as_administrator.get(reverse(f"admin:packs_{kind}_changelist")).status_code == 302


def test_an_act_happens_only_after_the_question_is_answered(as_superuser, draft):
    question = act(as_superuser, "packs_pack", "archive_packs", draft.pk, confirmed=False)
    assert question.status_code == 200
    assert question.context["names"] == [f"{draft.title} (default/parcels)"]
    assert question.context["title"] in question.content.decode().split("<main")[-1]
    assert Pack.objects.get().status == PackStatus.DRAFT
    act(as_superuser, "packs_pack", "archive_packs", draft.pk)
    assert Pack.objects.get().status == PackStatus.ARCHIVED


def test_packs_are_deprecated_and_restored(as_superuser, draft):
    act(as_superuser, "packs_pack", "deprecate_packs", draft.pk)
    assert Pack.objects.get().status == PackStatus.DEPRECATED
    act(as_superuser, "packs_pack", "restore_packs", draft.pk)
    assert Pack.objects.get().status == PackStatus.DRAFT


def test_packs_are_checked_anew(as_superuser, draft):
    Pack.objects.update(problem_errors=7, checked_revision=0)
    act(as_superuser, "packs_pack", "recheck_packs", draft.pk)
    assert Pack.objects.get().problem_errors == 0


def test_a_large_draft_is_checked_anew_by_a_job(as_superuser, draft, monkeypatch):
    monkeypatch.setattr("packs.editing.sizes.MANY_CASES", 1)
    Pack.objects.update(problem_errors=7, checked_revision=0)
    act(as_superuser, "packs_pack", "recheck_packs", draft.pk)
    assert Pack.objects.get().problem_errors == 7
    job = Job.objects.get(pack=draft, kind="check")
    execute_job(job.pk)
    assert Pack.objects.get().problem_errors == 0


def test_a_draft_that_cannot_be_published_does_not_keep_the_others(as_superuser, superuser, team, draft):
    broken = draft_of(team, slug="broken")
    broken.challenges.all().delete()
    act(as_superuser, "packs_pack", "publish_packs", broken.pk, draft.pk)
    assert broken.versions.count() == 0
    assert draft.versions.get().published_by == superuser


def test_what_was_done_stands_in_the_history(as_superuser, draft):
    act(as_superuser, "packs_pack", "archive_packs", draft.pk)
    assert "Archived" in as_superuser.get(reverse("admin:packs_pack_history", args=[draft.pk])).content.decode()
