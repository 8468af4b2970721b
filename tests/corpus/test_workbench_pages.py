"""Every valid pack of the corpus, through every page of the workbench and back."""

import pytest

from packs.formats import adapter_of
from packs.formats.findings import has_errors
from packs.models import Edit
from packs.views.workbench.addresses import ref_of
from tests.corpora import corpus_folder
from tests.packs.drafts import draft_of
from tests.packs.views.workbench.pages import Page

pytestmark = pytest.mark.long

FILES = sorted(corpus_folder("challenge-pack").rglob("*.yaml"))


def is_valid(path):
    adapter = adapter_of("challenge_pack")
    files = {path.name: path.read_bytes()}
    if not adapter.recognises(files):
        return False
    tree, found = adapter.load(files)
    return tree is not None and not has_errors(found) and not has_errors(adapter.check(tree))


def pages_of(draft):
    """The path and query of every page that edits a part of the draft; of many cases the first ten."""
    sections = Page.sections_of(draft)
    yield from (("pack", {"section": key}) for key in sections)
    for rows in (draft.challenges, draft.input_sets, draft.cases, draft.assets):
        yield from ((ref_of(row).path, {}) for row in rows.order_by("position")[:10])


@pytest.mark.parametrize("path", [path for path in FILES if is_valid(path)], ids=lambda path: path.stem)
def test_opening_and_saving_every_page_of_a_real_pack_changes_nothing(as_author, team, path):
    draft = draft_of(team, path.read_bytes())
    for place, query in pages_of(draft):
        shown = Page(as_author, draft, place, query)
        assert shown.response.status_code == 200, place
        assert as_author.post(shown.address, shown.controls).status_code == 302, place
    assert not Edit.objects.exists()
