"""Publishing as a job: drafts that are too large for a request."""

import threading

import pytest
from django.db import connection
from django.urls import reverse
from django.utils.html import escape

from packs import editing
from packs.access import Role
from packs.editing import Change
from packs.formats.costs import MANY_CASES
from packs.formats.document import NodeKind
from packs.jobs import execute_job
from packs.models import Job, PackVersion
from packs.publish import PublishRefused, blockers, prepare, publish, write
from tests.packs.drafts import draft_of, pack_text
from tests.people import client_of, make_member

pytestmark = pytest.mark.django_db

LARGE = pack_text(MANY_CASES + 1)


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def as_curator(curator):
    return client_of(curator)


def page(name="publish", *more):
    return reverse(f"packs:{name}", args=["default", "parcels", *more])


def api(draft):
    return f"/api/v1/packs/{draft.pk}/publish/"


def test_a_large_draft_is_published_by_a_job_that_its_page_follows(as_curator, team):
    draft = draft_of(team, LARGE)
    asked = as_curator.post(page(), {"number": 1, "notes": "All of it."})
    job = Job.objects.get()
    assert (asked.url, job.kind, draft.versions.count()) == (reverse("packs:job", args=[job.pk]), "publish", 0)
    waiting = as_curator.get(page()).content.decode()
    assert "A job publishes this draft now" in waiting
    execute_job(job.pk)
    version = PackVersion.objects.get()
    assert (version.number, version.notes, version.case_count) == (1, "All of it.", MANY_CASES + 1)
    assert page("version", 1) in as_curator.get(asked.url).content.decode()


def test_the_changes_of_a_large_draft_are_a_link_on_the_page_that_publishes(as_curator, team, curator):
    draft = draft_of(team, LARGE)
    publish(draft, curator)
    page = as_curator.get("/packs/default/parcels/publish/")
    assert "its changes have a page of their own" in page.text
    assert 'href="/packs/default/parcels/changes/"' in page.text
    assert page.context["changes"] == []


def test_a_job_and_a_request_publish_the_same(team, curator):
    one, other = draft_of(team, LARGE), draft_of(team, LARGE, slug="others")
    version = publish(one, curator)
    client_of(curator).post(api(other), {"notes": ""}, content_type="application/json")
    execute_job(Job.objects.get().pk)
    twin = PackVersion.objects.get(pack=other)
    told = ("digest", "number", "case_count", "document", "challenges", "lineage", "revision", "published_by")
    assert [getattr(twin, name) for name in told] == [getattr(version, name) for name in told]
    stored = ("key", "challenge_key", "position", "digest", "stored")
    rows = [list(found.cases.order_by("pk").values_list(*stored)) for found in (version, twin)]
    assert rows[0] == rows[1]


def test_a_draft_of_the_largest_size_for_a_request_is_published_at_once(as_curator, team):
    draft = draft_of(team, pack_text(MANY_CASES))
    assert as_curator.post(api(draft), {}, content_type="application/json").status_code == 201


def test_over_rest_the_answer_is_the_job_and_asking_twice_gives_one_version(as_curator, team):
    draft = draft_of(team, LARGE)
    first, second = (as_curator.post(api(draft), {"notes": "a"}, content_type="application/json") for _ in range(2))
    assert (first.status_code, second.json()["id"]) == (202, first.json()["id"])
    execute_job(first.json()["id"])
    execute_job(first.json()["id"])
    version = PackVersion.objects.get()
    told = as_curator.get(first["Location"]).json()
    assert (told["status"], told["outcome"]) == ("completed", {"version": version.pk, "number": 1})


def test_while_one_publishes_others_are_told_so(as_curator, as_administrator, team):
    draft = draft_of(team, LARGE)
    as_curator.post(api(draft), {"notes": "a"}, content_type="application/json")
    for client, notes in ((as_curator, "b"), (as_administrator, "a")):
        refused = client.post(api(draft), {"notes": notes}, content_type="application/json")
        assert refused.status_code == 409
        assert "pack_is_being_published" in refused.content.decode()
    assert as_administrator.post(page(), {"number": 1}).status_code == 409
    assert Job.objects.count() == 1


def test_what_refuses_a_draft_is_told_by_its_job_as_by_a_request(as_curator, team):
    draft = draft_of(team, LARGE.replace(b"execution_mode: native", b"execution_mode: nativ"))
    execute_job(as_curator.post(api(draft), {}, content_type="application/json").json()["id"])
    job = Job.objects.get()
    found = [finding.as_dict() for finding in blockers(draft)]
    assert (job.status, job.outcome) == ("refused", {"code": "pack_has_errors", "findings": found})
    assert escape(found[0]["message"]) in as_curator.get(reverse("packs:job", args=[job.pk])).content.decode()
    assert not PackVersion.objects.exists()


def test_the_work_of_a_job_that_died_after_writing_is_not_done_twice(as_curator, team):
    draft = draft_of(team, LARGE)
    pk = as_curator.post(api(draft), {}, content_type="application/json").json()["id"]
    execute_job(pk)
    Job.objects.filter(pk=pk).update(status="queued")
    execute_job(pk)
    assert (Job.objects.get().status, draft.versions.count()) == ("completed", 1)


def test_who_lost_the_right_to_publish_publishes_nothing(as_curator, curator, team):
    draft = draft_of(team, LARGE)
    pk = as_curator.post(api(draft), {}, content_type="application/json").json()["id"]
    curator.memberships.update(role=Role.AUTHOR)
    execute_job(pk)
    assert (Job.objects.get().status, draft.versions.count()) == ("failed", 0)


def test_what_is_edited_while_a_version_is_made_ready_is_in_it(team, author):
    draft = draft_of(team)
    ready = prepare(draft, 4)
    change = Change(NodeKind.PACK, draft.pk, "/pack/name", "Newer")
    editing.apply(draft, [change], author)
    version = write(draft, ready, author, "")
    draft.refresh_from_db()
    assert (version.document["pack"]["name"], version.number, version.revision) == ("Newer", 4, draft.revision)


def test_what_is_broken_while_a_version_is_made_ready_refuses_it(team, author):
    draft = draft_of(team)
    ready = prepare(draft)
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/version/execution_mode", "nativ")], author)
    with pytest.raises(PublishRefused) as refused:
        write(draft, ready, author, "")
    assert refused.value.code == "pack_has_errors"


@pytest.mark.django_db(transaction=True)
def test_others_write_while_a_version_is_made_ready(team, author):
    """The check and the files are made without a lock, so that signs of life and edits of others do not wait."""
    draft, seen = draft_of(team), []

    def watch(part, tree):
        def others():
            editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", part)], author)
            seen.append(part)
            connection.close()

        writer = threading.Thread(target=others)
        writer.start()
        writer.join()
        return tree

    prepare(draft, watch=watch)
    assert seen == ["Checking", "Writing the files", "Freezing the cases"]
