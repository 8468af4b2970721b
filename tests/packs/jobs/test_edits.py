"""Edits in which many nodes follow a new key: a job makes them, by whichever door they came."""

import pytest

from packs import editing
from packs.formats.costs import MANY_CASES
from packs.jobs import execute_job
from packs.models import Case, Job
from tests.packs.drafts import draft_of, pack_text
from tests.packs.views.workbench.pages import Page


@pytest.fixture
def large(team):
    return draft_of(team, pack_text(MANY_CASES + 1))


@pytest.fixture
def challenge(large):
    return large.challenges.get()


@pytest.fixture
def change(as_author):
    """Ask the API to give a challenge the key `found`."""

    def ask(draft, **more):
        row = draft.challenges.get()
        body = {"changes": [{"kind": "challenge", "node": row.pk, "pointer": "/key", "value": "found"}], **more}
        return as_author.post(f"/api/v1/packs/{draft.pk}/changes/", body, "application/json").status_code

    return ask


def named(draft):
    return set(Case.objects.filter(pack=draft).values_list("challenge_key", flat=True))


def do_the_job(draft):
    job = Job.objects.get(pack=draft, kind="edit")
    execute_job(job.pk)
    job.refresh_from_db()
    return job


def test_a_key_that_many_cases_name_is_renamed_by_a_job_and_undone_at_once(change, author, large):
    assert change(large) == 202
    assert named(large) == {"locate"}
    job = do_the_job(large)
    assert job.status == "completed"
    assert job.outcome["renamed"] == [
        f"Renamed locate to found. {MANY_CASES + 1} places in {MANY_CASES + 1} cases were updated."
    ]
    assert named(large) == {"found"}
    large.refresh_from_db()
    editing.undo(large, author)
    assert named(large) == {"locate"}


def test_a_document_that_is_replaced_is_a_job_too(as_author, large, challenge):
    url = f"/api/v1/challenges/{challenge.pk}/"
    etag = as_author.get(url).headers["ETag"]
    body = {"document": challenge.document | {"key": "found"}}
    assert as_author.put(url, body, "application/json", headers={"If-Match": etag}).status_code == 202
    assert do_the_job(large).status == "completed"
    assert named(large) == {"found"}


def test_a_field_keeps_the_old_key_until_the_job_has_ended(as_author, large, challenge):
    page = Page(as_author, large, f"challenges/{challenge.pk}")
    answer = page.live("/key", **{"t:/key": "found"})
    assert "a job makes it" in answer.text
    assert 'value="locate"' in answer.text
    assert do_the_job(large).status == "completed"
    assert named(large) == {"found"}


def test_what_a_job_wrote_for_a_page_does_not_stand_against_what_is_typed_there_next(as_author, large, challenge):
    page = Page(as_author, large, f"challenges/{challenge.pk}")
    assert "data-later" in page.live("/key", **{"t:/key": "found"}).text
    assert do_the_job(large).status == "completed"
    answer = page.live("/key", **{"t:/key": "founder", "before:t:/key": "found"})
    assert "while you were editing" not in answer.text
    assert Job.objects.filter(pack=large, kind="edit").count() == 2


def test_a_name_is_not_looked_for_inside_of_words(as_author, team):
    draft = draft_of(team, pack_text(MANY_CASES + 2))
    case = draft.cases.first()
    for text in ("e", "example"):
        Page(as_author, draft, f"cases/{case.pk}").live("/inputs/0/key", **{"t:/inputs/0/key": text})
    case.refresh_from_db()
    assert case.document["inputs"][0]["key"] == "example"
    assert not Job.objects.filter(pack=draft, kind="edit").exists()


def test_a_job_whose_place_was_edited_since_changes_nothing(change, author, large, challenge):
    assert change(large, seen_revision=large.revision) == 202
    editing.apply(large, [editing.Change(challenge.kind, challenge.pk, "/key", "mine")], author)
    job = do_the_job(large)
    assert job.status == "refused"
    assert "stands in the way: /key" in job.error
    assert named(large) == {"mine"}


def test_a_few_followers_need_no_job(change, team):
    draft = draft_of(team, pack_text(3))
    assert change(draft) == 200
    assert named(draft) == {"found"}
