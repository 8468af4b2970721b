import json

import pytest
from django.urls import reverse

from packs.access import Role
from tests.packs.drafts import draft_of
from tests.people import client_of, make_member


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def send(draft, team):
    client = client_of(make_member(team, Role.REVIEWER))
    return lambda url, **body: client.post(url, json.dumps(body), content_type="application/json")


def test_comments_are_written_answered_and_listed(send, draft, as_author):
    url = reverse("packs-api:pack-comments", args=[draft.pk])
    case = draft.cases.get(key="case-0")
    made = send(url, kind="case", node=case.pk, pointer="/inputs/0/value", text="Clear?").json()
    answered = send(reverse("packs-api:comment", args=[made["id"]]), act="answer", text="Yes.").json()
    assert [each["text"] for each in answered["answers"]] == ["Yes."]
    assert send(reverse("packs-api:comment", args=[made["id"]]), act="done").json()["is_done"]
    assert as_author.get(url, {"state": "open"}).json()["results"] == []
    (listed,) = as_author.get(url).json()["results"]
    assert (listed["pointer"], listed["author"], listed["is_done"]) == ("/inputs/0/value", "reviewer-default", True)


def test_a_comment_on_a_field_that_is_not_there_is_refused(send, draft):
    answer = send(
        reverse("packs-api:pack-comments", args=[draft.pk]), kind="pack", node=draft.pk, pointer="/x", text="Y"
    )
    assert answer.status_code == 422
    assert answer.json()["findings"][0]["code"] == "api.bad_pointer"
