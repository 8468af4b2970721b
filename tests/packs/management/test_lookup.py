import pytest

from packs.management.answers import Misuse
from packs.management.lookup import find_pack, find_team, find_user
from packs.models import Pack, Team

pytestmark = pytest.mark.django_db


def test_a_team_is_found_or_comes_with_those_that_are(team, other_team):
    assert find_team("other") == other_team
    with pytest.raises(Misuse) as misuse:
        find_team("none")
    assert (misuse.value.code, misuse.value.choices) == ("unknown_team", [{"team": "default"}, {"team": "other"}])


def test_a_studio_without_teams_says_how_it_gets_one():
    Team.objects.all().delete()
    with pytest.raises(Misuse, match="manage.py prepare"):
        find_team("default")


def test_a_pack_is_found_in_its_team_alone(team, other_team):
    pack = Pack.objects.create(team=team, slug="parcels", format="challenge_pack")
    assert find_pack(team, "parcels") == pack
    with pytest.raises(Misuse) as misuse:
        find_pack(other_team, "parcels")
    assert (misuse.value.code, misuse.value.choices) == ("unknown_pack", [])


def test_nobody_starts_a_run_unless_a_user_is_named(author):
    assert find_user(None) is None
    assert find_user(author.username) == author


def test_a_user_who_is_not_there_is_refused():
    with pytest.raises(Misuse):
        find_user("none")
