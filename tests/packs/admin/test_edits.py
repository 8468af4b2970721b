"""The edits of drafts in curation."""

import pytest
from django.urls import reverse

from packs import editing
from packs.editing import Change
from packs.formats.document import NodeKind
from packs.models import Edit
from tests.packs.admin.acts import ids
from tests.packs.drafts import draft_of
from tests.people import client_of


@pytest.fixture
def draft(team, author):
    row = draft_of(team)
    editing.apply(row, [Change(NodeKind.PACK, row.pk, "/pack/name", "Boxes")], author, label="Rename")
    return row


def test_an_edit_is_found_by_its_author_and_tells_before_and_after(as_superuser, draft, author):
    edit = Edit.objects.get(pack=draft)
    url = reverse("admin:packs_edit_changelist")
    assert ids(as_superuser.get(url, {"q": author.username})) == [edit.pk]
    assert ids(as_superuser.get(url, {"action__exact": "move"})) == []
    page = as_superuser.get(reverse("admin:packs_edit_change", args=[edit.pk])).content.decode()
    assert "Parcels" in page
    assert "Boxes" in page


def test_edits_cannot_be_changed_or_deleted(as_superuser, draft):
    edit = Edit.objects.get(pack=draft)
    assert as_superuser.post(reverse("admin:packs_edit_change", args=[edit.pk]), {}).status_code == 403
    assert as_superuser.post(reverse("admin:packs_edit_delete", args=[edit.pk]), {"post": "yes"}).status_code == 403
    assert Edit.objects.filter(pk=edit.pk).exists()


def test_a_curator_reads_the_log_of_the_own_teams_only(other_team, curator, superuser, draft):
    theirs = draft_of(other_team, slug="theirs")
    editing.apply(theirs, [Change(NodeKind.PACK, theirs.pk, "/pack/name", "Secret")], superuser)
    page = client_of(curator).get(reverse("admin:packs_edit_changelist"))
    assert ids(page) == list(Edit.objects.filter(pack=draft).values_list("pk", flat=True))


def test_the_log_takes_as_many_queries_for_many_edits_as_for_few(
    as_superuser, draft, author, django_assert_max_num_queries
):
    for number in range(10):
        editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", f"N{number}")], author)
    with django_assert_max_num_queries(9):
        as_superuser.get(reverse("admin:packs_edit_changelist"))
