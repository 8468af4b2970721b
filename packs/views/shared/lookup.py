"""The pack that an address names, for a user who may do what the page does."""

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from packs.access import Permission, permissions_on
from packs.audit import about
from packs.mirror import format_of
from packs.models import Pack, PackVersion, Team
from packs.views.shared.pages import first_set, pages_of


@dataclass(frozen=True, slots=True)
class Subject:
    """A pack and what the user may do with it."""

    pack: Pack
    may: frozenset[Permission]

    @property
    def context(self) -> dict[str, Any]:
        """What the head of every page of the pack shows."""
        return {
            "pack": self.pack,
            "may": self.may,
            "label": format_of(self.pack).LABEL,
            "pages": {page.key: page for page in pages_of(self.pack, next(iter(first_set(self.pack)), None))},
        }


def find_pack(user: Any, team: str, slug: str, needed: Permission = Permission.READ) -> Subject:
    """The pack at an address.

    Raises Http404 for who may not see it, PermissionDenied for who may see it but not do what is `needed`.
    """
    rows = Pack.objects.reachable_by(user).with_role().select_related("team", "created_by", "proposal__pack__team")
    pack = get_object_or_404(rows, team__slug=team, slug=slug)
    may = permissions_on(user, pack)
    about(pack.team)
    if needed not in may:
        raise PermissionDenied
    return Subject(pack, may)


def find_team(user: Any, slug: str, needed: Permission = Permission.ADMINISTER) -> Team:
    """A team with the `role` that the user has in it.

    Raises Http404 for strangers, PermissionDenied for members who may not do what is needed.
    """
    team: Team = get_object_or_404(Team.objects.visible_to(user).with_role(), slug=slug)
    if needed not in permissions_on(user, team):
        raise PermissionDenied
    return team


def find_version(pack: Pack, number: int) -> PackVersion:
    """A version of a pack. Raises Http404 where there is none."""
    rows: QuerySet[PackVersion] = pack.versions.select_related("published_by").defer("challenges", "assets", "files")
    return get_object_or_404(rows, number=number)
