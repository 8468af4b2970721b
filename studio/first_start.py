"""What a fresh studio holds: a team, an administrator and the sample packs."""

import secrets

from django.contrib.auth.models import User
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

    Gives the administrator's new password, or None when the studio was prepared before. The password is stored only
    as a hash: whoever calls this must show it.
    """
    if User.objects.exists():
        return None
    password = secrets.token_urlsafe(12)
    user = User.objects.create_superuser(ADMINISTRATOR, password=password)
    team, _ = Team.objects.get_or_create(slug=TEAM_SLUG, defaults={"name": "Default team"})
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    seed_agents(team, user)
    seed(team, user)
    return password
