"""How far people agree who reviewed the trials of a run."""

from dataclasses import asdict

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from packs.api.shared.endpoint import Endpoint
from runs.api.launches.runs import find_run
from runs.results.agreement import agreement_of
from runs.results.labels import gold_rows


class RunAgreement(Endpoint):
    @extend_schema(operation_id="runs_agreement", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """How far the people agree who reviewed a run.

        Raw agreement, kappa, alpha and base rate by what was scored and by two people, and the trials on which they
        differ most.
        """
        return Response(agreement_of(find_run(request, pk)).as_dict())


class RunGold(Endpoint):
    @extend_schema(operation_id="runs_gold", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """What people say together of the trials of a run.

        Whether each passes, a score from 0 to 1, and how they came to it: adjudicated, agreed, majority or single.
        """
        rows = gold_rows(find_run(request, pk))
        return Response(
            {"trials": [{"trial": trial.pk, "case_key": trial.case_key, **asdict(said)} for trial, said in rows]}
        )
