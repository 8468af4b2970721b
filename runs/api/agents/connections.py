"""Connections: administrators manage them; keys are taken and never given back."""

from typing import Any

from django.http import QueryDict
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
from packs.api.shared.refusals import Refused
from packs.formats.findings import Finding, Severity
from runs.models import Connection
from runs.views.agents.connection_form import ConnectionForm, shown_models
from runs.views.agents.connections import TEST_MESSAGE, Test, ask, keep


class ServedModelShape(Body):
    """A model of a connection, with its price in US dollars per million tokens where it is known."""

    name = serializers.RegexField(r"^\S+\Z", max_length=300)
    input_per_million = serializers.FloatField(required=False, min_value=0)
    output_per_million = serializers.FloatField(required=False, min_value=0)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raises ValidationError for half a price."""
        if ("input_per_million" in attrs) != ("output_per_million" in attrs):
            raise serializers.ValidationError("Give both prices or none.", code="half_a_price")
        return attrs


class ConnectionShape(serializers.ModelSerializer[Connection]):
    """A connection as everybody of the team may see it."""

    team = serializers.CharField(source="team.slug")
    models = ServedModelShape(many=True, source="model_list")
    has_key = serializers.BooleanField()
    warnings = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Connection
        fields = [
            *("id", "team", "name", "base_url", "provider", "has_key", "key_set_at", "models", "max_concurrent"),
            *("requests_per_minute", "timeout_seconds", "max_retries", "has_responses", "is_active"),
            *("created_at", "updated_at", "warnings"),
        ]


class ConnectionChange(Body):
    """What may change about a connection. An empty key removes the stored one; one that is left out keeps it."""

    name = serializers.CharField(max_length=120, required=False)
    base_url = serializers.CharField(max_length=500, required=False)
    provider = serializers.CharField(max_length=60, required=False)
    key = serializers.CharField(max_length=4000, required=False, allow_blank=True, write_only=True)
    models = ServedModelShape(many=True, required=False)
    max_concurrent = serializers.IntegerField(required=False)
    requests_per_minute = serializers.IntegerField(required=False, allow_null=True)
    timeout_seconds = serializers.FloatField(required=False)
    max_retries = serializers.IntegerField(required=False)
    has_responses = serializers.BooleanField(required=False)
    is_active = serializers.BooleanField(required=False)


class ConnectionRequest(ConnectionChange):
    """A new connection."""

    team = TeamField()
    name = serializers.CharField(max_length=120)
    base_url = serializers.CharField(max_length=500)


class ConnectionTestRequest(Body):
    """What a connection is asked to try it."""

    model = serializers.CharField(max_length=300)
    message = serializers.CharField(max_length=4000, default=TEST_MESSAGE)


class ConnectionTestShape(serializers.Serializer[Any]):
    """What it answered, or the trouble and what to do about it."""

    answer = serializers.CharField(allow_null=True)
    model = serializers.CharField()
    seconds = serializers.FloatField(allow_null=True)
    first_token_seconds = serializers.FloatField(allow_null=True)
    input_tokens = serializers.IntegerField(allow_null=True)
    output_tokens = serializers.IntegerField(allow_null=True)
    cost_usd = serializers.FloatField(allow_null=True)
    trouble = serializers.CharField()
    advice = serializers.CharField()


class Connections(Endpoint):
    @extend_schema(
        operation_id="connections_list",
        parameters=[OpenApiParameter("team"), *PAGING],
        responses=page_of(ConnectionShape),
    )
    def get(self, request: Request) -> Response:
        """The connections of your teams."""
        rows = Connection.objects.visible_to(request.user).select_related("team")
        if team := request.query_params.get("team"):
            rows = rows.filter(team__slug=team)
        return page(request, rows, lambda row: dict(ConnectionShape(row).data), "id")

    @extend_schema(operation_id="connections_create", request=ConnectionRequest, responses={201: ConnectionShape})
    def post(self, request: Request) -> Response:
        """Make a connection."""
        wanted = read_body(ConnectionRequest, request)
        team = find_team(request, wanted.pop("team"), Permission.ADMINISTER)
        row = change(Connection(team=team, created_by=author_of(request)), wanted)
        return Response(ConnectionShape(row).data, status=201)


class ConnectionDetail(Endpoint):
    @extend_schema(operation_id="connections_show", responses=ConnectionShape)
    def get(self, request: Request, pk: int) -> Response:
        """A connection."""
        return Response(ConnectionShape(find(request, pk, Permission.READ)).data)

    @extend_schema(operation_id="connections_change", request=ConnectionChange, responses=ConnectionShape)
    def patch(self, request: Request, pk: int) -> Response:
        """Change a connection; it counts from the next call on."""
        row = find(request, pk, Permission.ADMINISTER)
        given = read_body(ConnectionChange, request)
        return Response(ConnectionShape(change(row, given)).data)


class ConnectionTest(Endpoint):
    @extend_schema(operation_id="connections_test", request=ConnectionTestRequest, responses=ConnectionTestShape)
    def post(self, request: Request, pk: int) -> Response:
        """Ask a model for real, for at most 20 seconds. This may cost a little."""
        row = find(request, pk, Permission.ADMINISTER)
        given = read_body(ConnectionTestRequest, request)
        return Response(described(ask(row, given["model"], given["message"])))


def find(request: Request, pk: int, needed: Permission) -> Connection:
    """Raises Http404 for strangers, PermissionDenied for members without the permission."""
    row: Connection = get_object_or_404(Connection.objects.visible_to(request.user).select_related("team"), pk=pk)
    require(request, row.team, needed)
    return row


def change(row: Connection, wanted: dict[str, Any]) -> Connection:
    """Change a connection by the rules of its form. Raises Refused."""
    row.is_active = wanted.pop("is_active", row.is_active)
    if row.pk and not wanted:
        row.save(update_fields=["is_active", "updated_at"])
        return row
    form = ConnectionForm(form_data(row, wanted), instance=row)
    if not form.is_valid() or not keep(form):
        raise Refused(list(findings_of(form)))
    return row


def form_data(row: Connection, wanted: dict[str, Any]) -> QueryDict:
    """What a browser would send for the row with these changes."""
    values: dict[str, Any] = {name: getattr(row, name) for name in ConnectionForm.Meta.fields}
    values["models_text"] = shown_models(wanted.pop("models", row.model_list))
    if wanted.get("key") == "":
        values["drops_key"] = True
    values.update(wanted)
    data = QueryDict(mutable=True)
    # What is false or empty is left out, as browsers do with boxes that are not ticked.
    data.update({name: str(value) for name, value in values.items() if value is not None and value is not False})
    return data


def findings_of(form: ConnectionForm) -> list[Finding]:
    """What a form objects to, at the members of the request."""
    return [
        Finding(
            str(error.code) if str(error.code).startswith("connection.") else f"api.{error.code or 'invalid'}",
            Severity.ERROR,
            ("models",) if field == "models_text" else (field,),
            message,
        )
        for field, errors in form.errors.as_data().items()
        for error in errors
        for message in error.messages
    ]


def described(test: Test) -> dict[str, Any]:
    reply = test.reply
    return {
        "answer": test.text if reply else None,
        "model": reply.model if reply else test.model,
        "seconds": reply.seconds if reply else None,
        "first_token_seconds": reply.first_token_seconds if reply else None,
        "input_tokens": reply.usage.input_tokens if reply else None,
        "output_tokens": reply.usage.output_tokens if reply else None,
        "cost_usd": reply.usage.cost_usd if reply else None,
        "trouble": test.trouble,
        "advice": test.advice,
    }
