import pytest

from packs import editing
from packs.editing import Change
from packs.jobs import cancel, large, travels
from packs.models import Job
from tests.packs.drafts import draft_of, pack_text

POINTER = "/inputs/0/value"


@pytest.fixture
def draft(team, author, monkeypatch):
    """A draft in which a bulk edit counts as large."""
    monkeypatch.setattr(travels, "MANY_CASES", 3)
    draft = draft_of(team, pack_text(5))
    cases = draft.cases.all()
    changes = [Change(case.kind, case.pk, POINTER, "all alike") for case in cases]
    editing.change_cases(draft, author, changes, label="Make all alike")
    return draft


def values(draft):
    return {case.document["inputs"][0]["value"] for case in draft.cases.all()}


def test_a_large_edit_is_taken_back_and_made_again_by_jobs(draft, author, work):
    asked = large(draft, author, "undo")
    assert "Make all alike" in asked["title"]
    done = work(**asked)
    assert (done.status, done.outcome["changed"]) == ("completed", 5)
    assert len(values(draft)) == 5
    assert large(draft, author, "undo") is None
    assert work(**large(draft, author, "redo")).status == "completed"
    assert values(draft) == {"all alike"}


def test_a_small_edit_is_taken_back_at_once(draft, author):
    case = draft.cases.first()
    editing.apply(draft, [Change(case.kind, case.pk, POINTER, "alone")], author)
    assert large(draft, author, "undo") is None


def test_where_others_have_built_on_it_nothing_is_taken_back(draft, author, administrator, work):
    asked = large(draft, author, "undo")
    case = draft.cases.first()
    editing.apply(draft, [Change(case.kind, case.pk, POINTER, "theirs")], administrator)
    refused = work(**asked)
    assert refused.status == "refused"
    assert POINTER in refused.error
    assert values(draft) == {"all alike", "theirs"}


def test_who_may_not_edit_any_more_takes_nothing_back(draft, author, work):
    asked = large(draft, author, "undo")
    author.memberships.update(role="viewer")
    assert work(**asked).status == "failed"
    assert values(draft) == {"all alike"}


def test_the_page_and_the_api_send_the_job(draft, as_author):
    response = as_author.post("/packs/default/parcels/edit/undo/", {"back": "pack"})
    job = Job.objects.get(kind="undo")
    assert response["Location"] == f"/packs/jobs/{job.pk}/"
    answer = as_author.post(f"/api/v1/packs/{draft.pk}/undo/")
    assert (answer.status_code, answer.json()["kind"]) == (202, "undo")


def test_whoever_presses_undo_again_while_it_waits_gets_the_same_job(draft, as_author):
    first = as_author.post("/packs/default/parcels/edit/undo/", {"back": "pack"})
    again = as_author.post("/packs/default/parcels/edit/undo/", {"back": "pack"})
    assert again["Location"] == first["Location"]
    answer = as_author.post(f"/api/v1/packs/{draft.pk}/undo/").json()
    assert first["Location"].endswith(f"/{answer['id']}/")
    Job.objects.update(status="running")
    assert as_author.post("/packs/default/parcels/edit/undo/")["Location"] == first["Location"]
    assert Job.objects.count() == 1


def test_after_an_undo_was_stopped_a_new_one_can_be_asked_for(draft, as_author):
    as_author.post("/packs/default/parcels/edit/undo/")
    Job.objects.update(status="running")
    cancel(Job.objects.get())
    as_author.post("/packs/default/parcels/edit/undo/")
    assert list(Job.objects.order_by("pk").values_list("status", flat=True)) == ["running", "queued"]
