"""Published versions in curation."""

import hashlib

import pytest
from django.urls import reverse

from packs.exporting import export_version, zipped
from packs.models import VersionCase, VersionStatus
from packs.publish import publish
from tests.packs.admin.acts import act, ids
from tests.packs.drafts import draft_of
from tests.people import client_of


@pytest.fixture
def version(team, author):
    return publish(draft_of(team), author)


def test_a_version_shows_its_digest_and_gives_its_files(as_superuser, version):
    page = as_superuser.get(reverse("admin:packs_packversion_change", args=[version.pk])).content.decode()
    assert version.digest in page
    url = reverse("admin:packs_packversion_archive", args=[version.pk])
    assert url in page
    sent = b"".join(as_superuser.get(url).streaming_content)
    assert sent == zipped(export_version(version))
    assert hashlib.sha256(sent).hexdigest() == version.archive_id


@pytest.mark.parametrize(
    ("name", "status"),
    [("archive_versions", VersionStatus.ARCHIVED), ("deprecate_versions", VersionStatus.DEPRECATED)],
)
def test_versions_leave_use_and_come_back(as_superuser, version, name, status):
    act(as_superuser, "packs_packversion", name, version.pk)
    version.refresh_from_db()
    assert version.status == status
    act(as_superuser, "packs_packversion", "restore_versions", version.pk)
    version.refresh_from_db()
    assert version.status == VersionStatus.RUNNABLE


def test_a_version_of_another_team_cannot_be_read_taken_or_changed(other_team, curator, superuser, version):
    theirs = publish(draft_of(other_team, slug="theirs"), superuser)
    client = client_of(curator)
    assert ids(client.get(reverse("admin:packs_packversion_changelist"))) == [version.pk]
    assert client.get(reverse("admin:packs_packversion_archive", args=[theirs.pk])).status_code == 404
    assert client.get(reverse("admin:packs_packversion_change", args=[theirs.pk])).status_code == 302
    act(client, "packs_packversion", "archive_versions", theirs.pk)
    theirs.refresh_from_db()
    assert theirs.status == VersionStatus.RUNNABLE


def test_the_files_are_only_for_staff(as_administrator, version):
    assert as_administrator.get(reverse("admin:packs_packversion_archive", args=[version.pk])).status_code == 302


def test_published_cases_show_what_runs_are_given(curator, version):
    client = client_of(curator)
    case = VersionCase.objects.first()
    assert case.key in client.get(reverse("admin:packs_versioncase_changelist")).content.decode()
    page = client.get(reverse("admin:packs_versioncase_change", args=[case.pk])).content.decode()
    assert case.digest in page
    assert reverse("packs:version-case", args=["default", "parcels", version.number, case.pk]) in page


@pytest.mark.parametrize("kind", ["packversion", "versioncase"])
def test_lists_take_as_many_queries_for_many_rows_as_for_few(
    as_superuser, team, author, django_assert_max_num_queries, kind
):
    for number in range(8):
        publish(draft_of(team, slug=f"more-{number}"), author)
    with django_assert_max_num_queries(12):
        assert as_superuser.get(reverse(f"admin:packs_{kind}_changelist")).status_code == 200
