"""What a team stores, and what is refused where that is too much."""

import pytest

from packs import blobs, editing
from packs.editing.files import set_file
from packs.formats.document import NodeKind
from packs.importing import import_pack, preview
from packs.importing.previewing import keep_table
from packs.models import AuditEvent, Blob, Membership, Pack
from packs.publish import publish
from packs.quotas import STORAGE, QuotaReached, Usage, digests_of, stored_bytes
from runs.bin import delete, purge
from tests.packs.drafts import draft_of, pack_text

pytestmark = pytest.mark.django_db
TEXT = {"pack.yaml": pack_text()}


def limit(team, size):
    """Let a team store so many bytes."""
    team.quota_storage_gb = size / 1024**3
    team.save()


def refusal(act, *given):
    with pytest.raises(QuotaReached) as caught:
        act(*given)
    assert caught.value.code == "storage_quota_reached"
    return caught.value.message


def test_bytes_of_a_team_count_once_and_those_of_others_do_not(team, other_team, author):
    assert stored_bytes(team) == 0
    row = import_pack(team, author, {**TEXT, "notes.txt": b"x" * 1000}, "given.zip", slug="parcels")
    once = stored_bytes(team)
    assert once == sum(Blob.objects.values_list("size", flat=True)) >= 1000
    set_file(row, "more.txt", b"x" * 1000, author)
    assert (stored_bytes(team), stored_bytes(other_team)) == (once, 0)
    assert digests_of(team) == {blob.pk for blob in Blob.objects.all()}
    publish(row, author)
    assert digests_of(team) == {blob.pk for blob in Blob.objects.all()}


def test_the_bin_counts_until_it_is_emptied(team, administrator, author):
    row = import_pack(team, author, TEXT, "given.zip", slug="parcels")
    before = stored_bytes(team)
    delete(row, administrator)
    assert stored_bytes(team) == before
    purge(Pack._base_manager.get(pk=row.pk), administrator)
    assert stored_bytes(team) == 0


def test_new_bytes_are_refused_with_what_helps_and_old_ones_can_be_edited(team, author, administrator):
    draft = draft_of(team)
    editing.add_node(draft, NodeKind.ASSET, author, document={"key": "file"})
    asset = draft.assets.get().pk
    limit(team, 100)
    blob = blobs.put(b"y" * 150)
    message = refusal(editing.set_asset_content, draft, asset, blob, author)
    assert message.startswith(f"{team} may store 100")
    assert "0\xa0bytes stored, and this needs 150\xa0bytes." in message
    assert message.endswith(f"{administrator} can raise the quota.")
    assert "deleting" in message
    refusal(set_file, draft, "a.txt", b"y" * 150, author)
    refusal(preview, team, author, TEXT, "seen.zip")
    refusal(import_pack, team, author, TEXT, "given.zip")
    refusal(keep_table, team, author, "cases.csv", blob)
    editing.set_asset_content(draft, asset, blobs.put(b"y" * 90), author)
    editing.set_asset_content(draft, asset, None, author)
    assert Pack.objects.count() == 1


def test_the_sentence_names_every_administrator_or_says_who_else_helps(team, author, administrator):
    limit(team, 0)
    Membership.objects.filter(user=author).update(role="administrator")
    draft = draft_of(team)
    assert f"{administrator} or {author} can raise the quota." in refusal(set_file, draft, "a", b"b", author)
    Membership.objects.all().delete()
    assert "An administrator of the studio can raise" in refusal(set_file, draft, "a", b"b", author)


@pytest.mark.parametrize(
    ("used", "limit", "is_near", "is_reached", "percent"),
    [(79, 100, False, False, 79), (80, 100, True, False, 80), (99.9, 100, True, False, 99), (100, 100, True, True, 100)]
    + [(0, 0, True, True, 100), (10**9, None, False, False, 0)],
)
def test_people_are_warned_from_four_fifths_on(used, limit, is_near, is_reached, percent):
    usage = Usage(STORAGE, used, limit)
    assert (usage.is_near, usage.is_reached, usage.percent) == (is_near, is_reached, percent)


def test_a_change_of_a_quota_stands_in_the_audit_log(team):
    limit(team, 1024**3)
    assert AuditEvent.objects.get(kind="team.changed").changes == {"quota_storage_gb": [None, 1.0]}
