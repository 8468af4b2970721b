import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User

from packs.access import Permission
from packs.models import Pack, PackVersion
from runs.models import Agent
from studio.first_start import ADMINISTRATOR, prepare


@pytest.mark.django_db
def test_the_shown_password_signs_in():
    user = authenticate(username=ADMINISTRATOR, password=prepare())
    assert user is not None
    assert user.is_staff


@pytest.mark.django_db
def test_samples_are_published_and_agents_ready():
    prepare()
    user = User.objects.get()
    assert Pack.objects.allowed_to(user, Permission.ADMINISTER).count() >= 3
    assert PackVersion.objects.count() == Pack.objects.count()
    assert {"echo", "reference", "empty"} <= set(Agent.objects.values_list("kind", flat=True))


@pytest.mark.django_db
def test_a_studio_with_users_is_left_alone():
    User.objects.create_user("someone")
    assert prepare() is None
    assert Pack.objects.count() == 0
