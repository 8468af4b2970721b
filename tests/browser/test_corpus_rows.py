"""Each valid benchmark pack of the corpus, in one browser session: imported, one row edited, published."""

import pytest
from playwright.sync_api import expect

from packs.access import Role
from packs.exporting import export_draft
from packs.formats.archives import read_path, write_zip
from packs.models import Pack
from tests.browser.test_workbench import control, saved
from tests.corpora import corpus_folder
from tests.people import client_of, make_member

FOLDER = corpus_folder("benchmark-pack")
FOLDERS = sorted(path.parent for path in FOLDER.glob("*/manifest.yaml") if path.parent.name != "sample-broken")
pytestmark = pytest.mark.browser


def import_in(page, archive):
    page.get_by_role("navigation").get_by_role("link", name="Packs").first.click()
    page.get_by_role("link", name="Import", exact=True).click()
    page.set_input_files("input[type=file]", archive)
    page.get_by_role("button", name="Preview the import").click()
    page.get_by_role("button", name="Import").click()
    page.wait_for_url("**/packs/default/*/")
    return Pack.objects.latest("pk")


def edit_first_row(page, pack, key):
    """Leave the row without its key, see it said, and give it another one."""
    page.get_by_role("link", name="Edit draft").click()
    row = pack.cases.order_by("position").first()
    page.goto(f"{page.url.partition('/edit/')[0]}/edit/cases/{row.pk}/")
    control(page, "/id").fill("")
    expect(page.locator('[data-at="/id"]').first.locator(".fld__finding--error")).to_be_visible()
    control(page, "/id").fill(key)
    expect(page.locator(".cm-content")).to_contain_text(key)
    saved(page)
    expect(page.locator("#problem-count")).not_to_contain_text("error")


def publish(page):
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("link", name="Check and publish").click()
    page.get_by_role("button", name="Publish").click()
    page.wait_for_url("**/versions/*/")


def lines_of(pack):
    return [line for name, data in sorted(export_draft(pack).files.items()) for line in data.splitlines()]


def test_one_row_of_every_pack_is_edited_and_published(transactional_db, team, open_as, tmp_path, errors):
    page = open_as(client_of(make_member(team, Role.CURATOR)), "/")
    for folder in FOLDERS:
        archive = tmp_path / f"{folder.name}.zip"
        archive.write_bytes(write_zip(read_path(folder)[0]))
        pack = import_in(page, archive)
        before, key = lines_of(pack), f"{folder.name}/edited"
        edit_first_row(page, pack, key)
        publish(page)
        changed = [line for line in lines_of(pack) if line not in before]
        assert len(changed) == 1, folder.name
        assert key in changed[0].decode(), folder.name
        assert pack.versions.count() == 1, folder.name
    assert errors == []
