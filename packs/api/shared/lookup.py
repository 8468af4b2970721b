"""What every endpoint asks first: which row, may the user, and is it still what the user has read."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, cast

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from packs import access
from packs.access import Permission, reach_of
from packs.api.shared.refusals import precondition_failed, precondition_required
from packs.audit import about
from packs.companion import PROOFS
from packs.models import Pack, PackVersion, Team


def author_of(request: Request) -> User:
    """The user of a request; nobody gets here without one."""
    return cast(User, request.user)


def require(request: Request, team: Team, needed: Permission) -> None:
    """Raises PermissionDenied for a member, or a key, that may see the team's things but not do this."""
    about(team)
    access.require(request.user, team, needed)


def find_team(request: Request, slug: str, needed: Permission = Permission.READ) -> Team:
    """The team of this slug; without one the user's only team.

    Raises Http404 for strangers, PermissionDenied for members without the permission, and ValidationError where no
    team is named and the user has several.
    """
    known = Team.objects.visible_to(request.user)
    if not slug:
        slugs = list(known.order_by("slug").values_list("slug", flat=True))
        if len(slugs) > 1:
            raise ValidationError({"team": f"Name the team, one of: {', '.join(slugs)}."}, code="required")
        slug = "".join(slugs)
    team: Team = get_object_or_404(known, slug=slug)
    require(request, team, needed)
    if needed is not Permission.READ:
        reach_of(request.user).demand_team()
    return team


def find_pack(request: Request, pk: int, needed: Permission = Permission.READ) -> Pack:
    """Raises Http404 for strangers, PermissionDenied for members without the permission."""
    pack: Pack = get_object_or_404(Pack.objects.reachable_by(request.user).select_related("team"), pk=pk)
    require(request, pack.team, needed)
    return pack


def find_version(request: Request, pk: int, needed: Permission = Permission.READ) -> PackVersion:
    """Raises Http404 for strangers, PermissionDenied for members without the permission."""
    rows = PackVersion.objects.visible_to(request.user).select_related("pack__team", "published_by")
    version: PackVersion = get_object_or_404(rows, pk=pk)
    require(request, version.pack.team, needed)
    return version


def page(request: Request, rows: Any, show: Callable[[Any], dict[str, Any]], *ordering: str) -> Response:
    """One cursor page of rows, each shown by itself."""
    return page_together(request, rows, lambda found: [show(row) for row in found], *ordering)


def page_together(
    request: Request, rows: Any, show: Callable[[list[Any]], list[dict[str, Any]]], *ordering: str
) -> Response:
    """One cursor page of rows, shown all at once."""
    make_paginator: Any = api_settings.DEFAULT_PAGINATION_CLASS
    paginator = make_paginator()
    paginator.ordering = ordering
    found: Iterable[Any] = paginator.paginate_queryset(rows, request)
    answer: Response = paginator.get_paginated_response(show(list(found)))
    return answer


def page_with_proofs(
    request: Request,
    rows: Any,
    show: Callable[[Any], dict[str, Any]],
    proofs_of: Callable[[Sequence[int]], Mapping[int, Any]],
    *ordering: str,
) -> Response:
    """One cursor page of packs or versions, each with what is known of its proofs. The parameter `proof` leaves those
    of one state."""
    if wanted := choice_in(request, "proof", PROOFS):
        known = proofs_of(list(rows.order_by().values_list("pk", flat=True)))
        rows = rows.filter(pk__in=[pk for pk, proof in known.items() if proof["state"] == wanted])

    def shown(found: list[Any]) -> list[dict[str, Any]]:
        proofs = proofs_of([row.pk for row in found])
        return [show(row) | {"proof": proofs[row.pk]} for row in found]

    return page_together(request, rows, shown, *ordering)


def number_in(request: Request, name: str) -> int | None:
    """A whole number from the query, or None.

    Raises ValidationError for anything else.
    """
    given = request.query_params.get(name, "")
    if not given:
        return None
    if not re.fullmatch(r"[0-9]{1,18}", given):
        raise ValidationError({name: "Give a whole number."})
    return int(given)


def choice_in(request: Request, name: str, choices: Collection[str]) -> str:
    """One of several words from the query, or nothing where it is left out.

    Raises ValidationError for a word that is none of them: an empty list would look like an answer.
    """
    given: str = request.query_params.get(name, "")
    if given and given not in choices:
        raise ValidationError({name: f"Use one of: {', '.join(choices)}."}, code="invalid_choice")
    return given


def etag_of(revision: int) -> str:
    return f'"{revision}"'


def require_match(request: Request, revision: int) -> None:
    """Hold the request to the revision that it names in `If-Match`; `*` stands for any.

    Raises Refused: 428 without the header, 412 for another revision.
    """
    given = request.headers.get("If-Match")
    if given is None:
        raise precondition_required()
    tags = {tag.strip().removeprefix("W/") for tag in given.split(",")}
    if not tags & {"*", etag_of(revision)}:
        raise precondition_failed(revision)


def is_known(request: Request, etag: str) -> bool:
    """Whether the client has this already, by `If-None-Match`."""
    given = request.headers.get("If-None-Match", "")
    return etag in {tag.strip().removeprefix("W/") for tag in given.split(",")}
