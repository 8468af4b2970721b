import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from packs.access import Permission
from studio.views.teams.lookup import find_team


def test_a_team_is_found_with_the_role_by_its_members_alone(team, author, stranger):
    assert find_team(author, team.slug, Permission.READ).role == "author"
    with pytest.raises(PermissionDenied):
        find_team(author, team.slug)
    with pytest.raises(Http404):
        find_team(stranger, team.slug, Permission.READ)
