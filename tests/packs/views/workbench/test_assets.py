import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from packs.editing import add_node
from packs.formats.document import NodeKind

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


@pytest.fixture
def asset(draft, author):
    document = {"key": "price-list", "path": "files/price-list.csv"}
    node = add_node(draft, NodeKind.ASSET, author, document=document).node
    return draft.assets.get(pk=node)


@pytest.fixture
def base(asset):
    return f"/packs/default/parcels/edit/assets/{asset.pk}/"


def put(client, base, data, name="a.bin"):
    return client.post(f"{base}upload/", {"file": SimpleUploadedFile(name, data)}, follow=True)


def download(client, url):
    """The answer and its whole content; closing it closes the file."""
    response = client.get(url)
    content = b"".join(response.streaming_content)
    response.close()
    return response, content


def test_an_uploaded_file_is_shown_and_comes_back_byte_for_byte(as_author, base):
    assert put(as_author, base, b"a,b\n1,2\n").context["preview"]["text"] == "a,b\n1,2\n"
    response, content = download(as_author, f"{base}content/")
    assert content == b"a,b\n1,2\n"
    assert response["Content-Disposition"].startswith("attachment")
    assert "price-list.csv" in response["Content-Disposition"]


@pytest.mark.parametrize("data", [b"<svg onload='x()'/>", b"<html><script>x()</script>", b"%PDF-1.7"])
def test_nothing_that_could_run_is_ever_shown_inline(as_author, base, data):
    put(as_author, base, data)
    response, _ = download(as_author, f"{base}content/?inline")
    assert response["Content-Disposition"].startswith("attachment")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Type"] == "application/octet-stream"


def test_a_picture_is_shown_on_the_page(as_author, base):
    assert put(as_author, base, PNG).context["preview"]["kind"] == "picture"
    assert download(as_author, f"{base}content/?inline")[0]["Content-Type"] == "image/png"


def test_bytes_are_shown_as_numbers(as_author, base):
    shown = put(as_author, base, b"\0\1\2abc").context["preview"]
    assert shown["kind"] == "hex"
    assert "00 01 02 61 62 63" in shown["text"]


def test_the_content_can_be_taken_away_again(as_author, base, asset):
    put(as_author, base, b"x")
    as_author.post(f"{base}upload/", {"clear": "yes"})
    asset.refresh_from_db()
    assert asset.blob_id is None
    assert as_author.get(f"{base}content/").status_code == 404


def test_an_asset_tells_which_nodes_use_it(node_page, draft, asset, case):
    node_page(f"cases/{case.pk}").live("/expectations/0/source", **{"t?:/expectations/0/source": "artifact:price-list"})
    shown = node_page(f"assets/{asset.pk}")
    assert [name for name, _ in shown.response.context["uses"]] == ["case-0"]


def test_only_authors_upload_and_strangers_find_nothing(as_viewer, as_stranger, base):
    assert put(as_viewer, base, b"x").status_code == 403
    assert put(as_stranger, base, b"x").status_code == 404
    assert as_stranger.get(f"{base}content/").status_code == 404
