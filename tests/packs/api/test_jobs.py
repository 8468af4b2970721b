import pytest

from packs.jobs import execute_job
from packs.models import Job
from tests.packs.grid.benchmark import grid_draft


@pytest.fixture
def draft(team):
    return grid_draft(team)


@pytest.fixture
def change(as_author, draft):
    """Ask for an act on the cases that match: `change("remove", {"q": "x"})`."""

    def ask(act, where, **more):
        body = {"input_set": draft.input_sets.get().pk, "act": act, "where": where, **more}
        return as_author.post(f"/api/v1/packs/{draft.pk}/cases/changes/", body, content_type="application/json")

    return ask


HARD = {"is:/metadata/level": "hard"}
TOUGH = {"act": "set", "pointer": "/metadata/level", "text": "tough"}


def levels(draft):
    return [case.document["metadata"]["level"] for case in draft.cases.order_by("position")]


def test_a_dry_run_says_what_an_edit_would_do_and_writes_nothing(change, draft):
    told = change("edit", HARD, wish=TOUGH, dry_run=True).json()
    assert (told["matches"], told["changed"], told["unchanged"], told["refused"]) == (3, 3, 0, 0)
    assert (told["examples"][0]["before"], told["examples"][0]["after"]) == ("hard", "tough")
    assert not Job.objects.exists()
    assert levels(draft) == ["easy", "hard"] * 3


def test_an_edit_of_all_that_match_is_a_job_that_can_be_followed_and_undone(change, draft, as_author):
    answer = change("edit", HARD, wish=TOUGH)
    assert answer.status_code == 202
    assert as_author.get(answer["Location"]).json()["status"] == "queued"
    execute_job(answer.json()["id"])
    shown = as_author.get(answer["Location"]).json()
    assert (shown["status"], shown["outcome"]["changed"]) == ("completed", 3)
    assert levels(draft) == ["easy", "tough"] * 3
    as_author.post(f"/api/v1/packs/{draft.pk}/undo/")
    assert levels(draft) == ["easy", "hard"] * 3


def test_cases_that_match_are_removed_and_the_others_stay(change, draft):
    assert change("remove", HARD, dry_run=True).json()["changed"] == 3
    execute_job(change("remove", HARD).json()["id"])
    assert levels(draft) == ["easy"] * 3


@pytest.mark.parametrize(
    ("act", "where", "more", "status"),
    [
        ("remove", {"level": "hard"}, {}, 400),
        ("remove", {"problems": "some"}, {}, 400),
        ("remove", {"q": "\u00fc" * 100_000}, {}, 400),
        ("remove", {"is:/metadata/level": "x" * 100_000}, {"dry_run": True}, 400),
        ("edit", {}, {}, 400),
        ("move", {}, {}, 400),
        ("move", {}, {"target": 2**40}, 404),
        ("edit", {}, {"wish": {"act": "clear", "pointer": "/nowhere"}}, 422),
    ],
)
def test_a_request_that_could_hit_other_cases_than_were_meant_is_refused(change, draft, act, where, more, status):
    assert change(act, where, **more).status_code == status
    assert not Job.objects.exists()


def test_own_jobs_are_listed_and_one_that_waits_is_cancelled_once(change, draft, as_author, as_administrator):
    pk = change("duplicate", {}).json()["id"]
    listed = as_author.get("/api/v1/jobs/", {"pack": draft.pk, "status": "queued"}).json()["results"]
    assert [job["id"] for job in listed] == [pk]
    assert as_administrator.get("/api/v1/jobs/").json()["results"] == []
    assert as_author.post(f"/api/v1/jobs/{pk}/cancel/").json()["status"] == "cancelled"
    assert as_author.post(f"/api/v1/jobs/{pk}/cancel/").status_code == 409
    assert draft.cases.count() == 6


def test_the_file_of_an_export_is_fetched_once_it_is_made(as_author, author, team, draft):
    job = Job.objects.create(kind="export", team=team, user=author, pack=draft, title="Export")
    assert as_author.get(f"/api/v1/jobs/{job.pk}/file/").status_code == 404
    execute_job(job.pk)
    answer = as_author.get(f"/api/v1/jobs/{job.pk}/file/")
    assert b"".join(answer.streaming_content)[:2] == b"PK"
    assert "attachment" in answer["Content-Disposition"]
