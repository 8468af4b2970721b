"""Fixes of findings over the API: what they would do, then the edit."""

import json

import pytest

from packs.editing import recheck, undo
from packs.formats.costs import MANY_CASES
from packs.jobs import execute_job
from packs.models import Case, Edit
from tests.packs.drafts import draft_of, pack_text

SLIP = "challenge_pack.W005"


@pytest.fixture
def slipped(team):
    return draft_of(team, pack_text(3).replace(b" inputs:", b" inpts:"))


def offered(client, pack, **asked):
    return client.get(f"/api/v1/packs/{pack.pk}/fixes/", asked).json()["fixes"]


def fix(client, pack, etag="*", **body):
    headers = {"If-Match": etag} if etag else {}
    return client.post(
        f"/api/v1/packs/{pack.pk}/fixes/", json.dumps(body), content_type="application/json", headers=headers
    )


def place_of(offer):
    return {name: offer[name] for name in ("kind", "node", "code", "at")}


def test_a_finding_says_what_its_fix_would_do(as_author, slipped):
    first = offered(as_author, slipped)[0]
    case = Case.objects.filter(pack=slipped).order_by("position").first()
    assert place_of(first) == {"kind": "case", "node": case.pk, "code": SLIP, "at": "/inpts"}
    assert first["fix"] == {"label": "Rename inpts to inputs", "act": "rename", "pointer": "/inpts", "value": "inputs"}
    assert first["finding"]["path"] == "inpts"
    assert first["etag"] == as_author.get(f"/api/v1/cases/{case.pk}/")["ETag"]


def test_fixes_are_asked_for_by_node_and_by_code(as_author, slipped):
    last = Case.objects.filter(pack=slipped).order_by("position").last()
    assert [offer["node"] for offer in offered(as_author, slipped, kind="case", node=last.pk)] == [last.pk]
    assert len(offered(as_author, slipped, code=SLIP)) == 3
    assert offered(as_author, slipped, code="challenge_pack.E312") == []
    assert as_author.get(f"/api/v1/packs/{slipped.pk}/fixes/", {"kind": "case"}).status_code == 400
    assert as_author.get(f"/api/v1/packs/{slipped.pk}/fixes/", {"kind": "case", "node": 0}).status_code == 400
    assert as_author.get(f"/api/v1/packs/{slipped.pk}/fixes/", {"kind": "case", "node": 10**9}).status_code == 404


def test_one_fix_is_an_edit_that_undo_takes_back(as_author, author, slipped):
    second = offered(as_author, slipped)[1]
    answer = fix(as_author, slipped, second["etag"], **place_of(second))
    assert answer.status_code == 200
    now = [("inputs" in case.document) for case in Case.objects.filter(pack=slipped).order_by("position")]
    assert now == [False, True, False]
    assert Edit.objects.filter(pack=slipped).latest("id").label == "Fix: Rename inpts to inputs"
    again = fix(as_author, slipped, second["etag"], **place_of(second))
    assert again.status_code == 412
    assert fix(as_author, slipped, answer["ETag"], **place_of(second)).json()["findings"][0]["code"] == (
        "api.nothing_to_fix"
    )
    slipped.refresh_from_db()
    undo(slipped, author)
    assert len(offered(as_author, slipped, code=SLIP)) == 3


def test_all_fixes_of_a_code_are_one_edit(as_author, slipped):
    etag = as_author.get(f"/api/v1/packs/{slipped.pk}/")["ETag"]
    assert fix(as_author, slipped, etag, code=SLIP).status_code == 200
    assert offered(as_author, slipped, code=SLIP) == []
    assert Edit.objects.filter(pack=slipped).values("group").distinct().count() == 1
    assert fix(as_author, slipped, etag, code=SLIP).status_code == 412
    assert fix(as_author, slipped, code=SLIP).json()["findings"][0]["code"] == "api.nothing_to_fix"


def test_a_press_without_the_state_that_was_read_is_refused(as_author, slipped):
    assert fix(as_author, slipped, "", code=SLIP).status_code == 428
    half = fix(as_author, slipped, code=SLIP, kind="case")
    assert (half.status_code, len(half.json()["findings"])) == (400, 2)


def test_the_document_of_the_pack_has_fixes_too(as_author, team):
    draft = draft_of(team, pack_text(1).replace(b"judge_mode: deterministic", b"judge_mode: deterministc"))
    recheck(draft)
    [offer] = [each for each in offered(as_author, draft) if each["kind"] == "pack"]
    assert fix(as_author, draft, offer["etag"], **place_of(offer)).status_code == 200
    draft.refresh_from_db()
    assert draft.document["version"]["evaluation_spec"]["judge_mode"] == "deterministic"


def test_all_in_a_large_draft_is_a_job(as_author, team):
    large = draft_of(team, pack_text(MANY_CASES + 1).replace(b" inputs:", b" inpts:"))
    answer = fix(as_author, large, code=SLIP)
    assert answer.status_code == 202
    execute_job(answer.json()["id"])
    assert not large.cases.filter(document__contains="inpts").exists()
