"""Edits of a large draft whose reach is the whole draft: a request writes them, and jobs do what takes longer."""

import csv
import io

import pytest
from django.urls import reverse

from packs import editing
from packs.editing import Change, sizes
from packs.formats.document import NodeKind
from packs.formats.findings import has_errors
from packs.jobs import execute_job
from packs.models import Case, Job
from packs.views.workbench.addresses import NodeRef
from packs.views.workbench.grid import tables
from tests.packs.drafts import draft_of, pack_text

CASES = 5


@pytest.fixture
def draft(team, monkeypatch):
    made = draft_of(team, pack_text(CASES).replace(b"locate-1", b"locate"))
    for place in (sizes, tables, "packs.jobs", "packs.jobs.travels"):
        monkeypatch.setattr(f"{getattr(place, '__name__', place)}.MANY_CASES", 3)
    return made


def finished(kind):
    job = Job.objects.get(kind=kind)
    execute_job(job.pk)
    job.refresh_from_db()
    assert job.status == "completed", job.error
    return job


def stale(draft):
    draft.refresh_from_db()
    return draft.checked_revision != draft.revision


def naming_an_asset(draft, author):
    """An edit of a case that refers to an asset which is not there."""
    case = draft.cases.order_by("pk").first()
    editing.apply(draft, [Change(NodeKind.CASE, case.pk, "/inputs/0/artifact_key", "map")], author)
    case.refresh_from_db()
    assert case.error_count
    return case


def test_an_asset_that_comes_leaves_the_check_of_a_large_draft_to_a_job(as_author, author, draft):
    case = naming_an_asset(draft, author)
    answer = as_author.post(
        f"/api/v1/packs/{draft.pk}/assets/", {"document": {"key": "map", "path": "map.txt"}}, "application/json"
    )
    assert answer.status_code == 201
    assert stale(draft)
    path = f"/api/v1/packs/{draft.pk}/findings/"
    assert as_author.get(path).status_code == 202
    finished("check")
    case.refresh_from_db()
    assert (case.error_count, stale(draft)) == (0, False)
    assert as_author.get(path).status_code == 200


def test_a_small_draft_is_checked_with_the_edit(author, draft, monkeypatch):
    monkeypatch.setattr(sizes, "MANY_CASES", CASES)
    case = naming_an_asset(draft, author)
    editing.add_node(draft, NodeKind.ASSET, author, document={"key": "map", "path": "map.txt"})
    case.refresh_from_db()
    assert (case.error_count, stale(draft)) == (0, False)


def test_the_node_that_is_edited_is_checked_at_once(author, draft):
    applied = editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/version/execution_mode", "nativ")], author)
    assert has_errors(applied.findings[NodeKind.PACK, draft.pk])
    draft.refresh_from_db()
    assert draft.problem_errors == draft.error_count == applied.errors


def test_problems_of_nodes_that_go_leave_the_totals_of_a_large_draft(author, draft):
    case = naming_an_asset(draft, author)
    editing.add_node(draft, NodeKind.ASSET, author, document={"key": "plan", "path": "plan.txt"})
    draft.refresh_from_db()
    assert draft.problem_errors == case.error_count
    editing.remove_node(draft, NodeKind.INPUT_SET, case.input_set_id, author)
    draft.refresh_from_db()
    assert draft.problem_errors == sum(row.error_count for row in (draft, *draft.challenges.all()))


def test_an_edit_by_a_job_is_followed_by_a_check(as_author, draft):
    row = draft.challenges.get()
    body = {"changes": [{"kind": "challenge", "node": row.pk, "pointer": "/key", "value": "found"}]}
    assert as_author.post(f"/api/v1/packs/{draft.pk}/changes/", body, "application/json").status_code == 202
    finished("edit")
    if stale(draft):
        finished("check")
    assert not stale(draft)
    assert set(Case.objects.filter(pack=draft).values_list("challenge_key", flat=True)) == {"found"}


def test_a_large_set_is_duplicated_by_a_job(as_author, draft):
    given = draft.input_sets.get()
    path = reverse("packs:edit-act", args=[draft.team.slug, draft.slug, NodeRef(NodeKind.INPUT_SET, given.pk)])
    answer = as_author.post(path, {"act": "duplicate"})
    assert draft.input_sets.count() == 1
    job = finished("duplicate")
    assert answer["Location"] == reverse("packs:job", args=[job.pk])
    copy = draft.input_sets.exclude(pk=given.pk).get()
    documents = [[case.document for case in rows.cases.order_by("position")] for rows in (given, copy)]
    assert documents[0] == documents[1]
    assert f"{CASES} added" in as_author.get(answer["Location"]).content.decode()


@pytest.mark.parametrize("door", ["page", "api"])
def test_a_large_set_is_removed_and_brought_back_by_jobs(as_author, draft, door):
    given = draft.input_sets.get()
    if door == "page":
        path = reverse("packs:edit-act", args=[draft.team.slug, draft.slug, NodeRef(NodeKind.INPUT_SET, given.pk)])
        assert "/jobs/" in as_author.post(path, {"act": "remove"})["Location"]
    else:
        answer = as_author.delete(f"/api/v1/input-sets/{given.pk}/", headers={"If-Match": "*"})
        assert answer.status_code == 202
    assert draft.cases.count() == CASES
    job = finished("remove")
    assert (job.outcome, draft.cases.count()) == ({"removed": CASES}, 0)
    assert f"{CASES} removed" in as_author.get(reverse("packs:job", args=[job.pk])).content.decode()
    assert as_author.post(f"/api/v1/packs/{draft.pk}/undo/").status_code == 202
    finished("undo")
    assert draft.cases.count() == CASES


def test_many_cases_become_csv_by_a_job_that_gives_what_a_request_gives_of_few(as_author, draft, monkeypatch):
    ref = NodeRef(NodeKind.INPUT_SET, draft.input_sets.get().pk)
    path = reverse("packs:edit-rows-csv", args=[draft.team.slug, draft.slug, ref])
    answer = as_author.get(path, {"sort": "-key"})
    job = finished("export")
    assert answer["Location"] == reverse("packs:job", args=[job.pk])
    by_job = b"".join(as_author.get(reverse("packs:job-file", args=[job.pk])).streaming_content)
    for place in (sizes, tables):
        monkeypatch.setattr(place, "MANY_CASES", CASES)
    assert by_job == b"".join(as_author.get(path, {"sort": "-key"}).streaming_content)
    rows = list(csv.reader(io.StringIO(by_job.decode("utf-8-sig"))))
    assert [row[0] for row in rows[1:]] == [f"case-{number}" for number in reversed(range(CASES))]


def test_a_name_for_which_many_nodes_have_to_be_read_is_looked_at_by_a_job(as_author, draft):
    """`value` stands in every case: whether one declares it can only be said once all are read."""
    asked = {"what": "input", "name": "nowhere", "new": "value"}
    answer = as_author.post(f"/api/v1/packs/{draft.pk}/rename/", asked, "application/json")
    assert answer.status_code == 202
    execute_job(Job.objects.get(kind="rename").pk)
    assert Job.objects.get(kind="rename").status == "refused"


def test_the_packs_own_document_may_not_be_a_list(as_author, draft):
    path, headers = f"/api/v1/packs/{draft.pk}/", {"If-Match": "*"}
    answer = as_author.put(path, {"document": []}, "application/json", headers=headers)
    assert (answer.status_code, stale(draft)) == (422, False)
