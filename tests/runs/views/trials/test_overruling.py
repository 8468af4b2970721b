from django.urls import reverse

from packs.access import Role
from tests.people import client_of, make_member
from tests.runs.queues import begin_run


def test_a_trial_says_that_it_was_overruled_by_whom_and_why(team, author, as_author):
    trial = begin_run(team, author, cases=1, answer="It is lost.").trials.get()
    page, act = (reverse(f"runs:{name}", args=[trial.pk]) for name in ("trial", "overrule"))
    sent = {"key": trial.grades.get().key, "verdict": "pass", "reason": "Lost is where it is."}
    viewer = client_of(make_member(team, Role.VIEWER))
    assert viewer.post(act, sent).status_code == 403
    assert act not in viewer.get(page).content.decode()
    assert as_author.post(act, sent).url == page
    shown = viewer.get(page)
    assert shown.context["trial"].status == "passed"
    text = shown.content.decode()
    assert "Lost is where it is." in text
    assert f"{author.username} overruled {sent['key']}" in text
    as_author.post(act, {**sent, "verdict": "own", "reason": ""})
    back = viewer.get(page)
    assert (back.context["trial"].status, back.context["overruled"]) == ("failed", {})
