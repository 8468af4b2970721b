"""Users for tests: members of a team by role, and their sessions."""

from django.contrib.auth.models import User
from django.test import Client

from packs.access import Role
from packs.models import Membership, Team

PASSWORD = "correct horse"


def make_member(team: Team, role: Role) -> User:
    """A user who has just this role in just this team."""
    user = User.objects.create_user(f"{role.value}-{team.slug}", password=PASSWORD)
    Membership.objects.create(team=team, user=user, role=role)
    return user


def client_of(user: User | None) -> Client:
    """A browser session without a browser; of nobody when `user` is None."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client
