"""Fields that name files: offered, created while one types; and long texts beside their previews."""

import pytest
from playwright.sync_api import expect

from packs.formats.task_suite import dump, starter
from packs.importing import import_pack
from tests.corpora import ROOT

pytestmark = pytest.mark.browser
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
LONG = "# Refunds\n\n- Names the **parcel**\n- Names the `day`\n\nAnd apologises."


@pytest.fixture
def task(transactional_db, team, author):
    case = import_pack(team, author, dump(starter("tasks", "Tasks")), "tasks", format="task_suite").cases.first()
    grader = {"type": "model_rubric", "rubric_paths": [""], "assertions": []}
    case.document = {**case.document, "description": LONG, "graders": [grader]}
    case.save()
    return case


def address(task):
    return f"/packs/{task.pack.team.slug}/{task.pack.slug}/edit/cases/{task.pk}/"


def test_a_rubric_is_created_from_what_was_typed_without_a_mouse(open_as, as_author, task, errors):
    page = open_as(as_author, address(task))
    field = page.locator('[name$="/rubric_paths/0"]')
    field.focus()
    page.keyboard.type("../_shared/rubrics/kind.md")
    create = page.get_by_role("button", name="Create file ../_shared/rubrics/kind.md")
    expect(create).to_be_visible()
    expect(field).to_be_focused()
    page.keyboard.press("Tab")
    expect(create).to_be_focused()
    page.keyboard.press("Enter")
    expect(create).to_have_count(0)
    assert task.pack.assets.filter(key="evals/_shared/rubrics/kind.md").exists()
    assert errors == []


def test_a_long_text_stands_beside_its_preview_once_the_lenses_are_hidden(open_as, as_author, task, errors):
    page = open_as(as_author, address(task))
    page.set_viewport_size({"width": 1440, "height": 900})
    preview = page.locator(".sided__preview", has_text="apologises")
    expect(preview).to_be_hidden()
    page.keyboard.press("w")
    expect(preview).to_be_visible()
    expect(preview.locator("li strong")).to_have_text("parcel")
    text = page.locator('textarea[name$="/description"]')
    assert text.bounding_box()["x"] + text.bounding_box()["width"] <= preview.bounding_box()["x"]
    text.focus()
    page.keyboard.press("Control+End")
    page.keyboard.type(" **Soon.**")
    expect(preview.locator("strong", has_text="Soon.")).to_be_visible()
    expect(text).to_be_focused()
    page.reload()
    expect(preview).to_be_visible()
    expect(page.locator(".bench__lens")).to_be_hidden()
    assert errors == []


@pytest.mark.parametrize("width", [1440, 390])
def test_pickers_and_previews_are_accessible(open_as, as_author, task, width, errors):
    page = open_as(as_author, address(task))
    page.set_viewport_size({"width": width, "height": 1000})
    page.keyboard.press("w")
    page.locator('[name$="/rubric_paths/0"]').fill("../_shared/rubrics/kind.md")
    expect(page.get_by_role("button", name="Create file")).to_be_visible()
    page.evaluate(AXE.read_text())
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [(item["id"], node["target"]) for item in found["violations"] for node in item["nodes"]] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert errors == []
