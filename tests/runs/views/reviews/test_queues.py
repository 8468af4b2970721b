"""Making a review queue on pages, and working through it."""

import pytest
from django.urls import reverse

from packs.access import Role
from runs.models import Review, ReviewQueue
from tests.people import client_of, make_member
from tests.runs.queues import CAUSE, RIGHT, TONE, asked_in, begin_run, queue_of
from tests.runs.reviews import reviewer

PASSAGES = {"name": "Wrong words", "kind": "passages"}


@pytest.fixture
def run(team, author):
    return begin_run(team, author)


def page_of(name, row, query=""):
    return reverse(f"runs:{name}", args=[row.pk]) + query


def text_of(response):
    return response.content.decode()


def rubric_rows(*rows):
    return {f"aspect-{at}-{part}": value for at, row in enumerate(rows) for part, value in row.items()}


def test_a_form_makes_a_queue_with_a_rubric_and_shares(run, team, author, as_author):
    ada = reviewer(team, "ada")
    rows = (
        {"name": "Right?", "kind": "yes_no", "passing": "Yes"},
        {"name": "Tone", "kind": "scale", "options": "1 to 5", "passing": "4"},
        {"name": "Cause", "kind": "label", "options": "none, tool", "passing": "none"},
        {"name": "", "kind": "text"},
    )
    sent = {"name": "Check", "needed": "1", "sample": "2", f"person-{ada.pk}": "1", **rubric_rows(*rows)}
    response = as_author.post(page_of("queue-new", run), sent)
    queue = ReviewQueue.objects.get()
    assert response.url == page_of("queue", queue)
    assert [(row["name"], row["passes_from"], row["passing"]) for row in queue.rubric] == [
        ("Right?", None, ["yes"]),
        ("Tone", 4, []),
        ("Cause", None, ["none"]),
    ]
    assert {request.claims.get().reviewer for request in asked_in(queue)} == {ada}
    assert len(asked_in(queue)) == 2
    again = as_author.get(page_of("queue-new", run)).context["form"]
    assert [row["options"] for row in again.rows][:3] == ["", "1 to 5", "none, tool"]
    assert (len(again.shown), len(again.folded)) == (4, 16)


@pytest.mark.parametrize("wrong", [{"name": ""}, {"needed": "x"}, {"share": "101"}, {"aspect-0-name": ""}])
def test_a_form_that_is_wrong_says_why_and_keeps_what_was_typed(run, as_author, wrong):
    sent = {"name": "Check", "needed": "1", "case": "case", "aspect-0-name": "Right?", **wrong}
    response = as_author.post(page_of("queue-new", run), sent)
    assert (response.status_code, response.context["form"].values["case"]) == (422, "case")
    assert response.context["form"].problem in text_of(response)
    assert not ReviewQueue.objects.exists()


def test_the_form_counts_what_its_filters_mean(run, as_author):
    first = run.trials.order_by("pk")[0]
    query = {"case": first.case_key, "aspect-0-name": "Right?"}
    part = text_of(as_author.get(page_of("queue-new", run), query, headers={"HX-Request": "true"}))
    assert "1 trial matches" in part
    assert "<form" not in part


def test_each_review_leads_to_the_next_and_the_last_back_to_the_queue(run, team, author):
    queue = queue_of(run, author, RIGHT, TONE, CAUSE, PASSAGES, sample=2)
    first, second = asked_in(queue)
    client = client_of(reviewer(team, "ada"))
    assert client.get(page_of("queue-next", queue)).url == page_of("review", first, f"?queue={queue.pk}")
    sent = {"score:Right?": "1", "score:Tone": "5", "score:Cause": "tool", "score:Wrong words": "at the\r\nthe hub"}
    where = page_of("review", first, f"?queue={queue.pk}")
    assert client.post(where, {**sent, "score:Wrong words": "nowhere"}).status_code == 422
    assert client.post(where, sent).url == page_of("review", second, f"?queue={queue.pk}")
    given = Review.objects.get()
    assert given.scores["Cause"] == "tool"
    assert [passage["text"] for passage in given.scores["Wrong words"]] == ["at the", "the hub"]
    shown = text_of(client.get(page_of("review", first)))
    assert "Right? Yes" in shown
    assert "“at the” … “the hub”" in shown
    last = client.post(page_of("review", second, f"?queue={queue.pk}"), sent)
    assert last.url == page_of("queue", queue)
    assert client.get(page_of("queue-next", queue)).url == page_of("queue", queue)


def test_a_page_that_has_the_next_one_already_hears_how_far_the_queue_is(run, team, author):
    queue = queue_of(run, author, sample=2)
    first, second = asked_in(queue)
    client = client_of(reviewer(team, "ada"))
    query = f"?queue={queue.pk}"
    assert f'data-ahead="{page_of("review", second, query)}"' in text_of(client.get(page_of("review", first, query)))
    told = client.post(page_of("review", first, query), {"score:Right?": "1"}, headers={"X-Requested-With": "fetch"})
    assert told.json()["next"] == page_of("review", second, query)
    assert "1 of 2 trials have all their reviews" in told.json()["progress"]
    assert second.claims.get().reviewer.username == "ada"
    told = client.post(page_of("review", second, query), {"score:Right?": "1"}, headers={"X-Requested-With": "fetch"})
    assert told.json()["next"] == page_of("queue", queue)


def test_reviews_of_a_queue_are_blind_until_all_are_in(run, team, author):
    queue = queue_of(run, author, needed=2)
    asked = asked_in(queue)[0]
    ada, bob = client_of(reviewer(team, "ada")), client_of(reviewer(team, "bob"))
    ada.post(page_of("review", asked), {"score:Right?": "0", "comment": "It names the wrong hub."})
    page = page_of("review", asked)
    assert "wrong hub" not in text_of(bob.get(page))
    bob.post(page, {"score:Right?": "1", "comment": "Fine with me."})
    assert "wrong hub" in text_of(bob.get(page))
    assert "Fine with me." in text_of(ada.get(page))


def test_a_trial_is_skipped_with_a_reason(run, team, author):
    queue = queue_of(run, author)
    first, second, *_ = asked_in(queue)
    client = client_of(reviewer(team, "ada"))
    skip = page_of("review-skip", first, f"?queue={queue.pk}")
    assert client.post(skip, {"reason": ""}).status_code == 422
    assert client.post(skip, {"reason": "I wrote it."}).url == page_of("review", second, f"?queue={queue.pk}")
    shown = client.get(page_of("queue", queue))
    assert "I wrote it." in text_of(shown)
    assert shown.context["own"] == 3


def test_a_closed_queue_offers_nothing(run, team, author, as_author):
    queue = queue_of(run, author)
    as_author.post(page_of("queue-close", queue))
    shown = as_author.get(page_of("queue", queue))
    assert (shown.context["own"], shown.context["waiting"]) == (0, 0)


def test_who_may_only_read_sees_how_far_it_is_and_makes_none(run, team, author):
    queue = queue_of(run, author)
    viewer = client_of(make_member(team, Role.VIEWER))
    shown = viewer.get(page_of("queue", queue))
    assert (shown.status_code, shown.context["own"]) == (200, 0)
    assert viewer.get(page_of("queue-new", run)).status_code == 403
