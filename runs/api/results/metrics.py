"""What the trials of a run measured."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from packs.api.shared.endpoint import Endpoint
from runs.api.launches.runs import find_run
from runs.models.trial_counts import trial_counts_of
from runs.results.measuring import Collected, collect
from runs.results.sampling import Sample
from runs.statistics.shares import shares_of


class RunMetrics(Endpoint):
    @extend_schema(
        operation_id="runs_metrics",
        parameters=[OpenApiParameter("metric", description="Also by case, for this metric.")],
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, pk: int) -> Response:
        """Every metric of each agent.

        Each with its definition, its unit, what it adds up to and how it is spread. Of a very large run one case in so
        many is read, which `one_case_in` says.
        """
        run = find_run(request, pk)
        found, wanted = collect(run), request.query_params.get("metric", "")
        counts = trial_counts_of(run.pk).by_agent
        agents = []
        for agent in run.agents.all():
            values = found.get(agent.pk, Collected())
            entry = {
                "run_agent": agent.pk,
                "name": agent.name,
                **shares_of(counts.get(agent.pk, {})).as_dict(),
                "metrics": [one.as_dict() for one in values.measures()],
            }
            if wanted:
                entry["cases"] = [{"case_key": case, **one.as_dict()} for case, one in values.cases(wanted)]
            agents.append(entry)
        return Response({"agents": agents, "one_case_in": Sample.of(run).every})
