import pytest

from packs import blobs, editing
from packs.editing.sizes import is_large
from packs.formats.costs import MANY_CASES, MAX_BYTES, MAX_VALUES
from packs.formats.document import NodeKind
from tests.packs.drafts import draft_of, pack_text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("cases", "expected"), [(MANY_CASES, False), (MANY_CASES + 1, True)])
def test_many_cases_make_a_draft_large(team, cases, expected):
    assert is_large(draft_of(team, pack_text(cases))) is expected


@pytest.mark.parametrize("kind", ["pack", "case"])
def test_many_values_in_one_document_make_a_draft_large(team, kind):
    draft = draft_of(team, pack_text(3))
    row = draft if kind == "pack" else draft.cases.first()
    document = {**row.document, "x-more": list(range(MAX_VALUES))}
    type(row).objects.filter(pk=row.pk).update(document=document)
    assert is_large(draft)


def test_many_bytes_in_assets_make_a_draft_large(team, author):
    draft = draft_of(team, pack_text(3))
    asset = editing.add_node(draft, NodeKind.ASSET, author).node
    editing.set_asset_content(draft, asset, blobs.put(bytes(MAX_BYTES)), author)
    assert not is_large(draft)
    editing.set_asset_content(draft, asset, blobs.put(bytes(MAX_BYTES + 1)), author)
    assert is_large(draft)


def test_long_texts_in_documents_make_a_draft_large(team):
    draft = draft_of(team, pack_text(3))
    case = draft.cases.first()
    case.document = {**case.document, "x-more": "a" * MAX_BYTES}
    case.save()
    assert is_large(draft)
