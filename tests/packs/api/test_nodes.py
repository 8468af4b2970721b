import json

import pytest

from packs.models import Case, Edit
from tests.packs.drafts import draft_of

API = "/api/v1"


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def case(draft):
    return draft.cases.order_by("position").first()


@pytest.fixture
def send(as_author):
    def act(method, address, body=None, **headers):
        return getattr(as_author, method)(
            API + address, json.dumps(body), content_type="application/json", headers=headers
        )

    return act


def codes(response):
    return [finding["code"] for finding in response.json()["findings"]]


def test_cases_are_added_read_replaced_and_removed(draft, send, as_author):
    hubs = draft.input_sets.get().pk
    document = {"challenge_key": "locate", "case_key": "new", "payload": {"no": "no"}}
    made = send("post", f"/packs/{draft.pk}/cases/", {"input_set": hubs, "document": document, "after": 0})
    assert made.status_code == 201
    address = f"/cases/{made.json()['id']}/"
    changed = send("put", address, {"document": document | {"payload": {}}}, **{"If-Match": made["ETag"]})
    assert changed.json()["document"]["payload"] == {}
    assert send("delete", address, **{"If-Match": changed["ETag"]}).status_code == 204
    assert as_author.get(API + address).status_code == 404


def test_an_edit_of_what_was_edited_since_is_refused(case, send, as_author):
    address = f"/cases/{case.pk}/"
    read = as_author.get(API + address)
    body = {"document": case.document | {"payload": {"a": 1}}}
    for method in ("put", "delete"):
        assert send(method, address, body).status_code == 428
    assert send("put", address, body, **{"If-Match": read["ETag"]}).status_code == 200
    for method in ("put", "delete"):
        refused = send(method, address, body, **{"If-Match": read["ETag"]})
        assert (refused.status_code, codes(refused)) == (412, ["api.precondition_failed"])
    assert send("put", address, body, **{"If-Match": "*"}).status_code == 200


def test_the_findings_of_a_node_come_with_it(case, send):
    response = send("put", f"/cases/{case.pk}/", {"document": {}}, **{"If-Match": "*"})
    assert response.json()["error_count"] > 0
    assert {finding["path"] for finding in response.json()["findings"]} >= {"challenge_key", "case_key"}


@pytest.mark.parametrize("document", [None, [], "text", 5])
def test_a_document_that_is_no_mapping_is_refused(case, send, document):
    response = send("put", f"/cases/{case.pk}/", {"document": document}, **{"If-Match": "*"})
    assert response.status_code in {400, 422}
    case.refresh_from_db()
    assert case.document["case_key"] == "case-0"


def test_a_case_without_a_set_or_with_one_of_another_pack_is_refused(draft, team, send):
    assert codes(send("post", f"/packs/{draft.pk}/cases/", {})) == ["api.bad_place"]
    other = draft_of(team, slug="other").input_sets.get().pk
    assert send("post", f"/packs/{draft.pk}/cases/", {"input_set": other}).status_code == 404


def test_the_cases_of_a_set_are_listed_in_order_and_in_pages(draft, as_author):
    hubs = draft.input_sets.get().pk
    first = as_author.get(f"{API}/packs/{draft.pk}/cases/?input_set={hubs}&limit=2").json()
    second = as_author.get(first["next"]).json()
    assert [case["key"] for case in first["results"] + second["results"]] == ["case-0", "case-1", "case-2"]
    assert as_author.get(f"{API}/packs/{draft.pk}/cases/?problems=true").json()["results"] == []
    assert len(as_author.get(f"{API}/packs/{draft.pk}/cases/?key=case-1").json()["results"]) == 1


def test_edits_merge_or_come_back_as_conflicts(draft, case, send):
    def change(pointer, value, seen):
        item = {"kind": "case", "node": case.pk, "pointer": pointer, "value": value}
        return send("post", f"/packs/{draft.pk}/changes/", {"changes": [item], "seen_revision": seen})

    assert change("/inputs/0/value", "one", 1).json()["revision"] == 2
    assert change("/inputs/0/kind", "json", 1).json()["conflicts"] == []
    refused = change("/inputs/0/value", "two", 1)
    assert (refused.status_code, codes(refused)) == (409, ["api.conflict"])
    (conflict,) = refused.json()["conflicts"]
    assert (conflict["yours"], conflict["theirs"]) == ("two", "one")
    assert Case.objects.get(pk=case.pk).document["inputs"][0]["value"] == "one"


def test_nothing_is_written_beside_a_conflict(draft, case, send):
    item = {"kind": "case", "node": case.pk, "pointer": "/inputs/0/value", "value": "one"}
    send("post", f"/packs/{draft.pk}/changes/", {"changes": [item]})
    both = [item | {"value": "two"}, item | {"pointer": "/inputs/0/kind", "value": "json"}]
    refused = send("post", f"/packs/{draft.pk}/changes/", {"changes": both, "seen_revision": 1})
    assert refused.status_code == 409
    draft.refresh_from_db()
    assert draft.revision == 2
    assert Case.objects.get(pk=case.pk).document["inputs"][0]["kind"] != "json"


def test_a_change_that_makes_no_sense_is_refused(draft, case, send):
    item = {"kind": "case", "node": case.pk, "pointer": "no-slash", "value": 1}
    response = send("post", f"/packs/{draft.pk}/changes/", {"changes": [item]})
    assert (response.status_code, codes(response)) == (422, ["api.bad_pointer"])


def test_edits_are_taken_back_made_again_and_told_in_the_history(draft, case, send, as_author):
    item = {"kind": "case", "node": case.pk, "pointer": "/payload", "value": {"a": 1}}
    send("post", f"/packs/{draft.pk}/changes/", {"changes": [item], "label": "Typed"})
    assert send("post", f"/packs/{draft.pk}/undo/").json()["written"]
    (moment,) = as_author.get(f"{API}/packs/{draft.pk}/history/").json()
    assert (moment["label"], moment["undone"], moment["edits"][0]["pointer"]) == ("Typed", True, "/payload")
    assert send("post", f"/packs/{draft.pk}/redo/").json()["written"]
    assert codes(send("post", f"/packs/{draft.pk}/redo/")) == ["api.nothing_to_undo"]
    assert Case.objects.get(pk=case.pk).document["payload"] == {"a": 1}


@pytest.mark.parametrize("given", ["x", "-1", "1.5", "٣", "1" * 19])
def test_a_place_in_the_history_is_a_whole_number(draft, as_author, given):
    response = as_author.get(f"{API}/packs/{draft.pk}/history/", {"before": given})
    assert (response.status_code, codes(response)) == (400, ["api.invalid"])


def test_edits_of_somebody_who_is_gone_stay_in_the_history(draft, case, send, as_author, author):
    item = {"kind": "case", "node": case.pk, "pointer": "/payload", "value": {"a": 1}}
    send("post", f"/packs/{draft.pk}/changes/", {"changes": [item], "label": "Typed"})
    Edit.objects.update(author=None)
    (moment,) = as_author.get(f"{API}/packs/{draft.pk}/history/").json()
    assert (moment["label"], moment["author"]) == ("Typed", "")


def test_the_bytes_of_an_asset_go_in_and_out(draft, send, as_author):
    made = send("post", f"/packs/{draft.pk}/assets/", {"document": {"key": "map", "path": "maps/hub map.html"}})
    content = f"{API}/assets/{made.json()['id']}/content/"
    assert as_author.get(content).status_code == 404
    put = as_author.put(content, b"<script>", content_type="text/html")
    assert put.json()["size"] == 8
    got = as_author.get(content)
    assert got.content == b"<script>"
    assert got["Content-Type"] == "application/octet-stream"
    assert got["X-Content-Type-Options"] == "nosniff"
    assert got["Content-Disposition"] == 'attachment; filename="hub map.html"'


@pytest.mark.parametrize(
    "text", ['{"a": 1e999}', '{"a": "\\ud800"}', '{"a": NaN}', "[" * 9_000, '{"a": ' + "[" * 400 + "]" * 400 + "}"]
)
def test_documents_that_no_file_can_say_are_refused(case, as_author, text):
    body = f'{{"document": {text}}}'
    response = as_author.put(
        f"{API}/cases/{case.pk}/", body, content_type="application/json", headers={"If-Match": "*"}
    )
    assert response.status_code in {400, 422}
    case.refresh_from_db()
    assert case.document["case_key"] == "case-0"


@pytest.mark.parametrize("query", ["input_set=²", "input_set=x", "input_set=-1"])
def test_a_number_in_the_query_is_a_number(draft, as_author, query):
    assert as_author.get(f"{API}/packs/{draft.pk}/cases/?{query}").status_code == 400


def test_ids_beyond_all_bounds_are_not_found(as_author):
    assert as_author.get(f"{API}/packs/{10**30}/").status_code == 404


def test_a_number_that_cannot_be_stored_exactly_is_said_in_every_answer(draft, case, send, as_author):
    huge = {**case.document, "payload": {"a": 10**30}}
    etag = as_author.get(f"{API}/cases/{case.pk}/").headers["ETag"]
    replaced = send("put", f"/cases/{case.pk}/", {"document": huge}, **{"If-Match": etag})
    assert ("json.W003", "payload.a") in [(item["code"], item["path"]) for item in replaced.json()["findings"]]
    assert replaced.json()["document"]["payload"] == {"a": 1e30}
    added = send("post", f"/packs/{draft.pk}/cases/", {"document": huge, "input_set": case.input_set_id})
    assert "json.W003" in codes(added)
    change = {"kind": "case", "node": case.pk, "pointer": "/payload/b", "value": [10**30]}
    [noticed] = send("post", f"/packs/{draft.pk}/changes/", {"changes": [change]}).json()["noticed"]
    assert (noticed["node"], noticed["findings"][0]["path"]) == (case.pk, "payload.b[0]")


def test_a_text_that_is_too_long_for_a_file_is_refused(draft, case, send):
    change = {"kind": "case", "node": case.pk, "pointer": "/payload/a", "value": "x" * (8 * 1024 * 1024 + 1)}
    refused = send("post", f"/packs/{draft.pk}/changes/", {"changes": [change]})
    assert (refused.status_code, codes(refused)) == (422, ["api.bad_value"])
