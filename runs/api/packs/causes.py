"""The failures of a pack's runs by their causes."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.api.shared.answers import Shape
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import find_pack
from runs.api.packs.trends import SET, chosen_runs
from runs.results.causes import ERROR, GRADER, REASON, STEP, TOOL, WAYS, causes_of

BY = OpenApiParameter(
    "by",
    enum=list(WAYS),
    description="What is grouped by: the reason (default), the first error of a tool, or the first step that differs "
    "from a trial that passed the same case.",
)


class CauseShape(Shape):
    """Failures of one cause. `source` is the grader that found them, fault and stop reason of an error, the tool that
    failed, or the step that differs."""

    digest = serializers.CharField(help_text="Stays the same while the text does.")
    kind = serializers.ChoiceField([GRADER, ERROR, TOOL, STEP])
    source = serializers.CharField()  # type: ignore[assignment]
    text = serializers.CharField(help_text="What was said, with marks for what differs; empty for the rest.")
    name = serializers.CharField(help_text="The name that somebody gave it.")
    said = serializers.CharField(help_text="What was said of the newest.")
    trials = serializers.IntegerField()
    runs = serializers.IntegerField()
    agents = serializers.IntegerField()
    cases = serializers.IntegerField()


class CausesShape(serializers.Serializer[Any]):
    """`failures` counts those that were grouped, `left_out` older ones beyond, `apart` those without such a cause."""

    set = serializers.CharField()
    failures = serializers.IntegerField()
    left_out = serializers.IntegerField()
    apart = serializers.IntegerField()
    groups = CauseShape(many=True)


class PackFailures(Endpoint):
    @extend_schema(operation_id="packs_failures", parameters=[SET, BY], responses=CausesShape)
    def get(self, request: Request, pk: int) -> Response:
        """The failures of the runs of a pack, grouped by their causes.

        By the grader that found them, or the error, and by texts that say the same; or as `by` says.
        """
        chosen, _, runs = chosen_runs(request, pk)
        by = request.query_params.get("by", "")
        causes = causes_of(find_pack(request, pk), runs, by if by in WAYS else REASON)
        counts = {"failures": causes.total, "left_out": causes.left_out, "apart": causes.apart}
        return Response({"set": chosen, **counts, "groups": [CauseShape.show(group) for group in causes.groups]})
