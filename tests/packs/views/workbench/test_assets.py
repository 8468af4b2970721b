import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from packs.editing import Change, add_node, apply
from packs.formats.beginning import EXAMPLE
from packs.formats.document import NodeKind
from packs.importing import create_pack

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


@pytest.mark.parametrize(("stored", "typed", "kept"), [(b"", "a\r\nb", b"a\nb"), (b"x\r\n", "a\r\nb", b"a\r\nb")])
def test_a_text_is_written_in_its_page_and_keeps_its_line_ends(node_page, as_author, base, asset, stored, typed, kept):
    if stored:
        put(as_author, base, stored)
    page = node_page(f"assets/{asset.pk}")
    shown = page.response.context
    assert f">&#10;{stored.decode()}</textarea>" in page.html
    as_author.post(f"{base}upload/", {"text": typed, "before": shown["desk"].row.blob_id or ""})
    assert download(as_author, f"{base}content/")[1] == kept


def test_a_text_over_one_that_somebody_else_stored_meanwhile_says_so(node_page, as_author, base, asset):
    put(as_author, base, b"theirs")
    answer = as_author.post(f"{base}upload/", {"text": "mine", "before": ""}, follow=True)
    assert "while you wrote" in answer.text
    assert download(as_author, f"{base}content/")[1] == b"mine"


@pytest.mark.parametrize("data", [PNG, b"\xff", b"a\rb\n", b"a\0"])
def test_what_no_text_area_gives_back_unchanged_is_not_edited_in_one(node_page, as_author, base, asset, data):
    put(as_author, base, data)
    assert node_page(f"assets/{asset.pk}").response.context["written"] is None


@pytest.fixture
def unnamed(draft, author):
    return draft.assets.get(pk=add_node(draft, NodeKind.ASSET, author).node)


def test_a_new_asset_is_called_after_the_file_that_is_uploaded(as_author, draft, unnamed):
    put(as_author, f"/packs/default/parcels/edit/assets/{unnamed.pk}/", b"a,b\n", "Price list.csv")
    unnamed.refresh_from_db()
    named = {"key": "price-list", "path": "files/Price list.csv", "media_type": "text/csv"}
    assert (unnamed.document, bool(unnamed.blob_id)) == (named, True)


@pytest.mark.parametrize(
    ("name", "file", "path"),
    [
        ("agentv", "tone.md", "prompts/tone.md"),
        ("agentv", "hubs.csv", "fixtures/hubs.csv"),
        ("task_suite", "tone.md", "evals/_shared/rubrics/tone.md"),
        ("task_suite", "hubs.csv", "evals/_shared/fixtures/hubs.csv"),
        ("benchmark_pack", "hubs.csv", "assets/hubs.csv"),
    ],
)
def test_a_new_asset_lies_where_files_of_its_kind_lie(as_author, author, team, name, file, path):
    pack = create_pack(team, author, name, "A pack", first=EXAMPLE)
    made = add_node(pack, NodeKind.ASSET, author).node
    put(as_author, f"/packs/default/{pack.slug}/edit/assets/{made}/", b"a,b\n", file)
    assert pack.assets.get(pk=made).path == path


def test_an_asset_that_somebody_named_keeps_its_name(as_author, draft, author, unnamed):
    apply(draft, [Change(NodeKind.ASSET, unnamed.pk, "/path", "files/hubs.csv")], author)
    put(as_author, f"/packs/default/parcels/edit/assets/{unnamed.pk}/", b"a,b\n", "hubs (1).csv")
    unnamed.refresh_from_db()
    assert unnamed.path == "files/hubs.csv"


def test_an_asset_tells_which_nodes_use_it(node_page, draft, asset, case):
    node_page(f"cases/{case.pk}").live("/expectations/0/source", **{"t?:/expectations/0/source": "artifact:price-list"})
    shown = node_page(f"assets/{asset.pk}")
    assert [name for name, _ in shown.response.context["uses"]] == ["case-0"]


def test_only_authors_upload_and_strangers_find_nothing(as_viewer, as_stranger, base):
    assert put(as_viewer, base, b"x").status_code == 403
    assert put(as_stranger, base, b"x").status_code == 404
    assert as_stranger.get(f"{base}content/").status_code == 404
