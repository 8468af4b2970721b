import json

import pytest
from django.urls import reverse

from packs.access import Role
from packs.editing import Change, apply
from packs.formats.document import NodeKind
from packs.models import Pack
from tests.packs.drafts import draft_of
from tests.people import client_of, make_member

POINTER = "/version/evaluation_spec/name"


@pytest.fixture
def draft(team):
    return draft_of(team)


def sender(client):
    def send(name, pk, **body):
        answer = client.post(reverse(f"packs-api:{name}", args=[pk]), json.dumps(body), content_type="application/json")
        return answer.status_code, answer.json()

    return send


def test_a_proposal_goes_from_its_draft_to_the_merge(draft, as_author, team):
    write, judge = sender(as_author), sender(client_of(make_member(team, Role.REVIEWER)))
    _, made = write("pack-proposals", draft.pk, title="Another name")
    change = {"kind": "pack", "node": made["draft"], "pointer": POINTER, "value": "proposed"}
    write("pack-changes", made["draft"], changes=[change])
    assert write("proposal-ask", made["id"])[1]["status"] == "asked"
    revision = Pack.objects.get(pk=made["draft"]).revision
    assert write("pack-judge", made["draft"], approves=True, revision=revision)[0] == 422
    assert judge("pack-judge", made["draft"], approves=True, revision=revision - 1)[0] == 409
    assert judge("pack-judge", made["draft"], approves=True, revision=revision)[1]["is_approved"]
    apply(draft, [Change(NodeKind.PACK, draft.pk, POINTER, "drafted")], None)
    (conflict,) = as_author.get(reverse("packs-api:proposal", args=[made["id"]])).json()["conflicts"]
    assert (conflict["before"], conflict["ours"], conflict["theirs"]) == ("parcels-v1", "drafted", "proposed")
    assert write("proposal-merge", made["id"])[0] == 422
    assert write("proposal-merge", made["id"], seen=[conflict["name"]], theirs=[conflict["name"]])[0] == 200
    draft.refresh_from_db()
    assert draft.document["version"]["evaluation_spec"]["name"] == "proposed"
    (listed,) = as_author.get(reverse("packs-api:pack-proposals", args=[draft.pk])).json()["results"]
    assert (listed["status"], listed["is_approved"]) == ("merged", True)
    assert write("proposal-close", made["id"])[1]["findings"][0]["code"] == "api.proposal_has_ended"


def test_a_proposal_that_is_sent_back_waits_for_no_review_any_more(draft, as_author, team):
    write, judge = sender(as_author), sender(client_of(make_member(team, Role.REVIEWER)))
    _, made = write("pack-proposals", draft.pk, title="Another name")
    change = {"kind": "pack", "node": made["draft"], "pointer": POINTER, "value": "proposed"}
    write("pack-changes", made["draft"], changes=[change])
    write("proposal-ask", made["id"])
    revision = Pack.objects.get(pk=made["draft"]).revision
    assert judge("pack-judge", made["draft"], approves=False, revision=revision, text="Why?")[0] == 200
    assert as_author.get(reverse("packs-api:proposal", args=[made["id"]])).json()["status"] == "draft"


def test_a_proposal_takes_in_the_newer_draft(draft, as_author, author):
    write = sender(as_author)
    _, made = write("pack-proposals", draft.pk, title="Another name")
    assert write("proposal-take-in", made["id"])[1]["findings"][0]["code"] == "api.nothing_new"
    apply(draft, [Change(NodeKind.PACK, draft.pk, POINTER, "drafted")], author)
    assert write("proposal-take-in", made["id"])[0] == 200
    assert Pack.objects.get(pk=made["draft"]).document["version"]["evaluation_spec"]["name"] == "drafted"


def test_the_draft_of_a_proposal_has_no_life_of_its_own(draft, as_author, team):
    _, made = sender(as_author)("pack-proposals", draft.pk, title="Another name")
    curator = client_of(make_member(team, Role.CURATOR))
    for act in ("archive", "restore", "deprecate"):
        answer = curator.post(reverse("packs-api:pack-life", args=[made["draft"], act]))
        assert (answer.status_code, answer.json()["findings"][0]["code"]) == (409, "api.pack_is_a_proposal")
