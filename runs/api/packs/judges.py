"""The judges of a pack against people."""

from typing import Any, get_args

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.answers import Shape
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import find_pack
from packs.models import Pack
from runs.models import JudgeStandard
from runs.results.calibrating import calibrations_of, least_kappa
from runs.statistics.calibration import Standing


class RateShape(Shape):
    """A share of `of` trials, with its 95% Wilson interval; null where there are none."""

    of = serializers.IntegerField(source="judged")
    share = serializers.FloatField(allow_null=True, source="pass_rate")
    ci95 = serializers.ListField(child=serializers.FloatField(), allow_null=True, source="interval")


class JudgedTrialShape(Shape):
    """A trial of which judge and people say different things; scores are from 0 to 1."""

    trial = serializers.IntegerField(source="trial.pk")
    run = serializers.IntegerField(source="trial.run_id")
    case_key = serializers.CharField(source="trial.case_key")
    agent = serializers.CharField(source="trial.run_agent.name")
    people_pass = serializers.BooleanField(source="gold.passes")
    people_score = serializers.FloatField(allow_null=True, source="gold.score")
    judge_passes = serializers.BooleanField(source="judgement.passes")
    judge_score = serializers.FloatField(allow_null=True, source="judgement.score")
    models = serializers.ListField(child=serializers.CharField(), source="judgement.models")


class JudgeRunShape(Shape):
    """A judge in one run, the oldest first."""

    run = serializers.IntegerField(source="run.pk")
    ended_at = serializers.DateTimeField()
    models = serializers.ListField(child=serializers.CharField())
    agreement = RateShape(source="confusion.agreed")
    kappa = serializers.FloatField(allow_null=True, source="confusion.kappa")


class CalibrationShape(Shape):
    """One judge against people. `kappa` is Cohen's, `alpha` Krippendorff's of verdicts, `score_alpha` that of scores.

    `true_positives` is what the judge passes of what people pass, `true_negatives` what it fails of what they fail,
    `base_rate` what people pass of all. A `doubtful` judge is below the standard of its pack.
    """

    judge = serializers.CharField()
    models = serializers.ListField(child=serializers.CharField())
    standing = serializers.ChoiceField(get_args(Standing))
    trials = serializers.IntegerField(source="confusion.n")
    both_pass = serializers.IntegerField(source="confusion.both_pass")
    judge_only = serializers.IntegerField(source="confusion.judge_only")
    people_only = serializers.IntegerField(source="confusion.people_only")
    both_fail = serializers.IntegerField(source="confusion.both_fail")
    agreement = RateShape(source="confusion.agreed")
    true_positives = RateShape(source="confusion.true_positives")
    true_negatives = RateShape(source="confusion.true_negatives")
    base_rate = RateShape(source="confusion.base_rate")
    kappa = serializers.FloatField(allow_null=True, source="confusion.kappa")
    kappa_ci95 = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, source="confusion.kappa_interval"
    )
    alpha = serializers.FloatField(allow_null=True)
    score_alpha = serializers.FloatField(allow_null=True)
    differences = JudgedTrialShape(many=True, source="parted")
    runs = JudgeRunShape(many=True, source="by_run")


class JudgesShape(serializers.Serializer[Any]):
    least_kappa = serializers.FloatField()
    judges = CalibrationShape(many=True)


class StandardRequest(Body):
    """The least kappa with people, below which the scores of a judge carry a mark."""

    least_kappa = serializers.FloatField(min_value=0, max_value=1)


class PackJudges(Endpoint):
    @extend_schema(operation_id="packs_judges", responses=JudgesShape)
    def get(self, request: Request, pk: int) -> Response:
        """How far each judge agrees with the people who reviewed the same trials."""
        return Response(_judges(find_pack(request, pk)))

    @extend_schema(operation_id="packs_judges_standard", request=StandardRequest, responses=JudgesShape)
    def put(self, request: Request, pk: int) -> Response:
        """Set the kappa that judges of the pack should reach."""
        pack = find_pack(request, pk, Permission.CURATE)
        given = read_body(StandardRequest, request)
        JudgeStandard.objects.update_or_create(pack=pack, defaults=given)
        return Response(_judges(pack))


def _judges(pack: Pack) -> dict[str, Any]:
    shown = [CalibrationShape.show(each) for each in calibrations_of(pack)]
    return {"least_kappa": least_kappa(pack), "judges": shown}
