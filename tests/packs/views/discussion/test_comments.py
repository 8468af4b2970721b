import pytest
from django.urls import reverse

from packs.access import Role
from packs.editing.comments import comment_on
from packs.views.workbench.addresses import ref_of, url_of
from tests.packs.drafts import draft_of
from tests.people import client_of, make_member


@pytest.fixture
def draft(team):
    return draft_of(team)


@pytest.fixture
def case(draft):
    return draft.cases.order_by("position").first()


@pytest.fixture
def url(draft, case):
    return url_of(draft, "edit-comments", ref_of(case))


def test_a_field_is_commented_answered_and_done(as_author, draft, case, url, team):
    second = make_member(team, Role.REVIEWER)
    page = as_author.post(url, {"at": "/inputs/0/value", "text": f"Clear? @{second.username}"}, follow=True)
    (shown,) = page.context["threads"]
    assert (shown.field, shown.value) == ("inputs[0].value", "Where is parcel case-0?")
    act = reverse("packs:comment", args=["default", "parcels", shown.thread.comment.pk])
    page = client_of(second).post(act, {"act": "answer", "text": "Yes.", "back": "node"}, follow=True)
    assert "Yes." in page.text
    assert "Clear?" in client_of(second).get(reverse("studio:home")).text
    client_of(second).post(act, {"act": "done"})
    assert "Clear?" not in client_of(second).get(reverse("studio:home")).text
    every = reverse("packs:comments", args=["default", "parcels"])
    assert [len(as_author.get(every, {"show": show}).context["threads"]) for show in ("open", "done")] == [0, 1]


def test_what_was_typed_is_there_again_when_it_is_refused(as_author, url):
    page = as_author.post(url, {"at": "/gone", "text": "Hm"}, follow=True)
    assert "This field is not there any more" in page.text
    assert page.context["text"] == "Hm"


def test_the_outline_counts_open_comments(as_author, draft, case, author):
    comment_on(draft, (case.kind, case.pk), "", "Why?", author)
    page = as_author.get(url_of(draft, "edit-node", ref_of(case)))
    entry = next(each for each in page.context["outline"]["sets"][0].cases.entries if each.node == case.pk)
    assert entry.comments == page.context["outline"]["comments"] == 1


def test_a_viewer_reads_comments_and_gets_no_form(draft, case, url, author, team):
    comment_on(draft, (case.kind, case.pk), "", "Why?", author)
    page = client_of(make_member(team, Role.VIEWER)).get(url)
    assert "Why?" in page.text
    assert "<textarea" not in page.text
