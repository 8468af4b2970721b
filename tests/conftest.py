"""Fixtures that every part shares: a team with a member of each role, a stranger, and where the corpus is."""

import os
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.test import Client

from packs.access import Role
from packs.models import Membership, Team

ROOT = Path(__file__).resolve().parent.parent
CORPUS = Path(os.environ.get("PACKWRIGHT_CORPUS", ROOT / ".." / "shared" / "corpus")).resolve()
PASSWORD = "correct horse"


@pytest.fixture(autouse=True)
def files_of_their_own(settings, tmp_path):
    """Each test keeps its uploaded files in a folder of its own."""
    settings.MEDIA_ROOT = tmp_path / "files"
    default_storage._wrapped = type(default_storage._wrapped)(location=settings.MEDIA_ROOT)


@pytest.fixture
def team(db):
    return Team.objects.create(slug="default", name="Default team")


@pytest.fixture
def other_team(db):
    return Team.objects.create(slug="other", name="Other team")


def make_member(team: Team, role: Role) -> User:
    """A user who has just this role in just this team; the name is that of the role."""
    user = User.objects.create_user(f"{role.value}-{team.slug}", password=PASSWORD)
    Membership.objects.create(team=team, user=user, role=role)
    return user


@pytest.fixture
def members(team):
    """A user per role of `team`."""
    return {role: make_member(team, role) for role in Role}


@pytest.fixture
def author(team):
    return make_member(team, Role.AUTHOR)


@pytest.fixture
def administrator(team):
    return make_member(team, Role.ADMINISTRATOR)


@pytest.fixture
def stranger(other_team):
    """Signed in, all powers in another team, no member of `team`."""
    return make_member(other_team, Role.ADMINISTRATOR)


def client_of(user: User | None) -> Client:
    """A browser session without a browser; of nobody when `user` is None."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


@pytest.fixture
def as_author(author):
    return client_of(author)


@pytest.fixture
def as_administrator(administrator):
    return client_of(administrator)


@pytest.fixture
def as_stranger(stranger):
    return client_of(stranger)


@pytest.fixture
def as_nobody(db):
    return client_of(None)


def corpus_folder(name: str) -> Path:
    """A folder of the corpus; the test is skipped, visibly, where the corpus is not at hand."""
    folder = CORPUS / name
    if not folder.is_dir():
        pytest.skip(f"no corpus at {folder}")
    return folder
