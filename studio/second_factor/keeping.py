"""The second factor of an account: turned on and off, proven, reset. The audit log and the person hear of each."""

import logging

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from packs.access import Permission, roles_with
from packs.audit import record
from packs.models import Membership, Team
from packs.notices import SECOND_FACTOR, Notice
from runs.jobs.notices.noting import note
from runs.models.sealing import Unsealable, seal, unseal
from studio import guessing
from studio.models import RecoveryCode, SecondFactor
from studio.second_factor.codes import RECOVERY_CODES, new_recovery_code, plain, step_of
from studio.tokens import digest_of

log = logging.getLogger(__name__)


class TooManyGuesses(Exception):
    """Codes of the account were wrong too often: no further one is looked at for some minutes."""


class AlreadyOn(Exception):
    """The account has a second factor."""


def has_factor(user: User) -> bool:
    return SecondFactor.objects.filter(user=user).exists()


@transaction.atomic
def turn_on(user: User, secret: str, step: int) -> list[str]:
    """Ask for codes of this secret from now on, later ones than that of `step`; gives the recovery codes.

    Raises AlreadyOn.
    """
    made = {"sealed_secret": seal(secret), "last_step": step}
    factor, is_new = SecondFactor.objects.get_or_create(user=user, defaults=made)
    if not is_new:
        raise AlreadyOn
    record("factor.turned_on", user, by=user)
    tell(user, "Your second factor was turned on.")
    return _renewed(factor)


@transaction.atomic
def turn_off(user: User) -> None:
    SecondFactor.objects.filter(user=user).delete()
    record("factor.turned_off", user, by=user)
    tell(user, "Your second factor was turned off.")


@transaction.atomic
def renew_codes(user: User) -> list[str]:
    """New recovery codes in place of all older ones. Raises SecondFactor.DoesNotExist."""
    codes = _renewed(SecondFactor.objects.select_for_update().get(user=user))
    record("factor.codes_renewed", user, by=user)
    tell(user, "New recovery codes were made for your account.")
    return codes


def _renewed(factor: SecondFactor) -> list[str]:
    codes = [new_recovery_code() for _ in range(RECOVERY_CODES)]
    factor.recovery_codes.all().delete()
    RecoveryCode.objects.bulk_create(RecoveryCode(factor=factor, digest=digest_of(plain(code))) for code in codes)
    return codes


@transaction.atomic
def reset(user: User, by: User | None = None, team: Team | None = None) -> bool:
    """Take away the second factor of somebody who cannot use it any more; False where there is none."""
    gone, _ = SecondFactor.objects.filter(user=user).delete()
    if gone:
        record("factor.reset", user, by=by, team=team)
        tell(user, f"{by or 'The operator of the studio'} reset your second factor.")
    return bool(gone)


def resettable_by(user: User, people: list[User]) -> set[int]:
    """The ids of those whose second factor a user may reset: superusers may of everybody.

    Others may of members of teams that they administer, and of no other team: one that somebody made and invited a
    person to must not weaken what they can do elsewhere, such as in the administration.
    """
    if user.is_superuser or not people:
        return {each.pk for each in people}
    mine = Membership.objects.filter(user=user, role__in=roles_with(Permission.ADMINISTER)).values("team")
    rows = Membership.objects.filter(user__in=people)
    elsewhere = set(rows.exclude(team__in=mine).values_list("user", flat=True))
    return {each.pk for each in people if each.pk not in elsewhere and not (each.is_staff or each.is_superuser)}


def prove(user: User, code: str) -> bool:
    """Whether a code of the app or a recovery code is right; it is used up with that. Raises TooManyGuesses.

    Guesses count for the account, wherever they come from: who gets this far knows its password.
    """
    name = guessing.counted_name(f"second factor of {user.pk}")
    if guessing.is_blocked(name, name) or not guessing.begin(name, name):
        log.warning("second_factor.blocked", extra={"account": user.username})
        raise TooManyGuesses
    if not _uses_up(user, plain(code)):
        record("factor.failed", user)
        log.warning("second_factor.failed", extra={"account": user.username})
        return False
    guessing.forget(name, name)
    return True


def _uses_up(user: User, code: str) -> bool:
    factor = SecondFactor.objects.filter(user=user).first()
    return factor is not None and (_uses_up_step(factor, code) or _uses_up_recovery_code(factor, code))


def _uses_up_step(factor: SecondFactor, code: str) -> bool:
    """Of several who bring the same code at once, one is let in."""
    try:
        step = step_of(unseal(factor.sealed_secret), code, timezone.now().timestamp())
    except Unsealable:
        log.warning("second_factor.not_opened", extra={"account": factor.user.username})
        return False
    if step is None:
        return False
    return bool(SecondFactor.objects.filter(pk=factor.pk, last_step__lt=step).update(last_step=step))


@transaction.atomic
def _uses_up_recovery_code(factor: SecondFactor, code: str) -> bool:
    if not factor.recovery_codes.filter(digest=digest_of(code)).delete()[0]:
        return False
    left = factor.recovery_codes.count()
    record("factor.recovery_code_used", factor.user, by=factor.user)
    tell(factor.user, f"A recovery code of your account was used. Codes left: {left}.")
    return True


def tell(user: User, title: str) -> None:
    """Let a person know of a change, whatever they chose to hear of: it may not have been them."""
    note(Notice(SECOND_FACTOR, None, title, "studio:second-factor", (), people=frozenset({user.pk})))
