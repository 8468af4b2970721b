import json

import pytest
from django.urls import reverse

from packs.editing import Change, apply, sizes
from packs.editing.proposals import propose
from packs.formats.document import NodeKind
from packs.jobs import execute_job
from packs.models import Job, Pack, Proposal
from tests.packs.drafts import draft_of, pack_text

LIST = reverse("packs:proposals", args=["default", "parcels"])
NAME, FAMILY = "/pack/name", "/pack/family"


@pytest.fixture
def draft(team, monkeypatch):
    """A draft that counts as large."""
    monkeypatch.setattr(sizes, "MANY_CASES", 3)
    return draft_of(team, pack_text(5))


def edit(draft, author, pointer, value):
    apply(draft, [Change(NodeKind.PACK, draft.pk, pointer, value)], author)


def document(draft):
    return Pack.objects.get(pk=draft.pk).document["pack"]


def worked(client, response):
    """Do the job to which a page leads; gives it, and the page that its own page leads to."""
    (job,) = Job.objects.filter(status="queued")
    assert response.headers["Location"] == reverse("packs:job", args=[job.pk])
    execute_job(job.pk)
    job.refresh_from_db()
    return job, client.get(response.headers["Location"])


def test_a_large_draft_is_proposed_renewed_and_merged_by_jobs_of_its_pages(draft, author, as_author):
    job, shown = worked(as_author, as_author.post(LIST, {"title": "A name"}))
    found = Proposal.objects.get()
    one = reverse("packs:proposal", args=["default", "parcels", found.number])
    assert (job.status, job.phase, shown.headers["Location"]) == ("completed", "Copying the draft, in one step", one)
    edit(found.draft, author, NAME, "Proposed")
    edit(draft, author, FAMILY, "newer")
    job, _ = worked(as_author, as_author.post(f"{one}take-in/"))
    assert (job.status, document(found.draft)["family"]) == ("completed", "newer")
    job, _ = worked(as_author, as_author.post(f"{one}merge/"))
    assert (job.status, document(draft)["name"]) == ("completed", "Proposed")


def test_a_merge_whose_worker_died_after_it_is_not_refused_when_done_again(draft, author, work):
    found = propose(draft, author, "A name")
    edit(found.draft, author, NAME, "Proposed")
    given = {"pack": draft, "parameters": {"proposal": found.pk, "seen": [], "chosen": []}}
    for _ in range(2):
        assert work("merge", **given).status == "completed"
    assert Pack.objects.get(pk=draft.pk).revision == draft.revision + 1


def test_what_stands_against_a_merge_is_said_by_its_job(draft, author, work, as_author):
    found = propose(draft, author, "A name")
    edit(found.draft, author, NAME, "Proposed")
    edit(draft, author, NAME, "Drafted")
    job = work("merge", pack=draft, parameters={"proposal": found.pk, "seen": [], "chosen": []})
    assert (job.status, job.outcome["code"]) == ("refused", "unseen_conflicts")
    assert LIST in as_author.get(reverse("packs:job", args=[job.pk])).content.decode()
    assert document(draft)["name"] == "Drafted"


def test_over_rest_the_answers_are_jobs(draft, author, as_author):
    def post(name, pk, body):
        answer = as_author.post(reverse(f"packs-api:{name}", args=[pk]), json.dumps(body), "application/json")
        assert answer.status_code == 202, answer.content
        execute_job(answer.json()["id"])

    post("pack-proposals", draft.pk, {"title": "A name"})
    found = Proposal.objects.get()
    edit(found.draft, author, NAME, "Proposed")
    edit(draft, author, FAMILY, "newer")
    post("proposal-take-in", found.pk, {})
    post("proposal-merge", found.pk, {})
    assert (document(draft)["name"], document(draft)["family"]) == ("Proposed", "newer")
