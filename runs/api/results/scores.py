"""What a run says in short, and case by case: what pipelines read."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import number_in, page_together
from packs.api.shared.pages import PAGING, page_of
from runs.api.launches.runs import find_run
from runs.api.results.shapes import CaseVerdictShape, RunSummaryShape
from runs.models import Trial
from runs.results.case_verdicts import case_verdicts, summary_of


class RunSummary(Endpoint):
    @extend_schema(operation_id="runs_summary", responses=RunSummaryShape)
    def get(self, request: Request, pk: int) -> Response:
        """A run in short.

        Each agent with its verdict, how many cases passed by the rules of the pack, and what was used up."""
        return Response(summary_of(find_run(request, pk)))


class RunCases(Endpoint):
    @extend_schema(
        operation_id="runs_cases",
        parameters=[OpenApiParameter("run_agent", int), OpenApiParameter("case_key"), *PAGING],
        responses=page_of(CaseVerdictShape),
    )
    def get(self, request: Request, pk: int) -> Response:
        """What the trials of each agent say together of each case."""
        run = find_run(request, pk)
        firsts = Trial.objects.filter(run=run, number=1).defer("scorecard", "final_output")
        if case_key := request.query_params.get("case_key"):
            firsts = firsts.filter(case_key=case_key)
        if (agent := number_in(request, "run_agent")) is not None:
            firsts = firsts.filter(run_agent=agent)
        return page_together(
            request, firsts, lambda found: [joint.as_dict() for joint in case_verdicts(run, found)], "id"
        )
