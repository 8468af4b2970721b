"""A re-score compared with another judging of the same answers, for pipelines."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.api.shared.answers import Shape
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import number_in
from runs.api.results.comparison import CHOOSING, SAYS, ComparisonPageShape, comparison_page
from runs.api.results.rescores import find_rescore
from runs.results.judgings import judgings_of, rivals_of


class JudgingAgreementShape(Shape):
    """How many of the trials that both judged have the same verdict; `kappa` is Cohen's."""

    trials = serializers.IntegerField(source="items")
    same = serializers.FloatField(source="raw", help_text="From 0 to 1.")
    kappa = serializers.FloatField(allow_null=True)


class JudgeMovedShape(Shape):
    """One judge in both judgings: `fewer` and `more` count cases whose first trial it passes no longer, or now.

    `p_value` is McNemar's; `score_delta` is the mean over trials, with errors clustered by case.
    """

    judge = serializers.CharField()
    n = serializers.IntegerField(source="pairs.n")
    fewer = serializers.IntegerField(source="pairs.regressed")
    more = serializers.IntegerField(source="pairs.fixed")
    says = serializers.ChoiceField(SAYS, source="pairs.says")
    p_value = serializers.FloatField(source="pairs.p_value")
    score_delta = serializers.FloatField(allow_null=True, source="scores.mean.mean")
    score_ci95 = serializers.ListField(child=serializers.FloatField(), allow_null=True, source="scores.mean.interval")
    score_p_value = serializers.FloatField(allow_null=True, source="scores.p_value")


class BiasShape(Shape):
    """A bias of one judge over the cases of all agents: the mean effect with its 95% interval and the paired t test."""

    judge = serializers.CharField()
    cases = serializers.IntegerField(source="effect.mean.clusters")
    effect = serializers.FloatField(source="effect.mean.mean")
    ci95 = serializers.ListField(child=serializers.FloatField(), allow_null=True, source="effect.mean.interval")
    p_value = serializers.FloatField(source="effect.p_value")


class OwnBiasShape(BiasShape):
    """What a judge gives answers of its own `model`; `is_shared` where all others are of the other judge's model."""

    model = serializers.CharField()
    is_shared = serializers.BooleanField()


class JudgingPageShape(ComparisonPageShape):
    """A page of cases that two judgings of the same answers judged. Cost and tokens are those of judges.

    `order_effects` say what an answer gains in a ranking by standing first, `self_preferences` what judges give answers
    of their own model.
    """

    agreement = JudgingAgreementShape(allow_null=True)
    judges = JudgeMovedShape(many=True)
    order_effects = BiasShape(many=True)
    self_preferences = OwnBiasShape(many=True)


class RescoreComparison(Endpoint):
    @extend_schema(
        operation_id="rescores_compare",
        parameters=[
            OpenApiParameter("with", int, description="Another re-score of the run; what was said before without it."),
            OpenApiParameter("run_agent", int, description="The agent; the first of the run by default."),
            *CHOOSING,
        ],
        responses=JudgingPageShape,
    )
    def get(self, request: Request, pk: int) -> Response:
        """Compare a re-score with another judging of the same answers."""
        row = find_rescore(request, pk)
        agents = row.run.agents.order_by("position")
        wanted, other = number_in(request, "run_agent"), number_in(request, "with")
        agent = agents[0] if wanted is None else get_object_or_404(agents, pk=wanted)
        judgings = judgings_of(row, agent, None if other is None else get_object_or_404(rivals_of(row), pk=other))
        said = {
            "agreement": judgings.agreement and JudgingAgreementShape.show(judgings.agreement),
            "judges": [JudgeMovedShape.show(each) for each in judgings.judges],
            "order_effects": [BiasShape.show(each) for each in judgings.biases.orders],
            "self_preferences": [OwnBiasShape.show(each) for each in judgings.biases.own],
        }
        return Response({**comparison_page(request, judgings.comparison), **said})
