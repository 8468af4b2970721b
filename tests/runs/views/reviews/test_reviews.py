import pytest
from django.urls import reverse

from packs.access import Role
from runs.jobs.scores.reviewing import review
from runs.models import Trial
from tests.people import client_of, make_member
from tests.runs.reviews import begin_reviewed, requests_of, reviewed_task, scores

QUEUE = reverse("runs:reviews")


@pytest.fixture
def run(author, team):
    return begin_reviewed(team, author, reviewed_task(min_reviewers=2))


@pytest.fixture
def colleague(team):
    return make_member(team, Role.REVIEWER)


def page_of(request):
    return reverse("runs:review", args=[request.pk])


def sent(kindness=4, greets=4, **more):
    return {"score:kindness": kindness, "score:assertion 1": greets, **more}


def text_of(response):
    return response.content.decode()


def test_home_run_and_queue_lead_to_what_waits(run, as_author):
    link = page_of(requests_of(run)[0])
    for page in (reverse("studio:home"), reverse("runs:show", args=[run.pk]), QUEUE):
        assert link in text_of(as_author.get(page))


def test_home_counts_only_what_waits_for_whoever_looks(run, team, author, as_author):
    review(requests_of(run)[0], author, scores())
    assert as_author.get(reverse("studio:home")).context["reviews_waiting"]["total"] == 4
    viewer = client_of(make_member(team, Role.VIEWER))
    assert viewer.get(reverse("studio:home")).context["reviews_waiting"]["total"] == 0
    listed = as_author.get(QUEUE).context
    assert (listed["own"], listed["all"]) == (4, 5)


def test_the_queue_is_narrowed_by_pack_and_run(run, team, author, as_author):
    other = begin_reviewed(team, author, reviewed_task("be-brief_1"), slug="other")
    pack = {"pack": f"{team.slug}/other"}
    for query in (pack, {"run": other.pk}):
        shown = as_author.get(QUEUE, query).context["page"].object_list
        assert {found.trial.run_id for found in shown} == {other.pk}
    first, second, *_ = requests_of(other)
    moved = as_author.post(f"{page_of(first)}?run={other.pk}", sent())
    assert moved.url == f"{page_of(second)}?run={other.pk}"


def test_what_others_said_is_hidden_until_one_has_said_something(run, colleague, as_author):
    asked = requests_of(run)[0]
    review(asked, colleague, scores(0, 0), "I would not have it.")
    pages = [page_of(asked), reverse("runs:trial", args=[asked.trial_id])]
    assert [("I would not have it." in text_of(as_author.get(page))) for page in pages] == [False, False]
    assert as_author.post(page_of(asked), sent(comment="Lovely.")).status_code == 302
    for page in pages:
        text = text_of(as_author.get(page))
        assert ("I would not have it." in text, "Lovely." in text) == (True, True)


def test_a_review_from_the_page_of_the_trial_leads_back_and_judges(author, team, as_author):
    asked = requests_of(begin_reviewed(team, author))[0]
    page = reverse("runs:trial", args=[asked.trial_id])
    assert page_of(asked) in text_of(as_author.get(page))
    assert as_author.post(page_of(asked), sent(1, 0, **{"from": "trial"})).url == page
    trial = Trial.objects.get(pk=asked.trial_id)
    assert trial.grades.get(key="human_review").verdict == "fail"
    again = as_author.post(page_of(asked), sent(comment="Too late."))
    assert (again.status_code, again.context["box"]["comment"]) == (409, "Too late.")


@pytest.mark.parametrize("data", [{}, sent(5), sent("x"), sent(comment="x" * 20_001)])
def test_a_review_that_cannot_be_taken_is_shown_again(run, as_author, data):
    asked = requests_of(run)[0]
    response = as_author.post(page_of(asked), data)
    assert (response.status_code, response.context["box"]["comment"]) == (422, data.get("comment", ""))
    assert not asked.reviews.exists()


def test_who_may_only_read_finds_no_form_and_a_stranger_no_page(run, team, as_stranger):
    asked = requests_of(run)[0]
    viewer = client_of(make_member(team, Role.VIEWER))
    shown = viewer.get(page_of(asked))
    assert (shown.status_code, "data-review" in text_of(shown)) == (200, False)
    assert viewer.post(page_of(asked), sent()).status_code == 403
    assert as_stranger.get(page_of(asked)).status_code == 404
    assert page_of(asked) not in text_of(as_stranger.get(QUEUE, {"show": "all"}))
