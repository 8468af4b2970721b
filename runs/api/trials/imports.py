"""Trial records and traces in and out."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.endpoint import Endpoint, says_yes
from packs.api.shared.lookup import author_of, find_version, number_in
from packs.api.shared.refusals import Refused
from packs.api.shared.uploads import PARSERS, body_of
from runs.api.launches.requests import launch_refused, refused
from runs.api.launches.runs import runs_of, show_run
from runs.api.trials.failures import find_trial
from runs.launch.refusals import LaunchRefused
from runs.results.importing import Wish, import_records, look, read_records
from runs.results.serializers import RunSerializer
from runs.results.tracing import trial_record, trial_trace


class RunImport(Endpoint):
    parser_classes = PARSERS

    @extend_schema(
        operation_id="runs_import",
        parameters=[
            OpenApiParameter("version", int, required=True),
            OpenApiParameter("case", description="Key of the case that records without a task_id belong to."),
            OpenApiParameter("run_name"),
            OpenApiParameter("name", description="Name of the file that the body is."),
            OpenApiParameter("dry_run", bool),
        ],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses={201: RunSerializer, 200: OpenApiTypes.OBJECT},
    )
    def post(self, request: Request) -> Response:
        """Make a run of trial records or traces.

        The body is JSON, one record a line, or an archive of them. With `dry_run` nothing is written. 422 with
        everything that stands against it; then nothing is written.
        """
        pk = number_in(request, "version")
        if pk is None:
            raise refused("invalid_request", "Name the version whose cases the records are about.", "version")
        version = find_version(request, pk, Permission.RUN)
        params = request.query_params
        wish = Wish(params.get("case", ""), params.get("run_name", "")[:300])
        found = look(version, read_records(*body_of(request)), wish)
        if says_yes(request, "dry_run"):
            return Response(found.as_dict())
        if not found.can_import:
            raise Refused(found.findings, 422)
        try:
            run = import_records(found, author_of(request))
        except LaunchRefused as error:
            raise launch_refused(error) from error
        return Response(show_run(runs_of(request).get(pk=run.pk)), status=201)


class TrialTrace(Endpoint):
    @extend_schema(
        operation_id="trials_trace",
        parameters=[OpenApiParameter("as", enum=["record", "trace"])],
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, pk: int) -> Response:
        """A trial that has ended as a trial record, or its trace alone.

        Both are defined in task-suite 8. 409 while the trial has not ended.
        """
        trial = find_trial(request, pk)
        kind = request.query_params.get("as", "record")
        if kind not in ("record", "trace"):
            raise refused("invalid_request", f"{kind!r} is neither record nor trace.", "as")
        if trial.finished_at is None:
            return Response({"state": "pending"}, status=409)
        return Response(trial_trace(trial) if kind == "trace" else trial_record(trial))
