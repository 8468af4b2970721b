import pytest
from django.db.models import ProtectedError

from packs.access import FrozenError
from packs.publish import publish
from tests.packs.drafts import draft_of


@pytest.fixture
def version(team):
    return publish(draft_of(team), None)


def test_status_and_notes_may_change_and_nothing_else(version):
    version.status, version.notes = "archived", "Withdrawn"
    version.save(update_fields=["status", "notes"])
    with pytest.raises(FrozenError):
        version.save(update_fields=["status", "digest"])
    with pytest.raises(FrozenError):
        version.save()


def test_a_pack_with_versions_is_not_deleted(version):
    with pytest.raises(ProtectedError):
        version.pack.delete()


def test_a_version_is_named_by_pack_and_number(version):
    assert str(version) == "Parcels@1"
