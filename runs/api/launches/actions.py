"""What can be done with a run after its launch: pause, resume, try trials again, add trials."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, page
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, finding
from runs.api.launches.requests import launch_refused
from runs.api.launches.runs import find_run, show_run
from runs.jobs.trials.control import pause, resume
from runs.jobs.trials.retrying import RETRIES, retry
from runs.launch.launching import add_trials
from runs.launch.refusals import LaunchRefused
from runs.models import Attempt, Trial
from runs.results.serializers import AttemptSerializer, RunSerializer


def accepted(request: Request, pk: int) -> Response:
    """The run as it is after an act that goes on."""
    return Response(show_run(find_run(request, pk)), status=202)


def in_vain(code: str, message: str) -> Refused:
    """An act that makes no sense for the run as it is: 409."""
    return Refused([finding(code, message)], 409)


class RunPause(Endpoint):
    @extend_schema(operation_id="runs_pause", request=None, responses={202: RunSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Let no more trials begin; those at work end as usual. 409 when there is nothing to pause."""
        if not pause(find_run(request, pk, Permission.RUN)):
            raise in_vain("run_not_active", "Only a run that is queued or running can be paused.")
        return accepted(request, pk)


class RunResume(Endpoint):
    @extend_schema(operation_id="runs_resume", request=None, responses={202: RunSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Let a paused run go on. 409 when it is not paused."""
        if not resume(find_run(request, pk, Permission.RUN)):
            raise in_vain("run_not_paused", "This run is not paused.")
        return accepted(request, pk)


class RetryRequest(Body):
    """Which trials are tried again."""

    which = serializers.ChoiceField(sorted(RETRIES), required=False, default="errors")


class RunRetry(Endpoint):
    @extend_schema(operation_id="runs_retry", request=RetryRequest, responses={202: RunSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Try trials again that ended in errors, failed or were cancelled.

        What they were is kept as attempts.
        """
        run = find_run(request, pk, Permission.RUN)
        wanted = read_body(RetryRequest, request)
        if not retry(run, wanted["which"], author_of(request)):
            raise in_vain("nothing_to_retry", "No such trial can be tried again now.")
        return accepted(request, pk)


class MoreRequest(Body):
    """How many trials are added for each case and agent."""

    count = serializers.IntegerField()


class RunMore(Endpoint):
    @extend_schema(operation_id="runs_more", request=MoreRequest, responses={202: RunSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Add trials to every case and agent; those that are there stay."""
        run = find_run(request, pk, Permission.RUN)
        wanted = read_body(MoreRequest, request)
        try:
            add_trials(run, wanted["count"])
        except LaunchRefused as error:
            raise launch_refused(error) from error
        return accepted(request, pk)


class TrialAttempts(Endpoint):
    @extend_schema(operation_id="trials_attempts", parameters=PAGING, responses=page_of(AttemptSerializer))
    def get(self, request: Request, pk: int) -> Response:
        """What earlier tries of a trial left behind, with their events and grades."""
        trial = get_object_or_404(Trial.objects.visible_to(request.user), pk=pk)
        rows = Attempt.objects.filter(trial=trial)
        return page(request, rows, lambda row: dict(AttemptSerializer(row).data), "number")
