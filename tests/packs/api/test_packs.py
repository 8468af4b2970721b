import io
import json
import random
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from packs import editing
from packs.formats.archives import write_zip
from packs.importing import import_pack
from packs.jobs import execute_job
from packs.mirror import read_tree
from packs.models import Edit, Pack, PackVersion
from tests.corpora import corpus_folder
from tests.packs.drafts import draft_of, pack_text
from tests.people import client_of

API = "/api/v1"
VALID = [path for path in sorted(corpus_folder("challenge-pack").glob("*.yaml")) if "vectors" not in path.name]


def codes(response):
    return [finding["code"] for finding in response.json()["findings"]]


def upload(client, data, query="team=default", content_type="application/yaml"):
    return client.post(f"{API}/packs/import/?{query}", data, content_type=content_type)


@pytest.fixture
def draft(team):
    return draft_of(team)


def test_a_pack_is_imported_from_the_body(team, as_author):
    response = upload(as_author, pack_text())
    assert response.status_code == 201
    assert response.json()["counts"] == {"challenges": 1, "input_sets": 1, "cases": 3, "assets": 0, "versions": 0}
    assert upload(as_author, pack_text(4)).status_code == 200


def test_a_pack_is_imported_from_an_archive_and_from_a_form(team, as_author):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("pack.yaml", pack_text())
        archive.writestr("notes.txt", "x")
    assert upload(as_author, buffer.getvalue(), "team=default&slug=zip", "application/zip").status_code == 201
    files = [SimpleUploadedFile("pack.yaml", pack_text()), SimpleUploadedFile("notes.txt", b"x")]
    assert as_author.post(f"{API}/packs/import/?team=default&slug=form", {"file": files}).status_code == 201
    zipped, formed = (read_tree(Pack.objects.get(slug=slug)) for slug in ("zip", "form"))
    assert zipped == formed


def test_a_dry_run_writes_nothing_until_it_is_confirmed(team, as_author):
    found = upload(as_author, pack_text(2), "team=default&dry_run=true").json()
    assert [item["kind"] for item in found["created"]] == ["challenge", "input_set", "case", "case"]
    assert not Pack.objects.exists()
    body = json.dumps({"token": found["token"]})
    confirm = f"{API}/packs/import/confirm/"
    assert as_author.post(confirm, body, content_type="application/json").status_code == 201
    again = as_author.post(confirm, body, content_type="application/json")
    assert (again.status_code, codes(again)) == (404, ["api.no_such_upload"])


def test_of_several_packs_the_one_that_is_named_is_imported(team, as_author):
    data = write_zip({"one/pack.yaml": pack_text(1), "two/pack.yaml": pack_text(2)})
    found = upload(as_author, data, "team=default&dry_run=true", "application/zip").json()
    assert (found["token"], found["packs"]) == (None, {"one": "challenge_pack", "two": "challenge_pack"})
    assert codes(upload(as_author, data, "team=default", "application/zip")) == ["pack.E004"]
    assert codes(upload(as_author, data, "team=default&pack=no", "application/zip")) == ["pack.E005"]
    assert upload(as_author, data, "team=default&pack=two", "application/zip").json()["counts"]["cases"] == 2


def test_files_that_cannot_be_imported_are_answered_with_findings(team, as_author):
    response = upload(as_author, b"pack: [", "team=default&format=challenge_pack")
    assert response.status_code == 422
    assert response.json()["findings"][0]["line"]
    assert upload(as_author, b"").status_code == 422


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_every_real_pack_gets_the_rows_that_the_function_makes(team, author, as_author, path):
    assert upload(as_author, path.read_bytes(), "team=default&slug=by-api").status_code == 201
    other = import_pack(team, author, {path.name: path.read_bytes()}, path.name, slug="by-function")
    assert read_tree(Pack.objects.get(slug="by-api")) == read_tree(other)


def test_packs_are_listed_searched_and_filtered(team, as_author):
    for slug, status in (("one", "draft"), ("two", "active"), ("old", "archived")):
        draft_of(team, pack_text().replace(b"Parcels", slug.encode()), slug=slug, status=status)

    def slugs(query):
        return [pack["slug"] for pack in as_author.get(f"{API}/packs/?{query}").json()["results"]]

    assert slugs("") == ["two", "one"]
    assert slugs("q=ON") == ["one"]
    assert slugs("status=archived") == ["old"]
    assert slugs("format=challenge_pack&slug=two") == ["two"]
    assert slugs("team=other") == []


def test_long_lists_come_in_pages(team, as_author):
    for number in range(3):
        draft_of(team, slug=f"pack-{number}")
    first = as_author.get(f"{API}/packs/?limit=2").json()
    second = as_author.get(first["next"]).json()
    assert [pack["slug"] for pack in first["results"] + second["results"]] == ["pack-2", "pack-1", "pack-0"]


def test_a_new_pack_is_made_from_a_title(team, as_author):
    body = json.dumps({"team": "default", "title": "Parcel desk"})
    response = as_author.post(f"{API}/packs/", body, content_type="application/json")
    assert (response.status_code, response.json()["slug"]) == (201, "parcel-desk")
    again = as_author.post(f"{API}/packs/", body, content_type="application/json")
    assert (again.status_code, again.json()["slug"]) == (201, "parcel-desk-2")
    named = json.dumps({"team": "default", "title": "Parcel desk", "slug": "parcel-desk"})
    assert codes(as_author.post(f"{API}/packs/", named, content_type="application/json")) == ["pack.E013"]


def test_the_document_of_a_pack_is_replaced_only_as_it_was_read(draft, as_author):
    address = f"{API}/packs/{draft.pk}/"
    shown = as_author.get(address)
    document = shown.json()["document"]
    document["pack"]["name"] = "Letters"
    body = json.dumps({"document": document})
    send = {"data": body, "content_type": "application/json"}
    assert as_author.put(address, **send).status_code == 428
    assert as_author.put(address, **send, headers={"If-Match": shown["ETag"]}).json()["title"] == "Letters"
    late = as_author.put(address, **send, headers={"If-Match": shown["ETag"]})
    assert (late.status_code, codes(late)) == (412, ["api.precondition_failed"])


def test_findings_of_a_draft_are_fresh_and_name_the_field_of_the_file(draft, author, as_author):
    case = draft.cases.order_by("position").last()
    change = editing.Change(case.kind, case.pk, "/challenge_key", "nowhere")
    editing.apply(draft, [change], author)
    found = as_author.get(f"{API}/packs/{draft.pk}/findings/").json()["findings"]
    errors = {finding["path"] for finding in found if finding["severity"] == "error"}
    assert errors == {"input_sets[0].cases[2].challenge_key"}


def test_exports_have_an_etag_and_are_not_sent_twice(draft, as_author):
    address = f"{API}/packs/{draft.pk}/export/"
    first = as_author.get(address)
    assert first["Content-Type"] == "application/yaml"
    assert as_author.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    packed = as_author.get(f"{address}?as=zip")
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert archive.read("pack.yaml") == first.content
    assert as_author.get(f"{address}?as=odd").status_code == 422


def test_the_imported_bytes_can_be_had_again(team, author, as_author):
    row = import_pack(team, author, {"mine.yaml": b"# words\n" + pack_text()}, "mine.yaml")
    assert as_author.get(f"{API}/packs/{row.pk}/source/").content == b"# words\n" + pack_text()
    assert as_author.get(f"{API}/packs/{row.pk}/export/?preserve=true").content == b"# words\n" + pack_text()


def test_publishing_answers_with_the_version_or_with_what_blocks_it(draft, members):
    curator = client_of(members["curator"])
    address = f"{API}/packs/{draft.pk}/publish/"

    def post(body):
        return curator.post(address, json.dumps(body), content_type="application/json")

    assert post({"notes": "one"}).status_code == 201
    again = post({})
    assert (again.status_code, codes(again)) == (409, ["api.challenge_pack_version_exists"])
    assert post({"number": 2}).json()["number"] == 2
    assert post({"number": -1}).status_code == 400
    change = editing.Change(draft.kind, draft.pk, "/pack/family")
    editing.apply(draft, [change], members["author"])
    broken = post({"number": 3})
    assert broken.status_code == 422
    assert [finding["path"] for finding in broken.json()["findings"]] == ["pack.family"]
    assert PackVersion.objects.count() == 2


def test_a_pack_is_archived_and_restored(draft, members):
    curator = client_of(members["curator"])
    assert curator.post(f"{API}/packs/{draft.pk}/archive/").json()["status"] == "archived"
    assert curator.post(f"{API}/packs/{draft.pk}/restore/").json()["status"] == "draft"
    assert not Edit.objects.exists()


def test_a_line_that_is_too_long_is_refused_with_its_number(as_author, team):
    text = random.Random(1).randbytes(4 * 1024 * 1024).hex().encode()
    long = b'{"id": "b", "input": {"question": "' + text + b'"}}\n'
    manifest = b"id: p\nversion: 1\ndefaults: {family: short_answer}\n"
    content = write_zip({"manifest.yaml": manifest, "tasks.jsonl": b"\n" + long})
    address = f"{API}/packs/import/?team={team.slug}&name=long.zip"
    accepted = as_author.post(address, content, content_type="application/octet-stream")
    assert accepted.status_code == 202
    execute_job(accepted.json()["id"])
    refused = as_author.get(accepted["Location"]).json()
    assert refused["status"] == "refused"
    assert [(item["code"], item["line"]) for item in refused["outcome"]["findings"]] == [("json.E005", 2)]
