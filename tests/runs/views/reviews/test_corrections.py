from django.urls import reverse

from packs.models import Comment, Proposal
from tests.people import client_of
from tests.runs.queues import asked_in, begin_run, queue_of
from tests.runs.reviews import reviewer


def test_from_a_review_a_wrong_case_is_commented_on_or_changed(team, author, as_author):
    run = begin_run(team, author, cases=1)
    asked = asked_in(queue_of(run, author))[0]
    page, act = reverse("runs:review", args=[asked.pk]), reverse("runs:correct", args=[asked.trial_id])
    as_reviewer = client_of(reviewer(team, "ada"))
    shown = as_reviewer.get(page).content.decode()
    assert (act in shown, "Propose a change" in shown) == (True, False)
    assert as_reviewer.post(act, {"act": "comment", "text": "It is Leeds."}).status_code == 302
    assert Comment.objects.get().text.startswith("It is Leeds.")
    assert as_reviewer.post(act, {"act": "propose", "text": "It is Leeds."}).status_code == 403
    assert "Propose a change" in as_author.get(page).content.decode()
    made = as_author.post(act, {"act": "propose", "text": "It is Leeds."})
    proposal = Proposal.objects.get()
    case = proposal.draft.cases.get()
    assert made.url == f"/packs/{team.slug}/{proposal.draft.slug}/edit/cases/{case.pk}/"
    assert as_author.get(made.url).status_code == 200
    assert as_author.post(act, {"act": "forget"}).status_code == 404
