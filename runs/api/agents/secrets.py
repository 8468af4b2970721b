"""Secrets: administrators set and forget them; values are never given back."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import Body, TeamField, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, find_team, page, require
from packs.api.shared.pages import PAGING, page_of
from runs.models import Secret
from runs.models.connections import SECRET_NAME


class SecretRequest(Body):
    """A secret; a name that the team has already is given the new value."""

    team = TeamField()
    name = serializers.CharField(max_length=120, validators=[SECRET_NAME])
    value = serializers.CharField(max_length=20_000, trim_whitespace=False, write_only=True)


class SecretShape(serializers.ModelSerializer[Secret]):
    """A secret without its value; `warnings` say that trials do not hide it, where it could be an ordinary word."""

    team = serializers.CharField(source="team.slug")
    warnings = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Secret
        fields = ["id", "team", "name", "updated_at", "warnings"]


class Secrets(Endpoint):
    @extend_schema(
        operation_id="secrets_list",
        parameters=[OpenApiParameter("team"), *PAGING],
        responses=page_of(SecretShape),
    )
    def get(self, request: Request) -> Response:
        """The names of the secrets of teams that you administer."""
        rows = Secret.objects.administrable_by(request.user).select_related("team")
        if team := request.query_params.get("team"):
            rows = rows.filter(team__slug=team)
        return page(request, rows, lambda row: dict(SecretShape(row).data), "id")

    @extend_schema(operation_id="secrets_set", request=SecretRequest, responses={201: SecretShape, 200: SecretShape})
    def post(self, request: Request) -> Response:
        """Set a secret."""
        wanted = read_body(SecretRequest, request)
        team = find_team(request, wanted["team"], Permission.ADMINISTER)
        row = Secret.objects.filter(team=team, name=wanted["name"]).first()
        status = 201 if row is None else 200
        row = row or Secret(team=team, name=wanted["name"])
        row.set_value(wanted["value"])
        row.updated_by = author_of(request)
        row.save()
        return Response(SecretShape(row).data, status=status)


class SecretDetail(Endpoint):
    @extend_schema(operation_id="secrets_delete", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Forget a secret; tools that name it fail from then on."""
        row: Secret = get_object_or_404(Secret.objects.visible_to(request.user).select_related("team"), pk=pk)
        require(request, row.team, Permission.ADMINISTER)
        row.delete()
        return Response(status=204)
