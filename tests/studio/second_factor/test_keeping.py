"""Second factors of accounts: what proves them, how often, and who hears of it."""

import pytest
from django.contrib.auth.models import User
from django.core import mail

from packs.access import Role
from packs.models import AuditEvent, Membership, Team
from runs.jobs.notices import sending
from runs.models import Notification
from studio.guessing import PER_NAME_AND_ADDRESS
from studio.models import RecoveryCode, SecondFactor
from studio.second_factor.keeping import (
    AlreadyOn,
    TooManyGuesses,
    has_factor,
    prove,
    renew_codes,
    reset,
    resettable_by,
    turn_off,
    turn_on,
)
from tests.factors import code_of, give_factor, wrong_code


def kinds_about(user):
    return list(AuditEvent.objects.filter(subject=str(user)).order_by("pk").values_list("kind", flat=True))


def test_a_code_is_taken_once_and_none_before_it(author):
    secret, _ = give_factor(author)
    now, later = code_of(secret), code_of(secret, 1)
    assert prove(author, later)
    assert not prove(author, later)
    assert not prove(author, now)


def test_a_recovery_code_is_taken_once(author):
    _, codes = give_factor(author)
    assert len(set(codes)) == 10
    assert prove(author, codes[3].upper())
    assert not prove(author, codes[3])
    assert prove(author, codes[4])
    assert "factor.recovery_code_used" in kinds_about(author)


def test_codes_of_others_are_none(author, administrator):
    give_factor(author)
    secret, codes = give_factor(administrator)
    assert not prove(author, code_of(secret))
    assert not prove(author, codes[0])


def test_nothing_that_is_stored_signs_in(author):
    secret, codes = give_factor(author)
    kept = {SecondFactor.objects.get().sealed_secret, *RecoveryCode.objects.values_list("digest", flat=True)}
    assert not {secret, *codes} & kept
    assert not any(prove(author, digest) for digest in list(kept)[:3])


def test_guesses_are_limited_wherever_they_come_from(author, administrator):
    secret, codes = give_factor(author)
    assert not any(prove(author, wrong_code(secret)) for _ in range(PER_NAME_AND_ADDRESS))
    for right in (code_of(secret), codes[0]):
        with pytest.raises(TooManyGuesses):
            prove(author, right)
    other, _ = give_factor(administrator)
    assert prove(administrator, code_of(other))
    assert kinds_about(author).count("factor.failed") == PER_NAME_AND_ADDRESS


def test_a_right_code_ends_the_count_of_wrong_ones(author):
    secret, codes = give_factor(author)
    for code in codes[:3]:
        assert not any(prove(author, wrong_code(secret)) for _ in range(PER_NAME_AND_ADDRESS - 1))
        assert prove(author, code)


def test_new_recovery_codes_take_the_place_of_old_ones(author):
    _, old = give_factor(author)
    new = renew_codes(author)
    assert not prove(author, old[0])
    assert prove(author, new[0])


def test_a_factor_that_is_on_is_not_replaced(author):
    secret, _ = give_factor(author)
    with pytest.raises(AlreadyOn):
        turn_on(author, "A" * 32, step=0)
    assert prove(author, code_of(secret))


def test_recovery_codes_work_where_no_key_opens_the_secret(author, settings):
    secret, codes = give_factor(author)
    settings.ENCRYPTION_KEYS = ["another key"]
    assert not prove(author, code_of(secret))
    assert prove(author, codes[0])


def test_the_log_has_every_change_and_the_person_hears_of_it_in_the_studio_and_by_mail(
    author, administrator, settings, django_capture_on_commit_callbacks
):
    settings.SMTP = "smtp://mail.example.org"
    author.email = "author@example.org"
    author.save()
    with django_capture_on_commit_callbacks():
        give_factor(author)
        turn_off(author)
        give_factor(author)
        assert reset(author, by=administrator)
    assert not has_factor(author)
    assert not reset(author, by=administrator)
    changes = ["factor.turned_on", "factor.turned_off", "factor.turned_on", "factor.reset"]
    assert [kind for kind in kinds_about(author) if kind.startswith("factor")] == changes
    rows = Notification.objects.filter(user=author, in_studio=True).order_by("pk")
    assert rows.count() == 4
    assert str(administrator) in rows.last().notice.title
    sending.mail(rows.last().pk)
    assert (mail.outbox[0].to, mail.outbox[0].subject) == (["author@example.org"], rows.last().notice.title)
    assert "concerns your account" in mail.outbox[0].body


def test_administrators_reset_members_of_their_teams_alone(team, author, administrator, stranger):
    root = User.objects.create_superuser("root")
    Membership.objects.create(team=team, user=root, role=Role.VIEWER)
    people = [author, root]
    assert resettable_by(administrator, people) == {author.pk}
    assert resettable_by(root, people) == {author.pk, root.pk}
    assert resettable_by(author, [administrator]) == set()
    # In a team that somebody else administers the factor guards more than this administrator answers for.
    Membership.objects.create(team=Team.objects.create(slug="second", name="Second"), user=author, role=Role.VIEWER)
    assert resettable_by(administrator, people) == set()
    assert resettable_by(stranger, people) == set()
