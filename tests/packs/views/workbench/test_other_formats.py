"""The workbench of packs whose format has no challenges, and whose rows leave their family to the pack."""

import pytest

from packs.formats import adapter_of
from packs.formats.document import NodeKind
from packs.importing import import_pack
from tests.packs.views.workbench.pages import Page

MANIFEST = b"id: quiz\nversion: 1\ndefaults: {family: short_answer, environment: {image: i}}\n"
ROW = b'{"id": "a", "input": {"question": "Where?"}, "eval": {"accepted_answers": ["Leeds"]}}\n'


@pytest.fixture
def quiz(team, author):
    files = {"manifest.yaml": MANIFEST, "tasks.jsonl": ROW + b"oops\n", "assets/a.txt": b"x"}
    return import_pack(team, author, files, "quiz", format="benchmark_pack")


@pytest.fixture
def row_page(as_author, quiz):
    return lambda number=0, **query: Page(as_author, quiz, f"cases/{quiz.cases.order_by('position')[number].pk}", query)


def test_where_a_format_has_no_files_nothing_offers_or_adds_any(as_author, quiz, row_page, monkeypatch):
    address = f"/packs/default/{quiz.slug}/edit/files/"
    assert address in row_page().html
    monkeypatch.delitem(adapter_of("benchmark_pack").SCHEMA, NodeKind.ASSET)
    assert as_author.get(address).status_code == 404
    for page in (row_page().html, as_author.get(f"/packs/default/{quiz.slug}/").content.decode()):
        assert address not in page
        assert "Add an asset" not in page


def pointers(page):
    return {field.pointer for field in page.response.context["form"].walk()}


def test_nothing_is_said_of_challenges_where_there_can_be_none(row_page, as_author, quiz):
    page = row_page()
    assert not page.response.context["outline"]["has_challenges"]
    assert page.response.context["style"] is None
    assert "challenges" not in as_author.get(f"/packs/default/{quiz.slug}/").context["totals"]


def test_a_row_is_drawn_with_the_fields_of_the_family_that_the_pack_names(row_page):
    assert {"/input/question", "/eval/accepted_answers/0", "/eval/tolerance"} <= pointers(row_page())


def test_items_with_fields_of_their_own_can_be_duplicated_and_single_values_cannot(row_page, node_page, case):
    assert "duplicate:/inputs/0" in node_page(f"cases/{case.pk}").html
    assert "remove:/eval/accepted_answers/0" in row_page().html
    assert "duplicate:" not in row_page().html


def test_another_family_brings_other_fields_and_keeps_what_was_there(row_page, quiz):
    row = quiz.cases.order_by("position")[0]
    row.document = {**row.document, "family": "free_response"}
    row.save()
    assert {"/input/prompt", "/input/question", "/eval/rubric"} <= pointers(row_page())


def test_a_line_that_is_no_row_can_be_opened_and_says_why(row_page):
    page = row_page(1)
    assert page.response.status_code == 200
    assert "/$line" in pointers(page)
    assert [problem["code"] for problem in row_findings(page)] == ["benchmark_pack.E110"]


def row_findings(page):
    return [found.as_dict() for field in page.response.context["form"].walk() for found in field.findings]


def test_switching_the_family_asks_about_what_would_be_lost(row_page, quiz, as_author):
    page = row_page()
    row = quiz.cases.order_by("position")[0]
    field = {"at": "/family", "seen": quiz.revision, "t?:/family": "free_response"}
    url = f"{page.address}field/"
    asked = as_author.post(url, field, headers={"HX-Request": "true"})
    assert asked.context["refusals"][0].lost == "input.question, eval.accepted_answers"
    row.refresh_from_db()
    assert "family" not in row.document
    as_author.post(url, {**field, "confirm": "/family"})
    row.refresh_from_db()
    assert row.document == {"id": "a", "family": "free_response"} | {
        key: row.document[key] for key in ("input", "eval") if key in row.document
    }
    assert not row.document.get("input")
    assert not row.document.get("eval")


def test_the_lint_of_the_manifest_leaves_out_what_is_wrong_in_the_rows(as_author, quiz):
    url = f"/packs/default/{quiz.slug}/edit/yaml/"
    assert quiz.cases.filter(error_count__gt=0).exists()
    text = as_author.get(url).context["text"].replace("version: 1", "version: one")
    found = as_author.post(f"{url}lint/", {"text": text}).json()["findings"]
    assert {item["file"] for item in found} == {"manifest.yaml"}
    assert {item["line"] for item in found if item["severity"] == "error"} == {2}
