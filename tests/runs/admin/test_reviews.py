from django.urls import reverse

from packs.access import Role
from runs.jobs.scores.reviewing import review
from runs.models import Review
from tests.people import client_of, make_member
from tests.runs.reviews import begin_reviewed, requests_of, scores


def test_curators_find_who_said_what_and_cannot_change_it(author, team):
    review(requests_of(begin_reviewed(team, author))[0], author, scores(), "Kind enough.")
    curator = make_member(team, Role.CURATOR)
    curator.is_staff = True
    curator.save()
    page = reverse("admin:runs_review_change", args=[Review.objects.get().pk])
    text = client_of(curator).get(page).content.decode()
    assert ("Kind enough." in text, author.username in text, "<textarea" in text) == (True, True, False)
