"""States of a large draft are compared by a job, and what its pages then show is what they show of a small one."""

import pytest
from django.urls import reverse

from packs import editing
from packs.editing import points, sizes
from packs.editing.proposals import propose
from packs.formats.document import NodeKind
from packs.jobs import execute_job
from packs.models import Job, Pack
from tests.packs.views.changes.test_page import URL, draft  # noqa: F401 - the fixture
from tests.packs.views.changes.test_restoring import RESTORE, keys


@pytest.fixture
def few(draft, monkeypatch):
    """From now on the draft counts as large."""
    return lambda: monkeypatch.setattr(sizes, "MANY_CASES", 2)


def done(client, path):
    """The page that stands at the end of a way over a job."""
    waiting = client.get(path)
    job = Job.objects.get(kind="compare", status="queued")
    assert waiting.headers["Location"] == reverse("packs:job", args=[job.pk])
    execute_job(job.pk)
    onward = client.get(waiting.headers["Location"]).headers["Location"]
    return client.get(onward)


def edit(draft, author, value):
    case = draft.cases.get(key="case-2")
    editing.apply(draft, [editing.Change(NodeKind.CASE, case.pk, "/inputs/0/value", value)], author)


def shown(response):
    return (
        response.context["summary"],
        response.context["nodes"],
        [(each.label, each.total) for each in response.context["acts"]],
    )


def test_what_a_job_found_is_shown_as_what_a_request_finds(as_author, draft, few):
    small, files = as_author.get(URL), as_author.get(f"{URL}?files=").context["files"]
    few()
    assert shown(done(as_author, URL)) == shown(small)
    assert shown(as_author.get(URL)) == shown(small)
    assert done(as_author, f"{URL}?files=").context["files"] == files
    assert [job.kind for job in Job.objects.all()] == ["compare", "compare"]
    narrowed = as_author.get(f"{URL}?act=added").context["nodes"]
    assert [node.title for node in narrowed] == ["new"]


def test_an_edit_meanwhile_does_not_lead_from_job_to_job(as_author, author, draft, few):
    few()
    waiting = as_author.get(URL)
    edit(draft, author, "newer")
    execute_job(Job.objects.get().pk)
    onward = as_author.get(waiting.headers["Location"]).headers["Location"]
    assert f"to=r{draft.revision - 1}" in onward
    assert as_author.get(onward).context["summary"] == "1 case added, 1 removed, 1 changed."
    assert as_author.get(URL).status_code == 302


def test_a_field_and_a_node_of_a_large_draft_are_restored(as_author, draft, few):
    few()
    node = next(node for node in done(as_author, URL).context["nodes"] if node.title == "case-1")
    given = {"from": "1", "seen": draft.revision, "what": str(node.at)}
    answer = as_author.post(RESTORE, given)
    execute_job(Job.objects.get(kind="restore").pk)
    assert answer.headers["Location"] == reverse("packs:job", args=[Job.objects.get(kind="restore").pk])
    assert "case-1" in keys(Pack.objects.get(pk=draft.pk))
    changed = next(node for node in done(as_author, URL).context["nodes"] if node.title == "case-0")
    draft.refresh_from_db()
    as_author.post(RESTORE, {"from": "1", "seen": draft.revision, "what": f"{changed.at}.{changed.fields[0].at}"})
    assert draft.cases.get(key="case-0").document["inputs"][0]["value"] == "Where is parcel case-0?"


def test_a_node_is_not_restored_over_edits_that_nobody_looked_at(as_author, author, draft, few):
    few()
    given = {"from": "1", "seen": draft.revision, "what": "0"}
    done(as_author, URL)
    as_author.post(RESTORE, given)
    edit(draft, author, "newer")
    job = Job.objects.get(kind="restore")
    execute_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.outcome["code"]) == ("refused", "outdated")


def test_a_small_draft_that_was_large_goes_back_by_a_job(as_author, author, draft, monkeypatch):
    before, cases, api = draft.revision, keys(draft), f"/api/v1/packs/{draft.pk}/difference/restore/"
    path = f"{URL}?from=r{before}"
    for case in draft.cases.all():
        editing.remove_node(draft, NodeKind.CASE, case.pk, author)
    small = as_author.get(path)
    monkeypatch.setattr(points, "MAX_VALUES", 5)
    assert shown(done(as_author, path)) == shown(small)
    assert as_author.post(RESTORE, {"from": f"r{before}"}).status_code == 302
    assert as_author.post(api, {"state": f"r{before}"}, "application/json").status_code == 202
    at = draft.revision
    execute_job(Job.objects.get(kind="restore").pk)
    draft.refresh_from_db()
    assert keys(draft) == cases
    # What was undone since is as far, where it was made before.
    restored = draft.revision
    editing.undo(draft, author)
    assert points.is_far(draft, at)
    assert points.is_far(draft, restored)
    assert not points.is_far(draft, draft.revision)


def test_a_request_takes_back_so_many_edits_and_no_more(author, draft, monkeypatch):
    at = draft.revision
    for value in ("one", "two"):
        edit(draft, author, value)
    monkeypatch.setattr(points, "MANY_EDITS", 2)
    assert not points.is_far(draft, at)
    edit(draft, author, "three")
    assert points.is_far(draft, at)


def test_the_page_of_a_large_proposal_shows_what_a_job_found(as_author, author, draft, few):
    found = propose(draft, author, "A place")
    edit(found.draft, author, "mine")
    edit(draft, author, "theirs")
    one = reverse("packs:proposal", args=["default", "parcels", found.number])
    small = as_author.get(one).context
    few()
    large = done(as_author, one).context
    for name in ("summary", "nodes", "conflicts"):
        assert large[name] == small[name]
    assert small["conflicts"]
    assert not large["is_outdated"]
    found.draft.refresh_from_db()
    edit(found.draft, author, "mine, newer")
    job = Job.objects.get()
    assert as_author.get(f"{one}?look={job.pk}").context["is_outdated"]
    assert done(as_author, one).context["nodes"] != large["nodes"]


def test_the_api_gives_a_job_first_and_then_the_difference(as_author, author, draft, few):
    path = f"/api/v1/packs/{draft.pk}/difference/"
    small = as_author.get(path).json()
    found = propose(draft, author, "A place")
    few()
    first, second = as_author.get(path), as_author.get(path)
    assert (first.status_code, second.json()["id"]) == (202, first.json()["id"])
    execute_job(first.json()["id"])
    assert as_author.get(path).json() == small
    one = f"/api/v1/proposals/{found.pk}/"
    waiting = as_author.get(one)
    assert waiting.status_code == 202
    execute_job(waiting.json()["id"])
    assert as_author.get(one).json()["conflicts"] == []
