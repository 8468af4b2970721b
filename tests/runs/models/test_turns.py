from datetime import timedelta

import pytest
from django.utils import timezone

from packs.access import Role
from runs.launch.launching import launch
from runs.models import HumanTurn, Run, Trial, TrialStatus
from runs.models.turns import storable_files
from tests.people import make_member


@pytest.fixture
def turn(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    trial = Trial.objects.filter(run=run).first()
    Trial.objects.filter(pk=trial.pk).update(status=TrialStatus.WAITING)
    now = timezone.now()
    more = {"turn_index": 1, "phase_id": "press", "sequence": 3}
    return HumanTurn.objects.create(trial=trial, asked_at=now, due_at=now + timedelta(minutes=5), **more)


def fresh(turn):
    return HumanTurn.objects.get(pk=turn.pk)


def test_who_may_run_or_review_may_answer(turn, team, author, stranger):
    others = [make_member(team, role) for role in Role if role not in (Role.AUTHOR, Role.ADMINISTRATOR)]
    able = {user.username for user in (author, *others) if HumanTurn.objects.answerable_by(user).exists()}
    assert able == {"author-default", "reviewer-default", "curator-default"}
    assert not HumanTurn.objects.visible_to(stranger).exists()


def test_a_turn_waits_until_it_is_answered_or_its_time_is_over(turn):
    assert fresh(turn).state == "waiting"
    assert 200 < turn.seconds_left <= 300
    assert HumanTurn.objects.waiting().count() == 1
    HumanTurn.objects.filter(pk=turn.pk).update(due_at=timezone.now())
    assert fresh(turn).state == "expired"
    assert not HumanTurn.objects.waiting().exists()
    assert HumanTurn.objects.overdue(timezone.now()).count() == 1
    HumanTurn.objects.filter(pk=turn.pk).update(answered_at=timezone.now())
    assert fresh(turn).state == "answered"
    assert not HumanTurn.objects.overdue(timezone.now()).exists()


def test_nobody_is_asked_any_more_once_the_trial_or_its_run_was_stopped(turn):
    Run.objects.filter(pk=turn.trial.run_id).update(cancel_requested_at=timezone.now())
    assert fresh(turn).state == "withdrawn"
    assert not HumanTurn.objects.waiting().exists()
    Run.objects.filter(pk=turn.trial.run_id).update(cancel_requested_at=None)
    Trial.objects.filter(pk=turn.trial_id).update(status=TrialStatus.CANCELLED)
    assert fresh(turn).state == "withdrawn"
    assert not HumanTurn.objects.waiting().exists()
    assert not HumanTurn.objects.overdue(turn.due_at).exists()


def test_what_has_expired_stays_so_and_is_swept_once(turn):
    HumanTurn.objects.filter(pk=turn.pk).update(expired_at=timezone.now())
    assert fresh(turn).state == "expired"
    assert not HumanTurn.objects.waiting().exists()
    assert not HumanTurn.objects.overdue(turn.due_at).exists()


def test_what_is_due_first_stands_first_and_has_no_time_below_none(turn):
    before = turn.asked_at - timedelta(minutes=1)
    late = HumanTurn.objects.create(
        trial=turn.trial, turn_index=2, phase_id="press", sequence=4, asked_at=before, due_at=before
    )
    assert list(HumanTurn.objects.all()) == [late, turn]
    assert late.seconds_left == 0


def test_kept_files_come_back_as_they_were(turn):
    files = {"a/b.bin": b"\x00\xff", "c.txt": b"hub"}
    HumanTurn.objects.filter(pk=turn.pk).update(files=storable_files(files))
    assert fresh(turn).kept_files() == files
