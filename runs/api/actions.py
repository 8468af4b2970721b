"""What can be done with a run after its launch: pause, resume, try trials again, add trials, score again."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from packs.access import Permission
from packs.api.bodies import Body
from packs.api.lookup import author_of, page
from packs.api.pages import PAGING, page_of
from packs.api.trouble import Refused, finding
from runs.api.requests import launch_refused
from runs.api.runs import find_run, show_run
from runs.jobs import RETRIES, pause, resume, retry
from runs.launch import LaunchRefused, add_trials
from runs.models import Attempt, Rescore, RescoreResult, Trial
from runs.rescoring import RescoreRefused, ask_rescore
from runs.serializers import AttemptSerializer, RescoreResultSerializer, RescoreSerializer, RunSerializer


def accepted(request: Request, pk: int) -> Response:
    """The run as it is after an act that goes on."""
    return Response(show_run(find_run(request, pk)), status=202)


def in_vain(code: str, message: str) -> Refused:
    """An act that makes no sense for the run as it is: 409."""
    return Refused([finding(code, message)], 409)


class RunPause(APIView):
    @extend_schema(operation_id="runs_pause", request=None, responses={202: RunSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Let no more trials begin; those at work end as usual. 409 when there is nothing to pause."""
        if not pause(find_run(request, pk, Permission.RUN)):
            raise in_vain("run_not_active", "Only a run that is queued or running can be paused.")
        return accepted(request, pk)


class RunResume(APIView):
    @extend_schema(operation_id="runs_resume", request=None, responses={202: RunSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Let a paused run go on. 409 when it is not paused."""
        if not resume(find_run(request, pk, Permission.RUN)):
            raise in_vain("run_not_paused", "This run is not paused.")
        return accepted(request, pk)


class RetryRequest(Body):
    """Which trials are tried again."""

    which = serializers.ChoiceField(sorted(RETRIES), required=False, default="errors")


class RunRetry(APIView):
    @extend_schema(operation_id="runs_retry", request=RetryRequest, responses={202: RunSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Try trials again that ended in errors, failed or were cancelled; what they were is kept as attempts."""
        run = find_run(request, pk, Permission.RUN)
        wanted = RetryRequest(data=request.data or {})
        wanted.is_valid(raise_exception=True)
        if not retry(run, wanted.validated_data["which"], author_of(request)):
            raise in_vain("nothing_to_retry", "No such trial can be tried again now.")
        return accepted(request, pk)


class MoreRequest(Body):
    """How many trials are added for each case and agent."""

    count = serializers.IntegerField()


class RunMore(APIView):
    @extend_schema(operation_id="runs_more", request=MoreRequest, responses={202: RunSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Add trials to every case and agent; those that are there stay."""
        run = find_run(request, pk, Permission.RUN)
        wanted = MoreRequest(data=request.data)
        wanted.is_valid(raise_exception=True)
        try:
            add_trials(run, wanted.validated_data["count"])
        except LaunchRefused as error:
            raise launch_refused(error) from error
        return accepted(request, pk)


class RescoreRequest(Body):
    """By what trials are scored again: a version of the same pack, the text of an evaluation in place of its own."""

    version = serializers.IntegerField(required=False, allow_null=True, default=None)
    evaluation = serializers.CharField(required=False, allow_blank=True, default="", trim_whitespace=False)


class Rescores(APIView):
    @extend_schema(operation_id="rescores_list", parameters=PAGING, responses=page_of(RescoreSerializer))
    def get(self, request: Request, pk: int) -> Response:
        """The second scorings of a run, the newest first."""
        rows = Rescore.objects.filter(run=find_run(request, pk)).select_related("version")
        return page(request, rows, lambda row: dict(RescoreSerializer(row).data), "-id")

    @extend_schema(operation_id="rescores_create", request=RescoreRequest, responses={202: RescoreSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Score the stored trials of a run again; the run stays as it is. 422 for an evaluation with errors."""
        run = find_run(request, pk, Permission.RUN)
        wanted = RescoreRequest(data=request.data or {})
        wanted.is_valid(raise_exception=True)
        number, evaluation = wanted.validated_data["version"], wanted.validated_data["evaluation"]
        try:
            row = ask_rescore(run, author_of(request), number=number, evaluation=evaluation)
        except RescoreRefused as error:
            status = 409 if error.code == "run_not_ended" else 422
            raise Refused(error.findings or [finding(error.code, error.message)], status) from error
        return Response(RescoreSerializer(row).data, status=202)


def find_rescore(request: Request, pk: int) -> Rescore:
    """Raises Http404 for whoever may not see the run."""
    rows: QuerySet[Rescore] = Rescore.objects.visible_to(request.user).select_related("version")
    return get_object_or_404(rows, pk=pk)


class RescoreDetail(APIView):
    @extend_schema(operation_id="rescores_show", responses=RescoreSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A second scoring with its summary once it is completed."""
        return Response(RescoreSerializer(find_rescore(request, pk)).data)


class RescoreResults(APIView):
    @extend_schema(
        operation_id="rescores_results",
        parameters=[OpenApiParameter("changed", bool), *PAGING],
        responses=page_of(RescoreResultSerializer),
    )
    def get(self, request: Request, pk: int) -> Response:
        """Old and new verdict of each trial; `changed=true` leaves out those that are the same."""
        rows = RescoreResult.objects.filter(rescore=find_rescore(request, pk)).select_related("trial")
        if request.query_params.get("changed", "").casefold() in ("true", "1"):
            rows = rows.filter(has_changed=True)
        return page(request, rows, lambda row: dict(RescoreResultSerializer(row).data), "id")


class TrialAttempts(APIView):
    @extend_schema(operation_id="trials_attempts", parameters=PAGING, responses=page_of(AttemptSerializer))
    def get(self, request: Request, pk: int) -> Response:
        """What earlier tries of a trial left behind, with their events and grades."""
        trial = get_object_or_404(Trial.objects.visible_to(request.user), pk=pk)
        rows = Attempt.objects.filter(trial=trial)
        return page(request, rows, lambda row: dict(AttemptSerializer(row).data), "number")
