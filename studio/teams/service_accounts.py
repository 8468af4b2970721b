"""Accounts of programs, such as a pipeline: of one team, with a role and keys, and without a password."""

from django.contrib.auth.models import User
from django.db import transaction

from packs.access import Role
from packs.models import Membership, ServiceAccount, Team


@transaction.atomic
def make_service_account(team: Team, name: str, role: Role, maker: User) -> ServiceAccount:
    """An account that can only use keys. It ends when it is taken out of its team (`studio.teams.members.remove`)."""
    user = User.objects.create_user(name)
    Membership.objects.create(team=team, user=user, role=role)
    return ServiceAccount.objects.create(user=user, team=team, made_by=maker)


def is_service_account(user: User) -> bool:
    return ServiceAccount.objects.filter(user=user).exists()
