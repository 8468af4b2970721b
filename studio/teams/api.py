"""Members and invitations of a team over the API: the acts of its pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission, Role, reach_of
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, find_team, page
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, finding
from packs.models import Invitation, Membership
from studio.teams.invitations import (
    MOST_DAYS,
    MOST_PEOPLE,
    Offer,
    TooManyInvitations,
    can_mail,
    invite,
    link_of,
    mail,
    open_invitations,
)
from studio.teams.members import FromDirectory, Kept, change_role, remove


class MemberShape(serializers.Serializer[Any]):
    """Somebody in a team; the account of a program is a service account."""

    id = serializers.IntegerField()
    user = serializers.CharField()
    role = serializers.ChoiceField(Role.choices)
    is_from_directory = serializers.BooleanField(help_text="Whether groups of the directory give the role.")
    is_service_account = serializers.BooleanField()


class RoleRequest(Body):
    role = serializers.ChoiceField(Role.choices)


class InvitationShape(serializers.Serializer[Any]):
    """An invitation that is open. `link` is there only when it is made, and not where it was mailed."""

    id = serializers.IntegerField()
    role = serializers.ChoiceField(Role.choices)
    email = serializers.CharField(allow_blank=True)
    max_uses = serializers.IntegerField()
    uses = serializers.IntegerField()
    made_by = serializers.CharField(allow_null=True)
    expires_at = serializers.DateTimeField()
    link = serializers.URLField(allow_null=True)


class InvitationRequest(Body):
    """Whom a link lets in, and for how long. It is mailed to `email`, where the studio sends mail."""

    role = serializers.ChoiceField(Role.choices)
    max_uses = serializers.IntegerField(default=1, min_value=1, max_value=MOST_PEOPLE)
    days = serializers.IntegerField(default=7, min_value=1, max_value=MOST_DAYS)
    email = serializers.EmailField(default="", allow_blank=True, max_length=254)

    def validate_email(self, email: str) -> str:
        if email and not can_mail():
            raise serializers.ValidationError("This studio sends no mail. Leave the address out and hand on the link.")
        return email


@contextmanager
def refusing() -> Iterator[None]:
    """Turn what keeps a role as it is into an answer of 409."""
    try:
        yield
    except Kept as kept:
        code = "from_directory" if isinstance(kept, FromDirectory) else "last_administrator"
        raise Refused([finding(code, str(kept))], 409) from kept


def find_member(request: Request, team: str, pk: int) -> Membership:
    rows = Membership.objects.select_related("user__service_account", "team")
    member: Membership = get_object_or_404(rows, team=find_team(request, team, Permission.ADMINISTER), pk=pk)
    return member


class Members(Endpoint):
    @extend_schema(operation_id="teams_members", parameters=PAGING, responses=page_of(MemberShape))
    def get(self, request: Request, team: str) -> Response:
        """Who is in a team, and their roles."""
        rows = Membership.objects.filter(team=find_team(request, team)).select_related("user__service_account")
        return page(request, rows, show_member, "id")


class MemberDetail(Endpoint):
    @extend_schema(operation_id="teams_set_role", request=RoleRequest, responses=MemberShape)
    def patch(self, request: Request, team: str, pk: int) -> Response:
        """Give a member another role. The last administrator keeps theirs (409)."""
        member = find_member(request, team, pk)
        wanted = read_body(RoleRequest, request)
        with refusing():
            change_role(member, Role(wanted["role"]))
        return Response(show_member(member))

    @extend_schema(operation_id="teams_remove_member", responses={204: None})
    def delete(self, request: Request, team: str, pk: int) -> Response:
        """Take a member out of a team. The account of a program is closed with that."""
        with refusing():
            remove(find_member(request, team, pk))
        return Response(status=204)


class Leaving(Endpoint):
    @extend_schema(operation_id="teams_leave", request=None, responses={204: None})
    def post(self, request: Request, team: str) -> Response:
        """Leave a team. A key needs the scope `administer`."""
        row = find_team(request, team)
        reach = reach_of(request.user)
        reach.demand(Permission.ADMINISTER)
        reach.demand_team()
        member = Membership.objects.select_related("user", "team").get(team=row, user=author_of(request))
        with refusing():
            remove(member)
        return Response(status=204)


class Invitations(Endpoint):
    @extend_schema(operation_id="teams_invitations", responses=InvitationShape(many=True))
    def get(self, request: Request, team: str) -> Response:
        """The open invitations of a team, newest first; their links cannot be shown again."""
        row = find_team(request, team, Permission.ADMINISTER)
        return Response([show_invitation(each) for each in open_invitations(row)])

    @extend_schema(operation_id="teams_invite", request=InvitationRequest, responses={201: InvitationShape})
    def post(self, request: Request, team: str) -> Response:
        """Make an invitation. Its link is in this answer alone, or on its way to `email`."""
        row = find_team(request, team, Permission.ADMINISTER)
        wanted = read_body(InvitationRequest, request)
        try:
            made, secret = invite(row, author_of(request), offer_of(wanted))
        except TooManyInvitations as refused:
            raise Refused([finding("too_many_invitations", str(refused))], 409) from refused
        link = link_of(request, secret)
        is_mailed = bool(made.email) and mail(made, link)
        return Response(show_invitation(made, None if is_mailed else link), 201)


class InvitationDetail(Endpoint):
    @extend_schema(operation_id="teams_withdraw_invitation", responses={204: None})
    def delete(self, request: Request, team: str, pk: int) -> Response:
        """Take an invitation back: its link lets nobody in any more."""
        row = find_team(request, team, Permission.ADMINISTER)
        get_object_or_404(Invitation, team=row, pk=pk).delete()
        return Response(status=204)


def offer_of(wanted: dict[str, Any]) -> Offer:
    return Offer(Role(wanted["role"]), wanted["days"], wanted["max_uses"], wanted["email"])


def show_member(row: Membership) -> dict[str, Any]:
    return {
        "id": row.pk,
        "user": str(row.user),
        "role": row.role,
        "is_from_directory": row.is_from_directory,
        "is_service_account": hasattr(row.user, "service_account"),
    }


def show_invitation(row: Invitation, link: str | None = None) -> dict[str, Any]:
    return {
        "id": row.pk,
        "role": row.role,
        "email": row.email,
        "max_uses": row.max_uses,
        "uses": row.uses,
        "made_by": str(row.made_by) if row.made_by else None,
        "expires_at": row.expires_at,
        "link": link,
    }
