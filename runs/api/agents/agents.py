"""Agents: the systems under test of a team; administrators manage them."""

from typing import Any

from django.db import IntegrityError, transaction
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
from packs.formats.findings import Finding, Severity, from_pointer
from packs.models import Team
from runs.agents import AGENTS
from runs.api.deleting.bin import put_into_bin
from runs.launch.launching import MAX_CONCURRENCY, config_problems, unavailable_reason
from runs.models import Agent
from runs.models.agent_connections import connection_trouble
from runs.results.serializers import AgentSerializer

KINDS = sorted(AGENTS)


class AgentRequest(Body):
    """A new agent."""

    team = TeamField()
    name = serializers.CharField(max_length=120)
    kind = serializers.ChoiceField(KINDS)
    config = serializers.DictField(required=False, default=dict)
    concurrency = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=MAX_CONCURRENCY
    )


class AgentChange(Body):
    """What may change about an agent. Runs keep the configuration that they started with."""

    name = serializers.CharField(max_length=120, required=False)
    config = serializers.DictField(required=False)
    concurrency = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=MAX_CONCURRENCY)
    is_active = serializers.BooleanField(required=False)


class AgentKindShape(serializers.Serializer[Any]):
    """A kind of agent with the JSON Schema of its configuration."""

    kind = serializers.ChoiceField(KINDS)
    title = serializers.CharField()
    help = serializers.CharField()
    schema = serializers.JSONField()
    available = serializers.BooleanField()
    reason = serializers.CharField()


class AgentKinds(Endpoint):
    @extend_schema(operation_id="agent_kinds_list", responses=AgentKindShape(many=True))
    def get(self, request: Request) -> Response:
        """The kinds of agent, and which of them can run here."""
        return Response(
            [
                {
                    "kind": name,
                    "title": agent.LABEL,
                    "help": agent.HELP,
                    "schema": agent.SCHEMA,
                    "available": not unavailable_reason(name),
                    "reason": unavailable_reason(name),
                }
                for name, agent in AGENTS.items()
            ]
        )


class Agents(Endpoint):
    @extend_schema(
        operation_id="agents_list",
        parameters=[OpenApiParameter("team"), *PAGING],
        responses=page_of(AgentSerializer),
    )
    def get(self, request: Request) -> Response:
        """The agents of your teams."""
        rows = Agent.objects.visible_to(request.user)
        if team := request.query_params.get("team"):
            rows = rows.filter(team__slug=team)
        return page(request, rows, lambda row: dict(AgentSerializer(row).data), "id")

    @extend_schema(operation_id="agents_create", request=AgentRequest, responses={201: AgentSerializer})
    def post(self, request: Request) -> Response:
        """Make an agent."""
        wanted = read_body(AgentRequest, request)
        team = find_team(request, wanted.pop("team"), Permission.ADMINISTER)
        check_config(team, wanted["kind"], wanted["config"])
        agent = save(Agent(team=team, created_by=author_of(request), **wanted))
        return Response(AgentSerializer(agent).data, status=201)


class AgentDetail(Endpoint):
    def find(self, request: Request, pk: int, needed: Permission) -> Agent:
        agent: Agent = get_object_or_404(Agent.objects.visible_to(request.user).select_related("team"), pk=pk)
        require(request, agent.team, needed)
        return agent

    @extend_schema(operation_id="agents_show", responses=AgentSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """An agent."""
        return Response(AgentSerializer(self.find(request, pk, Permission.READ)).data)

    @extend_schema(operation_id="agents_change", request=AgentChange, responses=AgentSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Change an agent."""
        agent = self.find(request, pk, Permission.ADMINISTER)
        given = read_body(AgentChange, request)
        for name, value in given.items():
            setattr(agent, name, value)
        check_config(agent.team, agent.kind, agent.config)
        return Response(AgentSerializer(save(agent)).data)

    @extend_schema(operation_id="agents_delete", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Put an agent into the bin; the runs that it took part in stay. 409 while one of them has not ended."""
        put_into_bin(request, self.find(request, pk, Permission.ADMINISTER))
        return Response(status=204)


def check_config(team: Team, kind: str, config: Any) -> None:
    """Raises Refused with a finding for each problem of a configuration."""
    findings = [
        Finding("agent.E001", Severity.ERROR, ("config", *from_pointer(pointer)), message)
        for pointer, message in config_problems(kind, config)
    ]
    trouble = connection_trouble(team, kind, config)
    if trouble:
        findings.append(Finding("agent.E003", Severity.ERROR, ("config", "connection"), trouble))
    if findings:
        raise Refused(findings)


def save(agent: Agent) -> Agent:
    """Raises Refused when the team has an agent of this name."""
    try:
        with transaction.atomic():
            agent.save()
    except IntegrityError as error:
        message = f"This team has an agent {agent.name!r} already."
        raise Refused([Finding("agent.E002", Severity.ERROR, ("name",), message)], 409) from error
    return agent
