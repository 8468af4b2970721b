"""The grid of cases as people use it, with its script."""

import pytest
from playwright.sync_api import expect

from tests.corpora import ROOT
from tests.packs.drafts import draft_of, pack_text
from tests.packs.grid.benchmark import grid_draft

pytestmark = pytest.mark.browser
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = ("serious", "critical")
PASTE = """text => {
    const clipboard = new DataTransfer();
    clipboard.setData("text/plain", text);
    const given = {clipboardData: clipboard, bubbles: true, cancelable: true};
    document.body.dispatchEvent(new ClipboardEvent("paste", given));
}"""


@pytest.fixture
def draft(transactional_db, team):
    return grid_draft(team)


@pytest.fixture
def grid(open_as, as_author, draft):
    return open_as(as_author, f"/packs/default/rows/edit/sets/{draft.input_sets.get().pk}/rows/")


def cell(page, draft, key, pointer):
    return page.locator(f'#case-{draft.cases.get(key=key).pk} .cell[data-at="{pointer}"]')


def value(draft, key, *path):
    found = draft.cases.get(key=key).document
    for step in path:
        found = found[step]
    return found


def test_a_cell_is_reached_edited_checked_and_saved_by_keys(grid, draft, errors):
    cell(grid, draft, "row-2", "/input/question").hover()
    grid.mouse.down()
    # As when fixes come into a row above.
    grid.evaluate("document.querySelector('#rows-table thead th').style.height = '300px'")
    grid.mouse.up()
    grid.keyboard.press("ArrowUp")
    expect(cell(grid, draft, "row-1", "/input/question")).to_be_focused()
    grid.keyboard.press("Enter")
    control = grid.locator("[data-cell-control]")
    expect(control).to_be_focused()
    control.fill("")
    expect(grid.locator(".cell__findings .fld__finding--error")).to_be_visible()
    control.fill("How many vans?")
    expect(grid.locator(".cell__findings .fld__finding")).to_have_count(0)
    grid.keyboard.press("Enter")
    expect(cell(grid, draft, "row-1", "/input/question")).to_have_text("How many vans?")
    expect(cell(grid, draft, "row-1", "/input/question")).to_be_focused()
    assert value(draft, "row-1", "input", "question") == "How many vans?"
    grid.keyboard.press("Control+z")
    expect(cell(grid, draft, "row-1", "/input/question")).to_have_text("How many parcels are in van 1?")
    assert errors == []


def test_escape_leaves_a_cell_as_it_was_and_tab_goes_on_to_the_next(grid, draft, errors):
    cell(grid, draft, "row-2", "/input/question").dblclick()
    grid.locator("[data-cell-control]").fill("Never mind")
    grid.keyboard.press("Escape")
    expect(cell(grid, draft, "row-2", "/input/question")).to_have_text("How many parcels are in van 2?")
    grid.keyboard.press("Enter")
    grid.locator("[data-cell-control]").fill("Which van?")
    grid.keyboard.press("Tab")
    expect(grid.locator('.cell--edit[data-at="/eval/accepted_answers"] [data-cell-control]')).to_be_focused()
    grid.keyboard.press("Escape")
    expect(cell(grid, draft, "row-2", "/input/question")).to_have_text("Which van?")
    assert value(draft, "row-2", "input", "question") == "Which van?"
    assert errors == []


def test_a_cell_that_is_left_by_the_mouse_is_saved(grid, draft, errors):
    cell(grid, draft, "row-3", "/metadata/level").dblclick()
    grid.locator("[data-cell-control]").fill("medium")
    grid.locator("h1").click()
    expect(cell(grid, draft, "row-3", "/metadata/level")).to_have_text("medium")
    assert value(draft, "row-3", "metadata", "level") == "medium"
    assert errors == []


def test_cases_are_found_while_typing_ticked_and_changed_together(grid, draft, errors):
    grid.keyboard.press("/")
    grid.keyboard.type("metadata.level:hard")
    expect(grid.locator("#rows-table tbody tr")).to_have_count(3)
    expect(grid.get_by_role("button", name="Edit a field")).to_be_disabled()
    grid.locator("#rows-all").check()
    expect(grid.locator("#rows-count")).to_have_text("3 ticked")
    grid.get_by_role("button", name="Edit a field").click()
    grid.locator("#bulk-form [name=pointer]").select_option("/metadata/level")
    grid.locator("#bulk-form [name=text]").fill("tough")
    expect(grid.locator("#plan ins").first).to_have_text("tough")
    grid.get_by_role("button", name="Change 3 cases").click()
    expect(grid.get_by_role("heading", name="No case matches")).to_be_visible()
    assert [case.document["metadata"]["level"] for case in draft.cases.order_by("position")] == ["easy", "tough"] * 3
    assert errors == []


def test_rows_of_a_spreadsheet_are_pasted_into_the_grid(grid, draft, errors):
    grid.evaluate(PASTE, "id\tquestion\taccepted_answers\nfresh\tWhere?\tHub 9\nrow-0\tWhy?\t0 parcels\n")
    expect(grid.locator("#merged")).to_be_visible()
    grid.get_by_label("Add only").check()
    grid.get_by_label("Add only").uncheck()
    grid.get_by_role("button", name="Import 2 rows").click()
    expect(grid.locator("#rows-table")).to_contain_text("fresh")
    assert value(draft, "fresh", "eval", "accepted_answers") == ["Hub 9"]
    assert value(draft, "row-0", "input", "question") == "Why?"
    assert errors == []


def test_nothing_keeps_people_with_disabilities_out(grid, draft):
    grid.evaluate(AXE.read_text())
    cell(grid, draft, "row-0", "/input/question").dblclick()
    expect(grid.locator("[data-cell-control]")).to_be_focused()
    for theme in ("light", "dark"):
        grid.emulate_media(color_scheme=theme)
        found = grid.evaluate("async () => (await axe.run()).violations")
        serious = [
            (item["id"], item["nodes"][0]["html"]) for item in found if item["impact"] in ("serious", "critical")
        ]
        assert serious == []


def test_fixes_stay_in_the_grid_and_undo_takes_them_back(open_as, as_author, transactional_db, team, errors):
    slipped = draft_of(team, pack_text(3).replace(b" inputs:", b" inpts:"))
    page = open_as(as_author, f"/packs/default/parcels/edit/sets/{slipped.input_sets.get().pk}/rows/")
    alone = page.get_by_role("button", name="Rename inpts to inputs", exact=True)
    expect(alone).to_have_count(3)
    alone.nth(1).click()
    expect(page.locator("#rows")).to_have_attribute("data-revision", str(slipped.revision + 1))
    expect(alone).to_have_count(2)
    assert [("inputs" in case.document) for case in slipped.cases.order_by("position")] == [False, True, False]
    page.get_by_role("button", name="Fix all like").click()
    expect(page.locator("#rows")).to_have_attribute("data-revision", str(slipped.revision + 2))
    expect(alone).to_have_count(0)
    assert all("inputs" in case.document for case in slipped.cases.all())
    page.keyboard.press("Control+z")
    expect(alone).to_have_count(2)
    assert errors == []
