"""A large draft is checked and exported by jobs, and what they give is what a request gives of a small one."""

import pytest
from django.urls import reverse

from packs.exporting import export_draft
from packs.jobs import execute_job
from packs.jobs.sizes import MANY_CASES
from packs.models import Job, Pack
from tests.packs.drafts import draft_of, pack_text


@pytest.fixture
def draft(team):
    made = draft_of(team, pack_text(MANY_CASES + 1).replace(b"execution_mode: native", b"execution_mode: nativ"))
    # As after an edit: the last check was of another revision.
    Pack.objects.filter(pk=made.pk).update(checked_revision=0, problem_errors=0)
    return made


def test_its_findings_are_found_by_a_job_and_then_there(as_author, draft):
    path = f"/api/v1/packs/{draft.pk}/findings/"
    first, second = as_author.get(path), as_author.get(path)
    assert (first.status_code, second.json()["id"]) == (202, first.json()["id"])
    execute_job(first.json()["id"])
    found = as_author.get(path)
    assert found.status_code == 200
    assert "execution_mode" in str(found.json()["findings"])


def test_its_list_of_problems_leads_to_the_job_that_checks_it(as_author, draft):
    path = reverse("packs:edit-problems", args=[draft.team.slug, draft.slug])
    waiting = as_author.get(path).content.decode()
    job = Job.objects.get()
    assert reverse("packs:job", args=[job.pk]) in waiting
    execute_job(job.pk)
    ended = as_author.get(reverse("packs:job", args=[job.pk])).content.decode()
    assert "1 error " in ended
    assert path in ended
    assert "execution_mode" in as_author.get(path).content.decode()


def test_a_check_that_is_refused_is_not_begun_again_by_looking(as_author, draft, settings):
    settings.JOB_SECONDS = 0.01
    path = f"/api/v1/packs/{draft.pk}/findings/"
    execute_job(as_author.get(path).json()["id"])
    told = as_author.get(path).json()
    assert (told["status"], told["outcome"]["code"]) == ("refused", "over_budget")
    assert Job.objects.count() == 1


@pytest.mark.parametrize("preserve", ["true", ""])
def test_its_files_are_written_by_a_job_over_rest(as_author, draft, preserve):
    answer = as_author.get(f"/api/v1/packs/{draft.pk}/export/", {"preserve": preserve})
    assert answer.status_code == 202
    execute_job(answer.json()["id"])
    content = b"".join(as_author.get(f"{answer['Location']}file/").streaming_content)
    assert [content] == list(export_draft(draft, preserve=bool(preserve)).files.values())


def test_its_download_in_the_page_leads_to_the_job_that_writes_it(as_author, draft):
    page = as_author.get(reverse("packs:export", args=[draft.team.slug, draft.slug])).content.decode()
    path = reverse("packs:export-as", args=[draft.team.slug, draft.slug, "file"])
    assert path in page
    assert "download>" not in page
    answer = as_author.get(path)
    job = Job.objects.get()
    assert answer.url == reverse("packs:job", args=[job.pk])
    execute_job(job.pk)
    content = b"".join(as_author.get(reverse("packs:job-file", args=[job.pk])).streaming_content)
    assert [content] == list(export_draft(draft).files.values())
