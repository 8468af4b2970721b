"""Which account belongs to an identity of the directory, and what its groups grant there."""

import logging
import re
import unicodedata

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from packs.audit import record
from packs.formats.characters import storable
from packs.models import Membership, Team
from studio.oidc.groups import Grants, granted, read_mapping
from studio.oidc.provider import Identity
from studio.teams.service_accounts import is_service_account

NO_ACCOUNT = "You have no account of this studio yet. Ask its administrator for one."
CLOSED = "This account is closed."
TAKEN = (
    "An account with your e-mail address is there already. Sign in to it with its password, then connect it on the "
    "page of your account."
)
OF_ANOTHER = "This identity is connected to another account."
LONGEST_NAME = 150
log = logging.getLogger(__name__)


class Refused(Exception):
    """The directory knows the person, but the studio does not let them in; the text says why."""


def identities_of(user: User) -> list[SocialAccount]:
    """The identities in the directory with which a user signs in."""
    return list(SocialAccount.objects.filter(user=user, provider=settings.OIDC_ISSUER).order_by("pk"))


@transaction.atomic
def account_of(identity: Identity) -> User:
    """The account that an identity signs in to, with the roles that its groups grant now. Raises Refused."""
    row = find(identity)
    user: User = row.user if row else known_by_email(identity) or make_account(identity)
    if not user.is_active or is_service_account(user):
        raise Refused(CLOSED)
    renew(row or connected(identity, user), identity)
    return user


def find(identity: Identity) -> SocialAccount | None:
    rows = SocialAccount.objects.select_related("user")
    found: SocialAccount | None = rows.filter(provider=identity.issuer, uid=identity.subject).first()
    return found


@transaction.atomic
def connect(identity: Identity, user: User) -> None:
    """Connect an identity to the account of who is signed in. Raises Refused."""
    row = find(identity)
    if (row and row.user_id != user.pk) or (row is None and identities_of(user)):
        raise Refused(OF_ANOTHER)
    renew(row or connected(identity, user), identity)


@transaction.atomic
def disconnect(user: User) -> None:
    """Take the identities of a user away, with what they granted."""
    for row in identities_of(user):
        apply(row, Grants())
        row.delete()
        record("identity.disconnected", user, by=user)


def connected(identity: Identity, user: User) -> SocialAccount:
    row: SocialAccount = SocialAccount.objects.create(user=user, provider=identity.issuer, uid=identity.subject)
    record("identity.connected", user, by=user)
    return row


def known_by_email(identity: Identity) -> User | None:
    """The one account with the e-mail address of an identity. Raises Refused where it cannot be given to it.

    Only superusers set addresses of accounts, and who has the address must be vouched for. An account that has an
    identity keeps it: addresses of people who leave are given to others.
    """
    if not identity.email:
        return None
    rows = User.objects.filter(email__iexact=identity.email)
    # Databases hold letters for equal that are not, such as a dotless i.
    found = [row for row in rows if is_same_address(row.email, identity.email)]
    if not found:
        return None
    if len(found) > 1 or not identity.is_email_verified or identities_of(found[0]):
        raise Refused(TAKEN)
    return found[0]


def is_same_address(one: str, other: str) -> bool:
    """Case does not matter between ASCII letters alone: two letters that look or fold alike are two mailboxes."""
    return one == other or (one.isascii() and other.isascii() and one.lower() == other.lower())


def folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def make_account(identity: Identity) -> User:
    """A new account without a password. Raises Refused where the directory makes none."""
    if not settings.OIDC_ACCOUNTS:
        raise Refused(NO_ACCOUNT)
    # An address that nobody vouches for would pass for that of the person later.
    email = identity.email if identity.is_email_verified and is_email(identity.email) else ""
    first, last = (storable(name)[:LONGEST_NAME] for name in (identity.first_name, identity.last_name))
    return User.objects.create_user(free_username(identity), email, first_name=first, last_name=last)


def is_email(text: str) -> bool:
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


def free_username(identity: Identity) -> str:
    """A name like that in the directory which no account has."""
    wanted = identity.username or identity.email
    plain = (
        re.sub(r"[^\w.@+-]+", "-", unicodedata.normalize("NFKC", wanted)).strip("-")[: LONGEST_NAME - 10] or "person"
    )
    taken = {
        folded(name) for name in User.objects.filter(username__istartswith=plain).values_list("username", flat=True)
    }
    numbered = (f"{plain}-{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (plain, *numbered) if folded(name) not in taken)


def renew(row: SocialAccount, identity: Identity) -> None:
    """Grant an account what the groups of its identity grant now, and take back what others granted before."""
    apply(row, granted(read_mapping(settings.OIDC_GROUPS), identity.groups))


def apply(row: SocialAccount, grants: Grants) -> None:
    _give_roles(row.user, grants)
    _give_administration(row, grants)


def _give_roles(user: User, grants: Grants) -> None:
    """Roles that people gave stay: the directory changes and takes back only its own."""
    rows = list(Membership.objects.filter(user=user).select_related("team"))
    for row in rows:
        if row.is_from_directory and row.team.slug not in grants.roles:
            row.delete()
    held = {row.team.slug: row for row in rows}
    teams = {team.slug: team for team in Team.objects.filter(slug__in=grants.roles)}
    for slug, role in grants.roles.items():
        if slug not in teams:
            log.warning("oidc.no_team", extra={"team": slug})
        elif slug not in held:
            Membership.objects.create(team=teams[slug], user=user, role=role, is_from_directory=True)
        elif held[slug].is_from_directory and held[slug].role != role:
            held[slug].role = role
            held[slug].save(update_fields=["role"])


def _give_administration(row: SocialAccount, grants: Grants) -> None:
    """What the directory gave of the administration is kept with the identity, so that it takes back only that."""
    user, given = row.user, dict(row.extra_data)
    for column in ("is_staff", "is_superuser"):
        is_granted, has = getattr(grants, column), getattr(user, column)
        if is_granted != has and (is_granted or given.get(column)):
            setattr(user, column, is_granted)
            user.save(update_fields=[column])
            given[column] = is_granted
    if given != row.extra_data:
        row.extra_data = given
        row.save(update_fields=["extra_data"])
