"""A folder is chosen as it is, and reaches the studio with the places of its files."""

import pytest
from playwright.sync_api import expect

from packs.access import Role
from packs.models import Pack
from tests.people import client_of, make_member

pytestmark = pytest.mark.browser
EVAL = """\
name: parcels
tests:
  - id: found
    criteria: Names the place.
    input:
      - role: user
        content: [{type: file, value: ../fragen/Stück 1.md}]
    assertions: [{type: contains, value: hub}]
"""


@pytest.fixture
def folder(tmp_path):
    """An eval whose test reads a file beside its folder, in a repository."""
    root = tmp_path / "parcels"
    for place, text in {
        "evals/parcels.eval.yaml": EVAL,
        "fragen/Stück 1.md": "Where is PX-1?\n" * 5000,
        "fragen/empty.md": "",
        ".git/config": "[core]",
    }.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text, encoding="utf-8")
    return root


def test_a_folder_is_imported_with_the_places_of_its_files(open_as, transactional_db, team, folder, errors):
    page = open_as(client_of(make_member(team, Role.AUTHOR)), "/packs/import/")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a folder").click()
    chooser.value.set_files(folder)
    expect(page.locator("[data-names]")).to_have_text("parcels.zip")
    page.get_by_role("button", name="Preview the import").click()
    page.get_by_role("button", name="Import", exact=True).click()
    page.wait_for_url("**/packs/default/parcels/")
    pack = Pack.objects.get()
    assert (pack.format, pack.problem_errors) == ("agentv", 0)
    assets = {asset.path: asset.blob.size for asset in pack.assets.select_related("blob")}
    assert assets == {"fragen/Stück 1.md": 75_000, "fragen/empty.md": 0}
    assert errors == []
