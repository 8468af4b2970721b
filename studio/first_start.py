"""What a fresh studio holds: a team, an administrator and the sample packs."""

import secrets

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import CommandError
from django.db import transaction

from packs.access import Role
from packs.importing import seed
from packs.models import Membership, Team
from runs.launch.launching import seed_agents

TEAM_SLUG = "default"
ADMINISTRATOR = "admin"


@transaction.atomic
def prepare() -> str | None:
    """Make the first team, administrator, agents and packs where there is no user yet.

    Gives the administrator's password, that of the settings or a new one, or None when the studio was prepared before.
    It is stored only as a hash: the caller must hand it over (`studio.first_password`). Raises CommandError
    for one of the settings that is too weak.
    """
    if User.objects.exists():
        return None
    password = settings.ADMIN_PASSWORD or secrets.token_urlsafe(12)
    try:
        validate_password(password, User(username=ADMINISTRATOR))
    except ValidationError as weak:
        why = " ".join(weak.messages)
        raise CommandError(f"PACKWRIGHT_ADMIN_PASSWORD is too weak. {why} Set another, or none to get one.") from None
    user = User.objects.create_superuser(ADMINISTRATOR, password=password)
    team, _ = Team.objects.get_or_create(slug=TEAM_SLUG, defaults={"name": "Default team"})
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    seed_agents(team, user)
    seed(team, user)
    return password
