"""How far people agree who reviewed the trials of a run."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from packs.api.shared.endpoint import Endpoint
from runs.api.launches.runs import find_run
from runs.results.agreement import agreement_of


class RunAgreement(Endpoint):
    @extend_schema(operation_id="runs_agreement", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """How far the people agree who reviewed a run.

        Raw agreement and kappa by what was scored and by two people, and the trials on which they differ most.
        """
        return Response(agreement_of(find_run(request, pk)).as_dict())
