"""A large draft is checked and exported by jobs, and what they give is what a request gives of a small one."""

import pytest
from django.urls import reverse

from packs.exporting import export_draft, export_variant
from packs.formats.agentv import origins
from packs.formats.costs import MANY_CASES
from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Job, Pack
from packs.views.library.origins import PAGE_ROWS
from tests.packs.drafts import draft_of, pack_text
from tests.packs.suites import FILES


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
    assert "notice--red" in ended
    assert "notice--green" not in ended
    assert path in ended
    assert "execution_mode" in as_author.get(path).content.decode()


def test_a_draft_whose_check_has_not_ended_is_not_shown_as_valid(as_author, draft, settings):
    path = reverse("packs:edit-problems", args=[draft.team.slug, draft.slug])
    waiting = as_author.get(path).content.decode()
    settings.JOB_SECONDS = 0.01
    execute_job(Job.objects.get().pk)
    refused = as_author.get(path).content.decode()
    for page in (waiting, refused):
        assert ">Not checked yet<" in page
        assert ">Valid<" not in page
    assert "A job checks it" in waiting
    assert "The check of this draft failed" in refused


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


@pytest.fixture
def suite(team, author):
    tests = "".join(f"  - {{id: t-{at}, criteria: Right, input: Do {at}.}}\n" for at in range(MANY_CASES + 1))
    head, _, _ = FILES["widgets.eval.yaml"].decode().partition("tests:")
    return import_pack(
        team, author, {"widgets.eval.yaml": f"{head}tests:\n{tests}".encode()}, "widgets", slug="widgets"
    )


def test_a_variant_of_it_is_written_by_a_job_that_says_what_is_lost(as_author, suite):
    path = reverse("packs:export-variant", args=["default", "widgets", "pinned"])
    pages = {as_author.get(path)["Location"], as_author.get(path, {"download": "1"})["Location"]}
    (job,) = Job.objects.all()
    assert pages == {reverse("packs:job", args=[job.pk])}
    execute_job(job.pk)
    assert "workspace.repos[0].clone.depth" in as_author.get(*pages).text
    content = b"".join(as_author.get(reverse("packs:job-file", args=[job.pk])).streaming_content)
    assert content == export_variant(suite, "pinned")[0].files["widgets.eval.yaml"]


@pytest.mark.parametrize("way", ["page", "REST"])
def test_its_cases_are_moved_between_files_by_a_job(as_author, suite, way):
    body = {"input_set": suite.input_sets.get().pk, "how": "rows"}
    if way == "page":
        answer = as_author.post(reverse("packs:arrangement", args=["default", "widgets"]), body)
    else:
        answer = as_author.post(f"/api/v1/packs/{suite.pk}/arrangement/", body, content_type="application/json")
    job = Job.objects.get()
    assert (answer.status_code, "tests" in suite.input_sets.get().document) == (302 if way == "page" else 202, False)
    execute_job(job.pk)
    assert suite.input_sets.get().document["tests"] == "./widgets.jsonl"
    assert "The cases were moved" in as_author.get(reverse("packs:job", args=[job.pk])).text


def test_a_way_to_keep_its_cases_that_is_not_offered_starts_no_job(as_author, suite):
    body = {"input_set": suite.input_sets.get().pk, "how": "x"}
    assert as_author.post(reverse("packs:arrangement", args=["default", "widgets"]), body).status_code == 422
    address = f"/api/v1/packs/{suite.pk}/arrangement/"
    assert as_author.post(address, body, content_type="application/json").status_code == 422
    assert not Job.objects.exists()


def test_origins_are_worked_out_for_the_cases_on_the_page(as_author, suite, monkeypatch):
    asked = []
    origin_of = origins.origin_of
    monkeypatch.setattr(origins, "origin_of", lambda *documents: asked.append(documents) or origin_of(*documents))
    page = as_author.get(reverse("packs:origins", args=["default", "widgets"]), {"page": 2}).context["page"]
    assert (page.paginator.count, page[0].key, len(asked)) == (MANY_CASES + 1, "t-100", PAGE_ROWS)


def test_it_is_not_shown_or_checked_as_one_text(as_author, draft):
    path = reverse("packs:edit-whole", args=[draft.team.slug, draft.slug])
    assert as_author.get(path).context["is_too_long"]
    (found,) = as_author.post(f"{path}lint/", {"text": "pack: {}"}).json()["findings"]
    assert found["code"] == "form.E004"
    # Who wrote while it grew keeps the text.
    draft.refresh_from_db()
    answer = as_author.post(path, {"text": "pack: {slug: my-own-words}", "seen": draft.revision})
    assert answer.status_code == 422
    assert "my-own-words" in answer.content.decode()
