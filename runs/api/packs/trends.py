"""How the results of a pack change over its runs."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.api.shared.answers import Shape
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import find_pack
from runs.api.results.shapes import SharesShape
from runs.models import Run
from runs.results.trends import changes_of, ended_runs, set_name, sets_of, trend_of

SET = OpenApiParameter("set", description="Key of an input set, `all` or `none`; that of the newest run by default.")
AGENT = OpenApiParameter("agent", description="Only this agent, by its name; then the cases that changed as well.")


def chosen_runs(request: Request, pk: int) -> tuple[str, list[str], list[Run]]:
    """The input set that is asked for, all that there are, and its runs that have ended, the newest first."""
    runs = list(ended_runs(find_pack(request, pk)).visible_to(request.user))
    sets, wanted = sets_of(runs), request.query_params.get("set", "")
    chosen = wanted or next(iter(sets), "")
    return chosen, sets, [run for run in runs if set_name(run) == chosen]


class PointShape(SharesShape):
    """One agent in one run. Costs are null unless they are known of each judged trial."""

    run = serializers.IntegerField()
    run_agent = serializers.IntegerField()
    agent = serializers.CharField()
    version = serializers.IntegerField()
    published_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField()
    passed = serializers.IntegerField()
    judged = serializers.IntegerField()
    planned = serializers.IntegerField()
    cost_usd = serializers.FloatField(allow_null=True)
    cost_per_pass = serializers.FloatField(allow_null=True, help_text="All costs divided by the passed trials.")


class ChangedCaseShape(Shape):
    """A case whose verdict changed; `before` and `after` are the trials that decided."""

    case_key = serializers.CharField(source="key")
    input_set = serializers.CharField()
    challenge = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    is_edited = serializers.BooleanField(help_text="Whether the case itself changed between the versions.")


class ChangesShape(Shape):
    """What changed between the last two runs of an agent; `shared` counts cases with a verdict in both."""

    agent = serializers.CharField(source="after.agent")
    before = serializers.IntegerField(source="before.run")
    after = serializers.IntegerField(source="after.run")
    shared = serializers.IntegerField()
    regressed = ChangedCaseShape(many=True)
    fixed = ChangedCaseShape(many=True)


class TrendShape(serializers.Serializer[Any]):
    """Results by run and agent, oldest first; `left_out` counts earlier runs that are not read."""

    set = serializers.CharField()
    sets = serializers.ListField(child=serializers.CharField())
    left_out = serializers.IntegerField()
    results = PointShape(many=True)
    changes = ChangesShape(allow_null=True)


class PackTrends(Endpoint):
    @extend_schema(operation_id="packs_results", parameters=[SET, AGENT], responses=TrendShape)
    def get(self, request: Request, pk: int) -> Response:
        """Pass rate and cost of each agent over the runs of a pack.

        Of one input set, since runs of other cases cannot be compared.
        """
        chosen, sets, runs = chosen_runs(request, pk)
        agent = request.query_params.get("agent", "")
        trend = trend_of(runs, agent)
        changes = changes_of(trend, agent) if agent else None
        return Response(
            {
                "set": chosen,
                "sets": sets,
                "left_out": trend.left_out,
                "results": [point.as_dict() for point in trend.points],
                "changes": changes and ChangesShape.show(changes),
            }
        )
