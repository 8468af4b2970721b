"""What is too much for a request is looked at and imported by jobs, whichever door it comes through."""

import io
import tarfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from packs.access import Role
from packs.formats.archives import write_zip
from packs.formats.costs import MANY_CASES, MAX_BYTES, MAX_VALUES
from packs.jobs import execute_job
from packs.models import Job, Pack
from tests.packs.drafts import draft_of, pack_text
from tests.people import client_of, make_member

HEAD = b"pack: {slug: big, name: Big, family: x}\n"
ALIASES = b"a: &a [" + b"1," * 500 + b"1]\nb: &b [" + b"*a," * 20 + b"*a]\nc: [" + b"*b," * 20 + b"*b]\n"


def packed_tar(kind):
    """An archive of a few kilobytes that unpacks to more than a request reads."""
    kept = io.BytesIO()
    with tarfile.open(fileobj=kept, mode=f"w:{kind}") as archive:
        info = tarfile.TarInfo("zeros.txt")
        info.size = 4 * MAX_BYTES
        archive.addfile(info, io.BytesIO(bytes(info.size)))
    return kept.getvalue()


HEAVY = {
    "unknown keys": ("pack.yaml", HEAD + b"".join(b"k%d: 1\n" % at for at in range(MAX_VALUES))),
    "a list in one line": ("pack.yaml", HEAD + b"k: [" + b"1," * MAX_VALUES + b"1]\n"),
    "aliases of aliases": ("pack.yaml", HEAD + ALIASES),
    "lists in lists": ("pack.yaml", HEAD + b"k:\n" + b"- - - - - a\n" * (MAX_VALUES // 4)),
    "old line ends": ("pack.yaml", HEAD + b"".join(b"k%d: 1\r" % at for at in range(MAX_VALUES))),
    "JSON": ("pack.json", b'{"pack": {}, "k": [' + b"{}," * MAX_VALUES + b"{}]}"),
    "a long line": ("pack.yaml", HEAD + b"k: " + b"x" * MAX_BYTES + b"\n"),
    "a zip": ("pack.zip", write_zip({"pack.yaml": HEAD, "notes.txt": b"a\n" * MAX_BYTES})),
    "a packed tar": ("pack.tar.bz2", packed_tar("bz2")),
}


@pytest.fixture(params=HEAVY)
def heavy(request):
    return HEAVY[request.param]


def rest(client, name, data, **query):
    path = reverse("packs-api:pack-import", query={"name": name, **query})
    return client.post(path, data, content_type="application/octet-stream")


def test_over_rest_an_import_of_much_is_a_job_that_says_what_it_found(as_author, heavy):
    answer = rest(as_author, *heavy)
    job = Job.objects.get()
    assert (answer.status_code, answer["Location"]) == (202, f"/api/v1/jobs/{job.pk}/")
    assert not Pack.objects.exists()
    execute_job(job.pk)
    told = as_author.get(answer["Location"]).json()
    if told["status"] == "refused":
        assert told["outcome"]["findings"]
    else:
        assert (told["status"], told["pack"]) == ("completed", Pack.objects.get().pk)


def test_a_preview_of_much_is_a_job_over_rest_and_in_the_page(as_author, team, heavy):
    name, data = heavy
    assert rest(as_author, name, data, dry_run="true").status_code == 202
    sent = as_author.post(reverse("packs:import"), {"team": team.pk, "files": SimpleUploadedFile(name, data)})
    jobs = Job.objects.order_by("-pk")
    assert sent.url == reverse("packs:job", args=[jobs[0].pk])
    assert {job.kind for job in jobs} == {"look"}
    assert not Pack.objects.exists()


def test_what_a_job_looked_at_is_confirmed_over_rest_and_imported_by_a_job(as_author):
    looking = rest(as_author, "pack.yaml", pack_text(MANY_CASES * 2), dry_run="true").json()["id"]
    execute_job(looking)
    preview = as_author.get(f"/api/v1/jobs/{looking}/").json()["outcome"]
    assert preview["counts"]["case"] == MANY_CASES * 2
    answer = as_author.post("/api/v1/packs/import/confirm/", {"token": preview["token"]}, "application/json")
    assert answer.status_code == 202
    execute_job(answer.json()["id"])
    assert Pack.objects.get().cases.count() == MANY_CASES * 2


def test_few_files_are_imported_at_once(as_author):
    assert rest(as_author, "pack.yaml", pack_text(20)).status_code == 201
    assert rest(as_author, "pack.tar.gz", pack_text(20), dry_run="true").status_code == 200
    assert not Job.objects.exists()


def test_few_files_that_replace_a_large_draft_are_imported_by_a_job(as_author, team):
    draft = draft_of(team, pack_text(MANY_CASES + 1))
    answer = rest(as_author, "pack.yaml", pack_text(2), slug=draft.slug)
    assert answer.status_code == 202
    assert draft.cases.count() == MANY_CASES + 1
    execute_job(answer.json()["id"])
    assert draft.cases.count() == 2


def test_who_may_not_write_any_more_when_the_job_begins_imports_nothing(as_author, author):
    answer = rest(as_author, "pack.yaml", pack_text(MANY_CASES * 2))
    author.memberships.update(role="viewer")
    execute_job(answer.json()["id"])
    assert Job.objects.get().status == "failed"
    assert not Pack.objects.exists()


def test_a_draft_whose_one_document_is_large_is_published_by_a_job(team):
    draft = draft_of(
        team, pack_text(1) + b"x-keys: {" + b"".join(b"k%d: 1, " % at for at in range(MAX_VALUES)) + b"}\n"
    )
    answer = client_of(make_member(team, Role.CURATOR)).post(
        f"/api/v1/packs/{draft.pk}/publish/", {}, "application/json"
    )
    assert answer.status_code == 202
