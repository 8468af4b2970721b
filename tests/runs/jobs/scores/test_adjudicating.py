"""One person decides where people differ, and that is gold."""

import pytest

from packs.access import Role
from runs.jobs.scores.adjudicating import adjudicate
from runs.jobs.scores.reviewing import ReviewRefused, review
from runs.results.agreement import agreement_of, disputed_in
from runs.results.labels import gold_of, gold_rows
from tests.people import make_member
from tests.runs.queues import CAUSE, RIGHT, TONE, asked_in, begin_run, queue_of
from tests.runs.reviews import reviewer

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(team):
    return [reviewer(team, name) for name in ("ada", "bob")]


def say(right, tone=3, cause="none"):
    return {"Right?": right, "Tone": tone, "Cause": cause}


def test_what_was_decided_is_gold_where_people_are_split(team, author, people):
    curator = make_member(team, Role.CURATOR)
    run = begin_run(team, author, cases=3)
    queue = queue_of(run, author, RIGHT, TONE, CAUSE, needed=2)
    first, second, third = asked_in(queue)
    for asked, given in ((first, (say(1), say(0, 5, "tool"))), (second, (say(1), say(1)))):
        for person, said in zip(people, given, strict=True):
            review(asked, person, said)
    assert disputed_in(queue) == [first]
    assert set(gold_of(run)) == {second.trial_id}
    with pytest.raises(ReviewRefused):
        adjudicate(third, curator, say(1))
    with pytest.raises(ReviewRefused):
        adjudicate(first, curator, {"Right?": 1})
    adjudicate(first, curator, say(0), "It names the wrong hub.")
    assert disputed_in(queue) == []
    assert [(row.pk, said.passes, said.how, said.people) for row, said in gold_rows(run)] == [
        (first.trial_id, False, "adjudicated", 2),
        (second.trial_id, True, "agreed", 2),
    ]
    adjudicate(first, curator, say(1))
    assert gold_of(run)[first.trial_id].passes


def test_agreement_of_a_queue_is_said_by_aspect(team, author, people):
    run = begin_run(team, author, cases=2)
    queue = queue_of(run, author, RIGHT, TONE, CAUSE, needed=2)
    first, second = asked_in(queue)
    for person, said in zip(people, (say(1, 5), say(1, 4)), strict=True):
        review(first, person, said)
    for person, said in zip(people, (say(0, 1, "tool"), say(0, 1, "facts")), strict=True):
        review(second, person, said)
    found = agreement_of(run).aspects
    assert {key: each.raw for (_, key), each in found.items()} == {"Right?": 1.0, "Tone": 0.5, "Cause": 0.5}
    right, tone = found["Check", "Right?"], found["Check", "Tone"]
    assert (right.kappa, right.alpha, right.base) == (1.0, 1.0, 0.5)
    # A step of one on a scale is less than a difference of kinds.
    assert tone.alpha > tone.kappa
    dispute = agreement_of(run).disputes[0]
    assert (dispute.request, dispute.spread, dispute.aspects) == (first, 1, {"Tone": {"ada": "5", "bob": "4"}})
    assert agreement_of(run).disputes[1].aspects == {"Cause": {"ada": "tool", "bob": "facts"}}
