"""A row of a JSON Lines file has one limit at every door: command, import, API, form, lens and grid."""

import io
import json
import random
from urllib.parse import parse_qs, urlsplit

import orjson
import pytest

from packs.formats import jsonio
from packs.formats.archives import write_zip
from packs.formats.checking import check_files
from packs.formats.command import main
from packs.formats.terminal import FINDINGS
from packs.jobs import execute_job, start_check
from packs.models import Job, JobStatus
from packs.publish import PublishRefused, publish
from tests.packs.grid.benchmark import MANIFEST, grid_draft, row
from tests.packs.views.workbench.pages import Page

LIMIT = jsonio.MAX_LINE_BYTES
TOO_LONG = "json.E005"
SUITE = b"tests: ./rows.jsonl\n"


def long_row(size):
    """A row whose line has just this many bytes."""
    found = row(0)
    found["input"]["question"] = "x" * (size - len(orjson.dumps(found)) + len(found["input"]["question"]))
    return found


@pytest.fixture
def draft(team):
    return grid_draft(team, [row(0)])


@pytest.fixture
def case(draft):
    return draft.cases.get()


def work_off():
    """Do the jobs that edits of heavy documents, and their checks, are."""
    while job := Job.objects.filter(status=JobStatus.QUEUED).first():
        execute_job(job.pk)


def is_told(case):
    """Whether a case says that it is too long, and cannot be published."""
    work_off()
    case.refresh_from_db()
    with pytest.raises(PublishRefused):
        publish(case.pack, None)
    return TOO_LONG in {item["code"] for item in case.findings}


def test_the_command_line_names_the_line(tmp_path):
    (tmp_path / "manifest.yaml").write_bytes(MANIFEST)
    rows = tmp_path / "tasks.jsonl"
    out = io.StringIO()
    rows.write_bytes(b"\n" + orjson.dumps(long_row(LIMIT + 1)))
    assert main(["check", str(tmp_path)], out) == FINDINGS
    assert f"tasks.jsonl:2:1: error {TOO_LONG}" in out.getvalue()
    rows.write_bytes(b"\n" + orjson.dumps(long_row(LIMIT)))
    assert main(["check", str(tmp_path)], io.StringIO()) == 0


def test_rows_of_an_agentv_suite_have_the_same_limit():
    test = {"id": "a", "criteria": "Greets", "input": ""}
    for more, expected in ((0, []), (1, [("rows.jsonl", 2)])):
        text = orjson.dumps({**test, "input": "x" * (LIMIT - len(orjson.dumps(test)) + more)})
        checked = check_files({"s.eval.yaml": SUITE, "rows.jsonl": b"\n" + text})
        assert [(found.file, found.line) for found in checked.findings if found.is_error] == expected


def test_a_form_tells_it_at_the_case(as_author, author, draft, case):
    page = Page(as_author, draft, f"cases/{case.pk}")
    page.fill(**{"/input/question": long_row(LIMIT)["input"]["question"] + "xx"}).send()
    # So long a row is checked by the job that the page asks for.
    draft.refresh_from_db()
    assert draft.checked_revision != draft.revision
    start_check(draft, author)
    assert is_told(case)


@pytest.mark.parametrize("door", ["cases/{case}/lint/", "yaml/lint/"])
def test_the_yaml_lenses_have_a_limit_of_their_own_and_say_so(as_author, draft, case, door):
    address = f"/packs/default/rows/edit/{door.format(case=case.pk)}"
    found = as_author.post(address, {"text": json.dumps(long_row(LIMIT))}).json()["findings"]
    assert [item["code"] for item in found] == ["json.E008"]


def test_a_text_that_is_too_long_is_not_stored_and_not_lost(as_author, draft, case):
    before, text = case.document, json.dumps(long_row(2_500_000))
    page = Page(as_author, draft, f"cases/{case.pk}", {"lens": "yaml"})
    answer = as_author.post(f"{page.base}cases/{case.pk}/yaml/", {"text": text, "seen": page.controls["seen"]})
    assert answer.status_code == 422
    assert [item["code"] for item in answer.context["findings"]] == ["json.E008"]
    assert answer.context["text"] == text
    case.refresh_from_db()
    assert case.document == before


def test_the_api_tells_it_with_the_node(as_author, case):
    for size, expected in ((LIMIT, []), (LIMIT + 1, [TOO_LONG])):
        body = json.dumps({"document": long_row(size)})
        answer = as_author.put(
            f"/api/v1/cases/{case.pk}/", body, content_type="application/json", headers={"If-Match": "*"}
        )
        assert answer.status_code == (202 if expected else 200)
        work_off()
        found = as_author.get(f"/api/v1/cases/{case.pk}/").json()["findings"]
        assert [item["code"] for item in found if item["severity"] == "error"] == expected
    assert is_told(case)


@pytest.mark.parametrize(("size", "reason"), [(LIMIT, ""), (LIMIT + 1, f"at most {LIMIT} can be read")])
def test_the_grid_refuses_such_a_line_of_a_table(as_author, draft, size, reason):
    base = f"/packs/default/rows/edit/sets/{draft.input_sets.get().pk}/rows/table/"
    file = io.BytesIO(orjson.dumps({**row(1), "id": "other"}) + b"\n" + orjson.dumps(long_row(size)) + b"\n")
    token = parse_qs(urlsplit(as_author.post(base, {"file": file})["Location"]).query)["upload"][0]
    # So long a table is checked by a job.
    job_page = as_author.post(base, {"upload": token, "names": "1", "map:0": "/id", "look": "1"})["Location"]
    execute_job(Job.objects.get().pk)
    report = as_author.get(job_page, follow=True).context["report"]
    assert [item["line"] for item in report["troubles"]] == ([2] if reason else [])
    assert all(reason in item["reason"] for item in report["troubles"])


def test_an_import_by_the_page_names_the_line(as_author, team):
    # What a zip packs too well is refused before it is read.
    line = orjson.dumps({**row(0), "noise": random.Random(1).randbytes(LIMIT // 2).hex()})
    content = write_zip({"manifest.yaml": MANIFEST, "tasks.jsonl": b"\n" + line})
    file = io.BytesIO(content)
    file.name = "long.zip"
    waiting = as_author.post("/packs/import/", {"team": team.pk, "files": [file]})
    execute_job(Job.objects.get().pk)
    shown = as_author.get(waiting["Location"], follow=True)
    assert [(found["code"], found["line"]) for found in map(as_told, shown.context["findings"])] == [(TOO_LONG, 2)]
    assert not team.packs.exists()


def as_told(finding):
    return finding if isinstance(finding, dict) else finding.as_dict()
