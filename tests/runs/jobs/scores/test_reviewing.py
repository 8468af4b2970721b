import pytest
from django.urls import reverse

from packs.access import Role
from runs.jobs.gating.checks import judge, keep
from runs.jobs.scores.reviewing import ReviewRefused, asked_of, review
from runs.jobs.trials.retrying import retry
from runs.models import Attempt, Review, ReviewRequest, Run, Trial
from runs.results.tracing import trial_record
from tests.people import make_member
from tests.runs.reviews import begin_reviewed, requests_of, reviewed_task, scores


@pytest.fixture
def run(author, team):
    return begin_reviewed(team, author, reviewed_task(critical=True))


def first(run):
    return requests_of(run)[0]


def state_of(request):
    request.refresh_from_db()
    return request.state


def test_every_ended_trial_waits_for_its_own_reviews(run):
    requests = requests_of(run)
    assert len(requests) == run.trial_count == 5
    assert {(request.grader_key, request.needed, request.state) for request in requests} == {
        ("human_review", 1, "waiting")
    }
    assert [(aspect.key, bool(aspect.text)) for aspect in asked_of(requests[0]).aspects] == [
        ("kindness", True),
        ("assertion 1", True),
    ]


@pytest.mark.parametrize(("kindness", "status"), [(4, "passed"), (1, "failed")])
def test_the_last_review_judges_the_trial_and_mends_the_run(run, author, kindness, status):
    request = first(run)
    before = Trial.objects.get(pk=request.trial_id)
    assert review(request, author, scores(kindness, kindness), "Because.")
    trial = Trial.objects.get(pk=request.trial_id)
    assert (before.status, trial.status, state_of(request)) == ("undecided", status, "settled")
    assert [grade.score for grade in trial.grades.filter(key="human_review")] == [kindness / 4]
    assert list(trial.events.values_list("sequence", flat=True)) == list(range(1, trial.event_count + 1))
    assert trial.events.filter(event_type="grader.review.recorded").count() == 1
    mended = Run.objects.get(pk=run.pk)
    assert mended.counts[status] == 1
    assert sum(mended.counts.values()) == run.trial_count
    assert mended.agents.get().summary["trials"] == run.trial_count
    assert mended.agents.get().summary["passed"] == (1 if status == "passed" else 0)


def test_a_trial_that_waits_for_people_is_no_error(run, as_author):
    assert (run.status, run.counts) == ("completed", {"undecided": 5})
    trial = run.trials.first()
    assert trial.fault == "person"
    assert trial.error.startswith("waits for people: ")
    page = as_author.get(reverse("runs:trial", args=[trial.pk]))
    assert page.context["cause"].title == "Waits for reviews"
    junit = b"".join(as_author.get(f"/api/v1/runs/{run.pk}/export/?as=junit").streaming_content)
    assert b'errors="0" skipped="5"' in junit
    assert retry(run, "errors") == 0


def test_a_gate_is_told_what_a_trial_without_a_verdict_waits_for(run):
    check = keep(judge(run, "nightly"))
    (member,) = check.members
    assert member["verdict"] == "incomplete"
    assert {(state, reason[:17]) for _, state, _, reason, _ in member["trials"]} == {("skipped", "waits for people:")}


def test_the_page_of_a_run_counts_what_waits_for_people_apart(run, as_author):
    Trial.objects.filter(pk=run.trials.first().pk).update(fault="", error="No judge answers.")
    page = as_author.get(reverse("runs:show", args=[run.pk]))
    assert [card.unjudged for card in page.context["cards"]] == [["1 undecided", "4 wait for reviews"]]
    assert {facet.label: facet.total for facet in page.context["statuses"]} == {"Undecided": 1, "Waits for reviews": 4}
    assert [trouble.reason for trouble in page.context["troubles"]] == ["No judge answers."]


def test_a_review_may_change_until_enough_are_there(author, team):
    request = first(begin_reviewed(team, author, reviewed_task(min_reviewers=2)))
    assert not review(request, author, scores(0, 0))
    assert not review(request, author, scores(4, 2), "On second thought.")
    assert [(row.score, row.comment) for row in request.reviews.all()] == [(3, "On second thought.")]
    assert review(request, make_member(team, Role.REVIEWER), scores(1, 2))
    grade = request.trial.grades.get(key="human_review")
    assert (grade.score, grade.verdict) == ((3 + 1.5) / 2 / 4, "fail")
    with pytest.raises(ReviewRefused) as refused:
        review(request, author, scores())
    assert refused.value.code == "review_closed"
    assert Review.objects.count() == 2


def test_what_people_said_goes_out_with_the_record(run, author):
    request = first(run)
    review(request, author, scores(3, 4), "Nearly.")
    [said] = trial_record(Trial.objects.get(pk=request.trial_id))["evidence"]["human"]
    assert (said["grader"], said["score"], said["rationale"]) == ("human_review", 3.5, "Nearly.")


@pytest.mark.parametrize("given", [{}, scores(5), scores(-1), scores(True), scores(2.5), {**scores(), "more": 1}])
def test_scores_that_do_not_fit_are_refused_and_nothing_is_kept(run, author, given):
    with pytest.raises(ReviewRefused) as refused:
        review(first(run), author, given)
    assert refused.value.code == "invalid_scores"
    assert not Review.objects.exists()


def test_a_trial_that_is_tried_again_is_asked_about_anew_and_keeps_what_was_said(run, author):
    request = first(run)
    review(request, author, scores(0, 0), "Rude.")
    other = requests_of(run)[1]
    assert retry(Run.objects.get(pk=run.pk), "failed", author) == 1
    assert (state_of(request), state_of(other)) == ("withdrawn", "waiting")
    with pytest.raises(ReviewRefused):
        review(request, author, scores())
    kept = Attempt.objects.get(trial=request.trial)
    assert kept.status == "failed"
    assert "grader.review.recorded" in [event["event_type"] for event in kept.events]
    assert request.reviews.get().comment == "Rude."
    assert not ReviewRequest.objects.waiting().filter(trial=request.trial).exists()
