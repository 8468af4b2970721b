"""Gates: start runs for them, check them, read their verdicts, and the policies of a pack's gates."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.headers import IDEMPOTENCY_KEY
from packs.api.shared.lookup import author_of, find_pack, number_in, page, require
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused
from packs.formats import adapter_of
from packs.models import Pack, PackVersion
from runs.api.launches.requests import key_of, launch_refused, refused
from runs.api.launches.runs import agent_of, find_run, version_of
from runs.api.results.shapes import GateCheckShape, GateReportShape, GateRunShape, PolicyShape, ReleaseShape
from runs.gates import GATES, SHORT, read_policy
from runs.gates.sections import section_troubles
from runs.jobs.gating.checks import (
    GateRefused,
    gate_section,
    judge,
    junit_of,
    keep,
    own_sets,
    report_of,
    report_of_judged,
    verdict_of,
)
from runs.launch.gating import Start, start_once
from runs.launch.refusals import LaunchRefused
from runs.models import Gate, GateCheck, GateRequest, GateSettings, Release, Run

GATE_HELP = f"One of {', '.join([*SHORT, *GATES])}."
XML = "application/xml; charset=utf-8"
HEAVY = ("conditions", "members", "suites", "policy")


class GateRunRequest(Body):
    """A run for a gate. A pack is a slug with its team (or a version by its id), an agent its name or id.

    `ci_metadata` is what the pipeline knows: `branch`, `commit`, `merge_base` or `ancestors`, and whatever it likes.
    """

    gate = serializers.CharField(default="merge", help_text=GATE_HELP)
    pack = serializers.CharField(required=False, allow_blank=True, default="")
    team = serializers.CharField(required=False, allow_blank=True, default="")
    challenge_pack_version_id = serializers.IntegerField(required=False, allow_null=True, default=None)
    agent = serializers.CharField()
    input_set = serializers.CharField(required=False, allow_blank=True, default="")
    trials = serializers.IntegerField(required=False, allow_null=True, default=None)
    baseline_run_id = serializers.IntegerField(required=False, allow_null=True, default=None)
    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=300)
    ci_metadata = serializers.DictField(required=False, default=dict)


class GateCheckRequest(Body):
    """Which gate is asked, compared with what; a `policy` is only tried, and nothing of it is kept."""

    gate = serializers.CharField(default="merge", help_text=GATE_HELP)
    agent = serializers.CharField(required=False, allow_blank=True, default="")
    baseline_run_id = serializers.IntegerField(required=False, allow_null=True, default=None)
    policy = serializers.DictField(required=False, allow_null=True, default=None)


class ReleaseRequest(Body):
    """The name of the release that a run was made for."""

    name = serializers.CharField(max_length=120)


class GatePolicyRequest(Body):
    """What a gate asks of a pack whose format says nothing of gates."""

    section = serializers.DictField()


def gate_name(text: str) -> str:
    """The gate that a short or whole name means. Raises Refused."""
    name = SHORT.get(text, text)
    if name not in GATES:
        raise refused("unknown_gate", f"There is no gate {text!r}.", "gate", f"One of: {', '.join(SHORT)}.")
    return name


def gate_refused(error: GateRefused) -> Refused:
    """A gate that cannot be asked: 409 for a run that has not ended, 422 otherwise."""
    hint = ", ".join(str(choice.get("name")) for choice in error.choices)
    status = 409 if error.code in ("run_not_ended", "baseline_not_ended") else 422
    return Refused(refused(error.code, error.message, "", f"Possible: {hint}." if hint else "").findings, status)


def other_run(request: Request, key: int | None) -> Run | None:
    """The run to compare with, where one is named. Raises Refused for one that this user cannot see."""
    if key is None:
        return None
    found: Run | None = Run.objects.visible_to(request.user).select_related("version").filter(pk=key).first()
    if found is None:
        raise refused("unknown_baseline", f"There is no run {key}.", "baseline_run_id")
    return found


class GateRuns(Endpoint):
    @extend_schema(
        operation_id="gate_runs_create",
        parameters=[IDEMPOTENCY_KEY],
        request=GateRunRequest,
        responses={200: GateRunShape, 201: GateRunShape},
    )
    def post(self, request: Request) -> Response:
        """Start a run of the cases that belong to a gate. Ask for its verdict at `links.result` until it is `done`."""
        wanted = read_body(GateRunRequest, request)
        version = version_of(request, wanted)
        require(request, version.pack.team, Permission.RUN)
        start = Start(
            gate=gate_name(wanted["gate"]),
            input_set=wanted["input_set"],
            name=wanted["name"],
            trials=wanted["trials"],
            baseline=other_run(request, wanted["baseline_run_id"]),
            metadata=wanted["ci_metadata"],
            **key_of(request),
        )
        try:
            agent = agent_of(request, version, wanted["agent"])
            run, is_new = start_once(author_of(request), version, agent, start)
        except LaunchRefused as error:
            raise launch_refused(error) from error
        except GateRefused as error:
            raise gate_refused(error) from error
        shown = show_request(run.gate_requests.get(gate=start.gate))
        return Response(shown, status=201 if is_new else 200)


def show_request(row: GateRequest) -> dict[str, Any]:
    """How far a run for a gate is, and its verdict once it is `done`; until then the exit code is 3."""
    run = row.run
    check = verdict_of(run, row.gate)
    links = {name: f"/api/v1/gate-runs/{run.pk}/{end}?gate={row.gate}" for name, end in LINKS.items()}
    return {
        "run_id": run.pk,
        "gate": row.gate,
        "status": run.status,
        "counts": run.counts,
        "trial_count": run.trial_count,
        "done": bool(check or row.trouble),
        "trouble": row.trouble,
        "verdict": check.verdict if check else None,
        "exit_code": check.exit_code if check else 3,
        "report": report_of(check) if check else None,
        "links": {**links, "page": f"/gates/checks/{check.pk}/" if check else f"/runs/{run.pk}/"},
    }


LINKS = {"result": "", "junit": "junit/"}


def find_request(request: Request, pk: int) -> GateRequest:
    """Raises Http404 for users who may not see the run, and for a run that was not started for the gate."""
    rows: QuerySet[GateRequest] = GateRequest.objects.visible_to(request.user).filter(run=pk).select_related("run")
    if name := request.query_params.get("gate"):
        rows = rows.filter(gate=gate_name(name))
    return get_object_or_404(rows[:1])


class GateRunDetail(Endpoint):
    @extend_schema(operation_id="gate_runs_show", parameters=[OpenApiParameter("gate")], responses=GateRunShape)
    def get(self, request: Request, pk: int) -> Response:
        """The verdict of a run that was started for a gate, once it is done."""
        return Response(show_request(find_request(request, pk)))


class GateRunJunit(Endpoint):
    @extend_schema(
        operation_id="gate_runs_junit",
        parameters=[OpenApiParameter("gate")],
        responses={(200, "application/xml"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """The verdict as JUnit XML. 409 while there is none."""
        row = find_request(request, pk)
        check = verdict_of(row.run, row.gate)
        if check is None:
            raise gate_refused(GateRefused("run_not_ended", "There is no verdict yet."))
        return as_file(check)


def as_file(check: GateCheck) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="gate-{check.pk}.xml"'}
    return HttpResponse(junit_of(check), content_type=XML, headers=headers)


class RunGateChecks(Endpoint):
    @extend_schema(operation_id="run_gate_checks_list", parameters=PAGING, responses=page_of(GateCheckShape))
    def get(self, request: Request, pk: int) -> Response:
        """What gates said of a run, the newest first."""
        rows = GateCheck.objects.filter(run=find_run(request, pk)).defer(*HEAVY)
        return page(request, rows, GateCheckShape.show, "-id")

    @extend_schema(
        operation_id="run_gate_checks_create",
        request=GateCheckRequest,
        responses={201: GateReportShape, 200: GateReportShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Check a run that has ended against a gate. With a `policy` it is only tried: 200, and nothing is kept."""
        run = find_run(request, pk, Permission.RUN)
        wanted = read_body(GateCheckRequest, request)
        gate = gate_name(wanted["gate"])
        section = wanted["policy"]
        if section is not None:
            require_sound(section, gate)
        baseline = other_run(request, wanted["baseline_run_id"])
        try:
            judged = judge(run, gate, agent=wanted["agent"], baseline=baseline, section=section)
        except GateRefused as error:
            raise gate_refused(error) from error
        if section is not None:
            return Response(report_of_judged(judged))
        return Response(report_of(keep(judged, author_of(request))), status=201)


def require_sound(section: Any, gate: str) -> None:
    """Raises Refused for a policy that makes no sense."""
    troubles = section_troubles(section, gate)
    if troubles:
        found = [refused("invalid_policy", trouble, "policy").findings[0] for trouble in troubles]
        raise Refused(found)


class GateChecks(Endpoint):
    @extend_schema(
        operation_id="gate_checks_list",
        parameters=[OpenApiParameter("pack", int), OpenApiParameter("gate"), *PAGING],
        responses=page_of(GateCheckShape),
    )
    def get(self, request: Request) -> Response:
        """What gates of your teams' packs said, the newest first."""
        rows: QuerySet[GateCheck] = GateCheck.objects.visible_to(request.user).defer(*HEAVY)
        if name := request.query_params.get("gate"):
            rows = rows.filter(gate=gate_name(name))
        if (number := number_in(request, "pack")) is not None:
            rows = rows.filter(pack=number)
        return page(request, rows, GateCheckShape.show, "-id")


def find_check(request: Request, pk: int) -> GateCheck:
    """Raises Http404 for users who may not see the pack."""
    check: GateCheck = get_object_or_404(GateCheck.objects.visible_to(request.user), pk=pk)
    return check


class GateCheckDetail(Endpoint):
    @extend_schema(operation_id="gate_checks_show", responses=GateReportShape)
    def get(self, request: Request, pk: int) -> Response:
        """The report of a verdict: conditions, suites, tasks, and the trials that decided."""
        return Response(report_of(find_check(request, pk)))


class GateCheckJunit(Endpoint):
    @extend_schema(operation_id="gate_checks_junit", responses={(200, "application/xml"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponse:
        """A verdict as JUnit XML."""
        return as_file(find_check(request, pk))


class RunReleases(Endpoint):
    @extend_schema(operation_id="run_releases_list", responses=ReleaseShape(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The releases that were made with this run."""
        return Response([show_release(row) for row in find_run(request, pk).releases.order_by("pk")])

    @extend_schema(operation_id="run_releases_create", request=ReleaseRequest, responses={201: ReleaseShape})
    def post(self, request: Request, pk: int) -> Response:
        """Say that a release was made with this run; release gates then compare with it."""
        run = find_run(request, pk, Permission.CURATE)
        wanted = read_body(ReleaseRequest, request)
        if run.finished_at is None:
            raise gate_refused(GateRefused("run_not_ended", "This run has not ended."))
        row = Release.objects.create(pack=run.version.pack, run=run, name=wanted["name"], created_by=author_of(request))
        return Response(show_release(row), status=201)


class RunReleaseDetail(Endpoint):
    @extend_schema(operation_id="run_releases_delete", responses={204: None})
    def delete(self, request: Request, pk: int, release: int) -> Response:
        """Take a release off this run; release gates then compare with the release before it."""
        run = find_run(request, pk, Permission.CURATE)
        get_object_or_404(Release, pk=release, run=run).delete()
        return Response(status=204)


def show_release(row: Release) -> dict[str, Any]:
    return {"id": row.pk, "name": row.name, "run_id": row.run_id}


def newest_of(pack: Pack) -> PackVersion:
    """The newest version of a pack. Raises Refused where there is none."""
    version: PackVersion | None = pack.versions.select_related("pack").order_by("-number").first()
    if version is None:
        raise refused("not_published", "This pack has no version yet.")
    return version


class PackGate(Endpoint):
    @extend_schema(operation_id="pack_gates_show", responses=PolicyShape)
    def get(self, request: Request, pk: int, gate: str) -> Response:
        """What a gate asks of the newest version of a pack, and where that is said."""
        return Response(show_policy(newest_of(find_pack(request, pk)), gate_name(gate)))

    @extend_schema(operation_id="pack_gates_change", request=GatePolicyRequest, responses=PolicyShape)
    def put(self, request: Request, pk: int, gate: str) -> Response:
        """Change what a gate asks. 409 for a pack whose format says that itself: publish a version that says so."""
        pack, name = find_pack(request, pk, Permission.CURATE), gate_name(gate)
        if adapter_of(pack.format).GATES_POINTER:
            message = "The configuration of this pack says what its gates require; change it there and publish."
            raise Refused(refused("policy_in_pack", message).findings, 409)
        section = read_body(GatePolicyRequest, request)["section"]
        require_sound(section, name)
        values = {"section": section, "changed_by": author_of(request)}
        GateSettings.objects.update_or_create(pack=pack, gate=name, defaults=values)
        return Response(show_policy(newest_of(pack), name))


def show_policy(version: PackVersion, gate: str) -> dict[str, Any]:
    section, source = gate_section(version, gate)
    policy = read_policy(gate, section, own_sets(version))
    label = Gate(gate).label
    return {"gate": gate, "label": label, "source": source, "section": section, "policy": policy.as_dict()}
