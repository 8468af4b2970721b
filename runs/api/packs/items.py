"""What the cases of a pack are worth."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.api.shared.endpoint import Endpoint
from runs.api.packs.trends import SET, chosen_runs
from runs.results.items import KINDS, Worth, item_dict, worth_of


class ItemShape(serializers.Serializer[Any]):
    """A case over all agents. `difficulty` is the mean of their pass rates: 1 is the easiest.

    `discrimination` is the item-rest correlation, `interval` its 95% interval, `p_value` its two-sided chance.
    """

    case = serializers.IntegerField(allow_null=True, help_text="The newest published row of the case.")
    case_key = serializers.CharField()
    challenge = serializers.CharField()
    input_set = serializers.CharField()
    agents = serializers.IntegerField()
    trials = serializers.IntegerField()
    difficulty = serializers.FloatField()
    discrimination = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    p_value = serializers.FloatField(allow_null=True)
    flaky_agents = serializers.IntegerField()
    finding = serializers.ChoiceField([*KINDS, ""])


class GapShape(serializers.Serializer[Any]):
    case_key = serializers.CharField()
    difference = serializers.FloatField(help_text="How much more often the first agent passes, from -1 to 1.")


class DuelShape(serializers.Serializer[Any]):
    """The best two agents; `gaps` are the cases at which they differ, the largest difference first."""

    agents = serializers.ListField(child=serializers.CharField())
    cases = serializers.IntegerField()
    difference = serializers.FloatField()
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    gaps = GapShape(many=True)


class SmallSetShape(serializers.Serializer[Any]):
    """A small set. `kept` is the share of pairs of agents ranked as by all cases, `error` the largest difference of a
    pass rate; `checked_*` are the same on trials that the set was not chosen by."""

    case_keys = serializers.ListField(child=serializers.CharField())
    kept = serializers.FloatField()
    error = serializers.FloatField()
    checked_kept = serializers.FloatField(allow_null=True)
    checked_error = serializers.FloatField(allow_null=True)


class WorthShape(serializers.Serializer[Any]):
    """What the cases of a set are worth; `edited` counts trials of cases that were changed since."""

    set = serializers.CharField()
    sets = serializers.ListField(child=serializers.CharField())
    runs = serializers.IntegerField()
    left_out = serializers.IntegerField()
    edited = serializers.IntegerField()
    agents = serializers.ListField(child=serializers.CharField())
    cells = serializers.IntegerField()
    flaky_cells = serializers.IntegerField()
    is_saturated = serializers.BooleanField()
    cases = ItemShape(many=True)
    best = DuelShape(allow_null=True)
    smallest_set = SmallSetShape(allow_null=True)


class PackItems(Endpoint):
    @extend_schema(operation_id="packs_cases_worth", parameters=[SET], responses=WorthShape)
    def get(self, request: Request, pk: int) -> Response:
        """What each case is worth, over all runs that may be compared.

        A case is the same in several runs while its stored document is; an agent while its configuration is.
        """
        chosen, sets, runs = chosen_runs(request, pk)
        worth = worth_of(runs)
        analysis = worth.analysis
        return Response(
            {
                "set": chosen,
                "sets": sets,
                "runs": worth.runs,
                "left_out": worth.left_out,
                "edited": worth.edited,
                "agents": list(analysis.matrix.agents),
                "cells": analysis.cells,
                "flaky_cells": analysis.flaky_cells,
                "is_saturated": analysis.is_saturated,
                "cases": [item_dict(worth, item) for item in analysis.items],
                "best": _best(worth),
                "smallest_set": _small(worth),
            }
        )


def _best(worth: Worth) -> dict[str, Any] | None:
    best, matrix = worth.best, worth.analysis.matrix
    if best is None:
        return None
    return {
        "agents": [matrix.agents[best.first], matrix.agents[best.second]],
        "cases": best.count,
        "difference": best.difference,
        "interval": list(best.interval) if best.interval else None,
        "gaps": [{"case_key": matrix.cases[at], "difference": gap} for at, gap in best.gaps],
    }


def _small(worth: Worth) -> dict[str, Any] | None:
    small = worth.small
    if small is None:
        return None
    error, kept = small.checked or (None, None)
    return {
        "case_keys": [worth.analysis.matrix.cases[at] for at in small.places],
        "kept": small.kept,
        "error": small.error,
        "checked_kept": kept,
        "checked_error": error,
    }
