import pytest

from packs.remotes import Folder, RemoteRefused
from runs.models import Secret
from studio.pack_remotes import PackRemotes

pytestmark = pytest.mark.django_db


def test_only_secrets_of_the_own_team_sign_in(team, other_team, settings):
    settings.WORKSPACE_SOURCES = ["https://git.example.org/"]
    secret = Secret(team=other_team, name="TOKEN")
    secret.set_value("theirs")
    secret.save()
    assert PackRemotes().secret_names(team.pk) == []
    with pytest.raises(RemoteRefused, match="no secret 'TOKEN'"):
        PackRemotes().fetch(team.pk, Folder("https://git.example.org/a.git", "main", secret="TOKEN"))


def test_a_studio_without_a_sandbox_says_so(team, settings):
    settings.WORKSPACE_SOURCES, settings.SANDBOX = ["https://git.example.org/"], "none-such"
    with pytest.raises(RemoteRefused) as refused:
        PackRemotes().fetch(team.pk, Folder("https://git.example.org/a.git", "main"))
    assert refused.value.code == "no_sandbox"
