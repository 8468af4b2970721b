"""Runs: start, list, show, cancel, export."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.headers import IDEMPOTENCY_KEY
from packs.api.shared.lookup import author_of, choice_in, page, require
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, finding
from packs.models import Pack, PackVersion
from runs.api.launches.requests import RunRequest, key_of, launch_refused, read_request, refused
from runs.jobs.trials.control import cancel
from runs.launch.gating.starting import newest_version
from runs.launch.launching import Options, choose_input_set, find_earlier, launch_once, target_agents
from runs.launch.planning import targets_of
from runs.launch.refusals import LaunchRefused
from runs.models import Agent, Run, RunAgent, RunStatus
from runs.results.exporting import EXPORTS, SUFFIXES, offered
from runs.results.serializers import RunAgentSerializer, RunSerializer, TargetSerializer


def runs_of(request: Request) -> QuerySet[Run]:
    """The runs that a user may see, with all that is shown of them."""
    rows: QuerySet[Run] = Run.objects.visible_to(request.user).select_related("team", "version__pack", "input_set")
    heavy = ("version__document", "version__challenges", "version__assets", "version__files", "version__pack__document")
    return rows.defer(*heavy).prefetch_related("agents")


def find_run(request: Request, pk: int, needed: Permission = Permission.READ) -> Run:
    """Raises Http404 for strangers, PermissionDenied for members without the permission."""
    run = get_object_or_404(runs_of(request), pk=pk)
    require(request, run.team, needed)
    return run


def show_run(run: Run) -> dict[str, Any]:
    """A run with its links."""
    links = {"self": f"/api/v1/runs/{run.pk}/", "agents": f"/api/v1/runs/{run.pk}/agents/"}
    return {**RunSerializer(run).data, "links": links}


class Runs(Endpoint):
    @extend_schema(
        operation_id="runs_list",
        parameters=[
            OpenApiParameter("team"),
            OpenApiParameter("pack"),
            OpenApiParameter("status", enum=RunStatus.values),
            *PAGING,
        ],
        responses=page_of(RunSerializer),
    )
    def get(self, request: Request) -> Response:
        """The runs of your teams, the newest first."""
        rows = runs_of(request)
        for name, lookup in {"team": "team__slug", "pack": "version__pack__slug"}.items():
            if value := request.query_params.get(name):
                rows = rows.filter(**{lookup: value})
        if status := choice_in(request, "status", RunStatus.values):
            rows = rows.filter(status=status)
        return page(request, rows, show_run, "-id")

    @extend_schema(
        operation_id="runs_create",
        parameters=[IDEMPOTENCY_KEY],
        request=RunRequest,
        responses={201: RunSerializer, 200: RunSerializer},
    )
    def post(self, request: Request) -> Response:
        """Start a run. The same Idempotency-Key gives the same run again with status 200, and 409 with another body."""
        wanted = read_request(request.data)
        version = version_of(request, wanted)
        require(request, version.pack.team, Permission.RUN)
        options = Options(
            input_set=str(wanted.get("challenge_input_set_id") or wanted["input_set"]),
            name=wanted["name"],
            trials=wanted["trials"],
            max_iterations=wanted["max_iterations"],
            concurrency=wanted["concurrency"],
            response_cache=wanted["response_cache"],
            budgets=wanted["budgets"],
            connections=wanted["connections"],
            metadata=wanted["ci_metadata"],
            tester=wanted["verification"],
            **key_of(request),
        )
        try:
            earlier = find_earlier(author_of(request), version, options)
            if earlier is not None:
                return Response(show_run(runs_of(request).get(pk=earlier.pk)))
            agents = wanted_agents(request, version, wanted, options)
            run, is_new = launch_once(author_of(request), version, agents, options)
        except LaunchRefused as error:
            raise launch_refused(error) from error
        return Response(show_run(runs_of(request).get(pk=run.pk)), status=201 if is_new else 200)


def find_version(request: Request, pk: int) -> PackVersion:
    """Raises Refused for a version that does not exist for this user."""
    rows = PackVersion.objects.visible_to(request.user).select_related("pack__team")
    version: PackVersion | None = rows.filter(pk=pk).first()
    if version is None:
        name = "challenge_pack_version_id"
        raise refused("invalid_challenge_pack_version_id", f"There is no version {pk}.", name)
    return version


def find_agents(request: Request, keys: list[int]) -> list[Agent]:
    """The agents with these ids, in their order. Raises Refused where one does not exist for this user."""
    known = {agent.pk: agent for agent in Agent.objects.visible_to(request.user).filter(pk__in=keys)}
    missing = [key for key in keys if key not in known]
    if missing:
        name = "agent_deployment_ids"
        raise refused("invalid_agent_deployment_ids", f"There is no agent {missing[0]}.", name)
    return [known[key] for key in keys]


def version_of(request: Request, wanted: dict[str, Any]) -> PackVersion:
    """The version that is to be run. Raises Refused for one that does not exist for this user."""
    if wanted["challenge_pack_version_id"] is not None:
        return find_version(request, wanted["challenge_pack_version_id"])
    packs: QuerySet[Pack] = Pack.objects.visible_to(request.user).filter(slug=wanted["pack"])
    found = list(packs.filter(team__slug=wanted["team"]) if wanted["team"] else packs)
    if len(found) != 1:
        message = "Several teams have such a pack; name the team." if found else "There is no such pack."
        raise refused("unknown_pack", message, "team" if found else "pack")
    try:
        return newest_version(found[0])
    except LaunchRefused as error:
        raise launch_refused(error) from error


def agent_of(request: Request, version: PackVersion, text: str, field: str = "agent") -> Agent:
    """An agent of the version's team by its name or id. Raises Refused."""
    rows = Agent.objects.visible_to(request.user).filter(team=version.pack.team)
    found: Agent | None = rows.filter(name=text).first()
    if found is not None:
        return found
    if text.isdecimal() and len(text) < 19:
        return find_agents(request, [int(text)])[0]
    names = ", ".join(rows.filter(is_active=True).values_list("name", flat=True)[:20])
    raise refused("invalid_agent_deployment_ids", f"There is no agent {text!r}.", field, f"Possible: {names}.")


def wanted_agents(request: Request, version: PackVersion, wanted: Mapping[str, Any], options: Options) -> list[Agent]:
    """The agents that a request names, with those that the pack names where it wants them. Raises LaunchRefused."""
    listed = find_agents(request, wanted["agent_deployment_ids"])
    listed += [agent_of(request, version, text, "agents") for text in wanted["agents"]]
    meant = target_agents(version, options.input_set) if wanted["targets"] else []
    return [*listed, *(agent for agent in meant if agent not in listed)]


class VersionTargets(Endpoint):
    @extend_schema(
        operation_id="version_targets",
        parameters=[OpenApiParameter("input_set")],
        responses=TargetSerializer(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        """The agents that a version is meant for.

        Names in the pack, and the agents of the team that have them.
        """
        rows = PackVersion.objects.visible_to(request.user).select_related("pack__team")
        version = get_object_or_404(rows, pk=pk)
        try:
            given = request.query_params.get("input_set", "")
            input_set = choose_input_set(version, given)[0] if given else None
        except LaunchRefused as error:
            raise launch_refused(error) from error
        return Response(TargetSerializer(targets_of(version, input_set), many=True).data)


class RunDetail(Endpoint):
    @extend_schema(operation_id="runs_show", responses=RunSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A run with its agents and, once it has ended, the scorecard that compares them."""
        return Response(show_run(find_run(request, pk)))


class RunAgents(Endpoint):
    @extend_schema(operation_id="runs_agents", responses=RunAgentSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The agents of a run, in one list."""
        return Response(RunAgentSerializer(find_run(request, pk).agents.all(), many=True).data)


class RunAgentDetail(Endpoint):
    @extend_schema(operation_id="run_agents_show", responses=RunAgentSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """One agent of a run with what its trials add up to."""
        return Response(RunAgentSerializer(get_object_or_404(RunAgent.objects.visible_to(request.user), pk=pk)).data)


class RunCancel(Endpoint):
    @extend_schema(operation_id="runs_cancel", request=None, responses={202: RunSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Stop a run: no new trial begins, and those at work are asked to stop. 409 when it has ended already."""
        run = find_run(request, pk, Permission.RUN)
        if not cancel(run):
            raise Refused([finding("run_has_ended", "This run has ended already, or is being cancelled.")], 409)
        return Response(show_run(find_run(request, pk)), status=202)


class RunExport(Endpoint):
    @extend_schema(
        operation_id="runs_export",
        parameters=[OpenApiParameter("as", enum=sorted(EXPORTS))],
        responses={(200, media): OpenApiTypes.BINARY for _, media in EXPORTS.values()},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The results as a file."""
        run = find_run(request, pk)
        kind = request.query_params.get("as", "json")
        kinds = offered(run)
        if kind not in kinds:
            hint = f"One of: {', '.join(kinds)}."
            raise refused("invalid_request", f"{kind!r} is not a kind of export of this run.", "as", hint)
        write, media = EXPORTS[kind]
        suffix = SUFFIXES.get(kind, kind)
        headers = {"Content-Disposition": f'attachment; filename="run-{run.pk}.{suffix}"'}
        return StreamingHttpResponse(write(run), content_type=media, headers=headers)
