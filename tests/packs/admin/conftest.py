"""Staff of both sorts."""

import pytest
from django.contrib.auth.models import User

from packs.access import Role
from tests.people import client_of, make_member


@pytest.fixture
def superuser(db):
    return User.objects.create_superuser("root")


@pytest.fixture
def as_superuser(superuser):
    return client_of(superuser)


@pytest.fixture
def curator(team):
    """A curator of `team` who is staff and no superuser."""
    return make_staff(make_member(team, Role.CURATOR))


@pytest.fixture
def staff_administrator(team):
    """An administrator of `team` who is staff and no superuser."""
    return make_staff(make_member(team, Role.ADMINISTRATOR))


def make_staff(user):
    user.is_staff = True
    user.save()
    return user
