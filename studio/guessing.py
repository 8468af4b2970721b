"""Guessing passwords is slow: one limit for every place at which somebody signs in.

Attempts are rows, so all web processes count together and no other server need be there.
"""

import hashlib
import logging
import unicodedata
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from runs.models.notices import with_unread
from studio.audit.doors import failed
from studio.models import SignInAttempt
from studio.proxies import counted_address
from studio.second_factor.demand import with_demand
from studio.teams.service_accounts import is_service_account

WINDOW = timedelta(minutes=5)
# Attempts that may fail within the window: for one name from one address, from one address, for one name.
PER_NAME_AND_ADDRESS, PER_ADDRESS, PER_NAME = 8, 40, 100

log = logging.getLogger(__name__)


class LimitedBackend(ModelBackend):
    """Django's own users and passwords, with a limit on guesses; the only backend of the studio."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **more: Any
    ) -> User | None:
        """The user with this name and password. Raises PermissionDenied where too many attempts failed before."""
        if request is None or username is None or password is None:
            return super().authenticate(request, username, password, **more)
        name, address = counted_name(username), counted_address(address_of(request))
        if must_wait(request, username) or not begin(name, address):
            raise PermissionDenied
        user = super().authenticate(request, username, password, **more)
        if user is None or is_service_account(user):
            user = None
            failed(username)
            log.warning("sign_in.failed", extra={"account": username[:150], "address": address_of(request)})
        else:
            forget(name, address)
        return user

    def get_user(self, user_id: int) -> User | None:
        """The user of a session, who knows whether a second factor is missing (`studio.second_factor.demand`), and how
        much is unread (`runs.models.notices`)."""
        statement, *parameters = _user_statement()
        user = next(iter(User.objects.raw(statement, [*parameters, user_id])), None)
        return user if user and self.user_can_authenticate(user) else None


@cache
def _user_statement() -> tuple[Any, ...]:
    """The SQL that reads a user, whose id is its last parameter, and the parameters before that.

    It is built once: every request of a session asks it, and building it takes ten times as long as asking.
    """
    statement, parameters = with_unread(with_demand(User.objects.all())).filter(pk=0).query.sql_with_params()
    return (statement, *parameters[:-1])


def must_wait(request: HttpRequest, username: str) -> bool:
    """Whether an attempt with this name from where the request comes is refused unseen; that is logged."""
    address = address_of(request)
    blocked = is_blocked(counted_name(username), counted_address(address))
    if blocked:
        log.warning("sign_in.blocked", extra={"account": username[:150], "address": address})
    return blocked


def begin(name: str, address: str) -> bool:
    """Count an attempt before its password is looked at, so that parallel ones count each other; False where it is
    one too many."""
    now = timezone.now()
    SignInAttempt.objects.filter(at__lt=now - WINDOW).delete()
    SignInAttempt.objects.create(name=name, address=address)
    return not _exceeds(name, address, now, extra=0)


def forget(name: str, address: str) -> None:
    """Count anew, after an attempt that was right."""
    SignInAttempt.objects.filter(name=name, address=address).delete()


def is_blocked(name: str, address: str) -> bool:
    """Whether no further attempt is allowed now."""
    return _exceeds(name, address, timezone.now(), extra=1)


def _exceeds(name: str, address: str, now: datetime, extra: int) -> bool:
    """Whether the attempts of the window and `extra` further ones are more than a limit allows."""
    recent = SignInAttempt.objects.filter(Q(name=name) | Q(address=address), at__gt=now - WINDOW)
    found = list(recent.values_list("name", "address"))
    return (
        found.count((name, address)) + extra > PER_NAME_AND_ADDRESS
        or sum(each[1] == address for each in found) + extra > PER_ADDRESS
        or sum(each[0] == name for each in found) + extra > PER_NAME
    )


def counted_name(username: str) -> str:
    """A name as attempts are counted for it: look-alike letters (NFKC, as accounts are looked up) and case are one.

    A digest: names may be long, and some are passwords in the wrong field.
    """
    plain = unicodedata.normalize("NFKC", username.strip()).casefold()
    return hashlib.sha256(unicodedata.normalize("NFKC", plain).encode("utf-8", "replace")).hexdigest()


def address_of(request: HttpRequest) -> str:
    """The address that a request comes from; empty where there is none."""
    return str(request.META.get("REMOTE_ADDR", ""))[:64]
