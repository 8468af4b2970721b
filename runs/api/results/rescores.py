"""Re-scores of a run: asking for one, reading it, stopping it, and letting its verdicts count."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint, says_yes
from packs.api.shared.lookup import author_of, page
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, finding
from runs.api.launches.actions import in_vain
from runs.api.launches.runs import find_run
from runs.jobs.scores.adopting import AdoptRefused, adopt
from runs.models import Asks, Probe, Rescore, RescoreResult
from runs.results.asking import asking_of
from runs.results.rescoring import MOVED, RescoreRefused, Wanted, ask_rescore, cancel_rescore, narrowed
from runs.results.serializers import RescoreResultSerializer, RescoreSerializer


class RescoreRequest(Body):
    """By what trials are scored again: a version of the same pack, the text of an evaluation in place of its own.

    `asks` says which judges are asked: those that gave no answer (`missing`), `all`, or nobody. `connections` says who
    answers for models that the pack names, where that is not as in the run.
    """

    version = serializers.IntegerField(required=False, allow_null=True, default=None)
    evaluation = serializers.CharField(required=False, allow_blank=True, default="", trim_whitespace=False)
    asks = serializers.ChoiceField(Asks.choices, required=False, allow_blank=True, default="")
    connections = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField()),
        required=False,
        default=dict,
        help_text='Name of a model -> {"connection": name or id, "model"?}',
    )
    probe = serializers.ChoiceField(
        Probe.choices,
        required=False,
        allow_blank=True,
        default="",
        help_text="Shows judges the answers otherwise, to find a bias; never counts for the run.",
    )


class AskingShape(serializers.Serializer[Any]):
    """About what asking takes; `cost_usd` is null where no price is known."""

    calls = serializers.IntegerField()
    tokens = serializers.IntegerField()
    cost_usd = serializers.FloatField(allow_null=True)


class AskingEstimateShape(serializers.Serializer[Any]):
    """What it takes to ask `all` judges of a run, and what each probe does; empty where no judge was asked."""

    all = AskingShape(required=False)
    padded = AskingShape(required=False)
    swapped = AskingShape(required=False)


class RescoreEstimate(Endpoint):
    @extend_schema(operation_id="rescores_estimate", responses=AskingEstimateShape)
    def get(self, request: Request, pk: int) -> Response:
        """About how many calls and tokens, and how much money, judges take when they are asked again."""
        return Response(asking_of(find_run(request, pk)))


class Rescores(Endpoint):
    @extend_schema(operation_id="rescores_list", parameters=PAGING, responses=page_of(RescoreSerializer))
    def get(self, request: Request, pk: int) -> Response:
        """The re-scores of a run, the newest first."""
        rows = Rescore.objects.filter(run=find_run(request, pk)).select_related("version", "run")
        return page(request, rows, lambda row: dict(RescoreSerializer(row).data), "-id")

    @extend_schema(operation_id="rescores_create", request=RescoreRequest, responses={202: RescoreSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Score the stored trials of a run again; the run stays as it is. 422 for an evaluation with errors."""
        run = find_run(request, pk, Permission.RUN)
        data = read_body(RescoreRequest, request)
        wanted = Wanted(data["version"], data["evaluation"], data["asks"], data["connections"], data["probe"])
        try:
            row = ask_rescore(run, author_of(request), wanted)
        except RescoreRefused as error:
            status = 409 if error.code == "run_not_ended" else 422
            raise Refused(error.findings or [finding(error.code, error.message)], status) from error
        return Response(RescoreSerializer(row).data, status=202)


def find_rescore(request: Request, pk: int, needed: Permission = Permission.READ) -> Rescore:
    """Raises Http404 for users who may not see the run, PermissionDenied for those who may not do what is needed."""
    rows: QuerySet[Rescore] = Rescore.objects.visible_to(request.user).select_related("version", "run")
    row: Rescore = get_object_or_404(rows, pk=pk)
    find_run(request, row.run_id, needed)
    return row


class RescoreDetail(Endpoint):
    @extend_schema(operation_id="rescores_show", responses=RescoreSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A re-score with its summary once it is completed."""
        return Response(RescoreSerializer(find_rescore(request, pk)).data)


class RescoreResults(Endpoint):
    @extend_schema(
        operation_id="rescores_results",
        parameters=[OpenApiParameter("changed", bool), *map(OpenApiParameter, MOVED), *PAGING],
        responses=page_of(RescoreResultSerializer),
    )
    def get(self, request: Request, pk: int) -> Response:
        """Old and new verdict and score of each trial.

        `changed=true` leaves out those that are the same; `from` and `to` leave those that moved so.
        """
        found = RescoreResult.objects.filter(rescore=find_rescore(request, pk)).select_related("trial")
        rows = narrowed(found, request.query_params).defer("events", "grades", "ranking")
        if says_yes(request, "changed"):
            rows = rows.filter(has_changed=True)
        return page(request, rows, lambda row: dict(RescoreResultSerializer(row).data), "id")


class RescoreCancel(Endpoint):
    @extend_schema(operation_id="rescores_cancel", request=None, responses={202: RescoreSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Stop a re-score; its verdicts so far are kept. 409 when it has ended."""
        row = find_rescore(request, pk, Permission.RUN)
        if not cancel_rescore(row):
            raise in_vain("rescore_has_ended", "This scoring has ended already.")
        return Response(RescoreSerializer(find_rescore(request, pk)).data, status=202)


class RescoreAdopt(Endpoint):
    @extend_schema(operation_id="rescores_adopt", request=None, responses=RescoreSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Let the verdicts of a re-score count for its run. 409 where they cannot, or do already."""
        row = find_rescore(request, pk, Permission.RUN)
        try:
            adopt(row, author_of(request))
        except AdoptRefused as refused:
            raise in_vain(refused.code, refused.message) from refused
        return Response(RescoreSerializer(find_rescore(request, pk)).data)
