"""The team that an address names, for a user who may do what the page does."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from packs.access import Permission, permissions_on
from packs.models import Team


def find_team(user: Any, slug: str, needed: Permission = Permission.ADMINISTER) -> Team:
    """A team with the `role` that the user has in it.

    Raises Http404 for strangers, PermissionDenied for members who may not do what is needed.
    """
    team: Team = get_object_or_404(Team.objects.visible_to(user).with_role(), slug=slug)
    if needed not in permissions_on(user, team):
        raise PermissionDenied
    return team
