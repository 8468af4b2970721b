import pytest
from django.urls import reverse

from packs.access import Role
from packs.editing import Change, apply
from packs.editing.comments import comment_on
from packs.editing.proposals import propose
from packs.formats.document import NodeKind
from packs.models import Pack
from tests.packs.drafts import draft_of
from tests.people import client_of, make_member

LIST = reverse("packs:proposals", args=["default", "parcels"])
ONE = reverse("packs:proposal", args=["default", "parcels", 1])


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def as_curator(team):
    return client_of(make_member(team, Role.CURATOR))


@pytest.fixture
def proposal(draft, author):
    found = propose(draft, author, "A clearer question")
    edit(found.draft, author, "Where is the parcel now?")
    return found


def edit(draft, author, value):
    case = draft.cases.get(key="case-0")
    apply(draft, [Change(NodeKind.CASE, case.pk, "/inputs/0/value", value)], author)


def do(client, what, **given):
    return client.post(reverse("packs:proposal-act", args=["default", "parcels", 1, what]), given, follow=True)


def judge(client, proposal, act, **given):
    url = reverse("packs:judge", args=["default", proposal.draft.slug])
    return client.post(url, {"act": act, "revision": proposal.draft.revision, **given}, follow=True)


def question(draft):
    return Pack.objects.get(pk=draft.pk).cases.get(key="case-0").document["inputs"][0]["value"]


def test_a_proposal_begins_in_a_draft_of_its_own(as_author, draft):
    page = as_author.post(LIST, {"title": "A clearer question"}, follow=True)
    assert page.context["pack"].slug == "parcels-proposal-1"
    assert "Review and merge" in page.text
    assert "A clearer question" in as_author.get(LIST).text
    assert "parcels-proposal-1" not in as_author.get(reverse("packs:catalogue")).text


def test_its_pages_as_a_pack_lead_to_the_proposal(as_author, proposal):
    for name in ("packs:overview", "packs:publish"):
        assert as_author.get(reverse(name, args=["default", proposal.draft.slug])).url == ONE


def test_a_proposal_is_reviewed_sent_back_approved_and_merged(as_author, as_curator, draft, proposal):
    assert "Waits for a review" in do(as_author, "ask").text
    page = judge(as_curator, proposal, "return", text="Say which parcel.")
    assert "Say which parcel." in page.text
    assert "Being written" in page.text
    assert "Somebody else has to approve" in judge(as_author, proposal, "approve").text
    assert judge(as_curator, proposal, "approve").context["approval"]
    do(as_curator, "merge")
    assert question(draft) == "Where is the parcel now?"
    page = as_author.get(ONE)
    assert [node.title for node in page.context["nodes"]] == ["case-0"]
    assert "Merged" in page.text


def test_who_can_review_a_proposal_finds_it_at_home_until_it_is_judged(as_author, as_curator, as_stranger, proposal):
    def homes():
        return [proposal.title in client.get("/").text for client in (as_curator, as_author, as_stranger)]

    assert homes() == [False, False, False]
    do(as_author, "ask")
    assert homes() == [True, False, False]
    judge(as_curator, proposal, "approve")
    assert homes() == [False, False, False]


def test_who_can_approve_a_draft_finds_it_at_home(as_author, as_curator, draft, author):
    draft.needs_approval = True
    draft.save()
    edit(draft, author, "Where is the parcel now?")
    found, own = as_curator.get("/"), as_author.get("/")
    assert reverse("packs:publish", args=["default", "parcels"]) in found.text
    assert "wait for your approval" not in own.text


def test_what_was_changed_since_it_was_looked_at_is_not_approved(as_curator, proposal, author):
    seen = proposal.draft.revision
    edit(proposal.draft, author, "Another question")
    page = judge(as_curator, proposal, "approve", revision=seen)
    assert "changed in the meantime" in page.text
    assert page.context["approval"] is None


def test_a_conflict_is_shown_with_both_values_and_decided(as_curator, draft, proposal):
    edit(draft, None, "What the draft says")
    page = do(as_curator, "merge")
    assert "There are conflicts to decide first" in page.text
    (conflict,) = page.context["conflicts"]
    assert (conflict["ours"], conflict["theirs"]) == ("What the draft says", "Where is the parcel now?")
    do(as_curator, "merge", seen=conflict["name"], **{f"side:{conflict['name']}": "theirs"})
    assert question(draft) == "Where is the parcel now?"


def test_a_comment_on_a_proposal_is_answered_where_it_stands(as_curator, proposal, author):
    case = proposal.draft.cases.get(key="case-0")
    said = comment_on(proposal.draft, (NodeKind.CASE, case.pk), "/inputs/0/value", "Clear?", author)
    url = reverse("packs:comment", args=["default", proposal.draft.slug, said.pk])
    page = as_curator.post(url, {"act": "answer", "text": "Yes.", "back": "proposal"}, follow=True)
    assert page.request["PATH_INFO"] == ONE
    assert "Yes." in page.text


def test_publishing_says_that_an_approval_is_missing(as_curator, draft, team, author):
    edit(draft, author, "Other")
    url = reverse("packs:publish", args=["default", "parcels"])
    as_curator.post(reverse("packs:approval-rule", args=["default", "parcels"]), {"needed": "true"})
    page = as_curator.get(url)
    assert "has to approve the draft before it is published" in page.text
    assert author not in page.context["approvers"]
    assert page.context["may_approve"]
    assert as_curator.post(url, {"number": 1}).status_code == 409
    as_curator.post(reverse("packs:judge", args=["default", "parcels"]), {"act": "approve", "revision": draft.revision})
    assert "The draft is approved as it is." in as_curator.get(url).text
    assert as_curator.post(url, {"number": 1}).status_code == 302
