"""Uploads that are too large for a request, on a studio as `manage.py up` starts it: real web, real worker."""

import json

import pytest
from playwright.sync_api import expect

from tests.packs.grid.benchmark import MANIFEST, row

pytestmark = [pytest.mark.browser, pytest.mark.services]
# About 20 MB, so that a job takes long enough for its progress to be seen.
ROWS, TEXT = 5_000, "A van stops at the hub. " * 160
# A job may take as long as the machine needs: the limit of the whole test ends what hangs.
JOB_MS = 3_600_000


@pytest.fixture
def page(studio, context, listen):
    """The page of imports, as the administrator whose password was printed sees it."""
    shown = context.new_page()
    listen(shown)
    shown.goto(f"{studio.address}/sign-in/?next=/packs/import/")
    shown.get_by_label("Username").fill("admin")
    shown.get_by_label("Password").fill(studio.password)
    shown.get_by_role("button", name="Sign in").click()
    expect(shown.get_by_role("heading", level=1)).to_have_text("Import a pack")
    return shown


@pytest.fixture
def upload(page, tmp_path):
    """Have lines looked at as the cases of a pack: `upload("slug", lines)`."""

    def act(slug, lines):
        files = [tmp_path / "manifest.yaml", tmp_path / "tasks.jsonl"]
        files[0].write_bytes(MANIFEST.replace(b"parcels", slug.encode()))
        files[1].write_bytes(b"".join(lines))
        page.get_by_label("Files to import").set_input_files(files)
        page.get_by_role("button", name="Preview the import").click()

    return act


def lines_of(count):
    return (json.dumps(row(number, background=TEXT)).encode() + b"\n" for number in range(count))


def imports(page):
    """Begin the import of the preview that is shown."""
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("progressbar")).to_be_visible()


def is_there(studio, page, slug):
    """Whether the pack is one that the user sees."""
    status = page.request.get(f"{studio.address}/packs/default/{slug}/").status
    assert status in (200, 404)
    return status == 200


def test_a_large_pack_is_looked_at_stopped_and_imported_with_its_progress_in_sight(studio, page, upload, errors):
    upload("vans", lines_of(ROWS))
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.locator("#job-phase .number")).to_contain_text(f"of {ROWS}")
    expect(page.get_by_role("button", name="Import")).to_be_visible(timeout=JOB_MS)
    preview = page.url
    assert not is_there(studio, page, "vans")
    imports(page)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".head .chip")).to_have_text("Cancelled", timeout=JOB_MS)
    assert not is_there(studio, page, "vans")
    page.goto(preview)
    imports(page)
    expect(page.locator(".head .chip")).to_have_text("Completed", timeout=JOB_MS)
    page.get_by_role("link", name="Open the pack").click()
    page.wait_for_url("**/packs/default/vans/")
    assert is_there(studio, page, "vans")
    assert errors == []


def test_a_large_file_that_is_refused_says_so_and_writes_nothing(studio, page, upload, errors):
    upload("refused", [b"\xff\xfe", *lines_of(1_200)])
    expect(page.get_by_role("alert")).to_be_visible(timeout=JOB_MS)
    expect(page.get_by_role("button", name="Import")).to_have_count(0)
    assert not is_there(studio, page, "refused")
    assert errors == []
