import io
import zipfile

import pytest
from django.urls import reverse

from packs.importing import import_pack
from packs.publish import publish
from tests.packs.drafts import pack_text

SOURCE = b"# kept\n" + pack_text()


@pytest.fixture
def draft(team, author):
    return import_pack(team, author, {"parcels.yaml": SOURCE}, "parcels.yaml")


def url(shape=None):
    more = [shape] if shape else []
    return reverse("packs:export-as" if shape else "packs:export", args=["default", "parcels", *more])


def test_a_single_file_is_canonical_and_loads_again(as_author, draft):
    response = as_author.get(url("file"))
    assert response.content.startswith(b"pack:")
    assert 'filename="parcels.yaml"' in response.headers["Content-Disposition"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_the_archive_holds_the_same_file(as_author, draft):
    archive = zipfile.ZipFile(io.BytesIO(as_author.get(url("zip")).content))
    assert [archive.read(name) for name in archive.namelist()] == [as_author.get(url("file")).content]


def test_an_import_that_nobody_edited_comes_back_byte_for_byte(as_author, draft):
    response = as_author.get(url("preserved"))
    assert response.content == SOURCE
    assert response.headers["X-Packwright-Canonical"] == "no"


def test_a_version_is_exported_as_it_was_published(as_author, author, draft):
    publish(draft, author)
    response = as_author.get(url("file"), {"version": "1"})
    assert 'filename="parcels-1.yaml"' in response.headers["Content-Disposition"]
    assert response.content == as_author.get(url("file")).content


def test_unchanged_content_is_not_sent_twice(as_author, draft):
    etag = as_author.get(url("file")).headers["ETag"]
    response = as_author.get(url("file"), headers={"If-None-Match": etag})
    assert (response.status_code, response.content) == (304, b"")


@pytest.mark.parametrize("query", [{"version": "9"}, {"version": "x"}])
def test_a_version_that_does_not_exist_is_not_found(as_author, draft, query):
    assert as_author.get(url("file"), query).status_code == 404


def test_a_shape_that_does_not_exist_is_not_found(as_author, draft):
    assert as_author.get(url("pdf")).status_code == 404


def test_a_stranger_finds_nothing(as_stranger, draft):
    assert [as_stranger.get(address).status_code for address in (url(), url("file"), url("zip"))] == [404] * 3


def test_the_page_offers_every_shape(as_author, author, draft):
    publish(draft, author)
    text = as_author.get(url()).text
    assert all(url(shape) in text for shape in ("file", "zip", "preserved"))
    assert url("preserved") not in as_author.get(url(), {"version": "1"}).text
