"""Runs compared case by case: the rows of the page, for pipelines."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from packs.api.shared.answers import Shape
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import choice_in, number_in
from packs.api.shared.pages import PAGING
from runs.api.launches.requests import refused
from runs.api.launches.runs import runs_of
from runs.api.results.shapes import VERDICTS, CaseSharesShape
from runs.results.comparing import Column, Comparison, Refused, comparison_of, read_ids
from runs.statistics.comparing.choosing import DEFAULT_ORDER, ORDERS, chosen, counts_of, holding, ordered
from runs.statistics.comparing.rows import Change, ComparedCase
from runs.statistics.comparing.totals import Total

CHANGES = [change.value for change in Change]
SAYS = ["nothing", "equal", "too_few", "unclear", "better", "worse"]
SORTS = [*ORDERS, *(f"-{name}" for name in ORDERS)]


class PairsShape(Shape):
    """A column against the base, by the cases that both decided: McNemar's exact test, Newcombe's interval.

    `p_corrected` is the p-value in view of the other columns (Holm), by which `says` decides.
    """

    n = serializers.IntegerField()
    regressed = serializers.IntegerField()
    fixed = serializers.IntegerField()
    delta = serializers.FloatField(allow_null=True)
    ci95 = serializers.ListField(child=serializers.FloatField(), allow_null=True, source="interval")
    p_value = serializers.FloatField()
    p_corrected = serializers.FloatField(source="chance")
    says = serializers.ChoiceField(SAYS)


class ScorePairsShape(Shape):
    """The mean difference of the scores of cases that both sides scored: a paired t test, or
    a sign test where all differ by the same."""

    n = serializers.IntegerField(source="mean.count")
    delta = serializers.FloatField(source="mean.mean")
    ci95 = serializers.ListField(child=serializers.FloatField(), allow_null=True, source="mean.interval")
    p_value = serializers.FloatField()
    p_corrected = serializers.FloatField(source="chance")


class NeededShape(Shape):
    """What would show the difference of all trials, if it is as large as it looks, four times out of five.

    Null where nothing would, where there is none, and where what is there suffices.
    """

    difference = serializers.FloatField(help_text="Of the mean share of passed trials of a case.")
    trials = serializers.IntegerField(allow_null=True, help_text="Trials of each of the present cases.")
    cases = serializers.IntegerField(allow_null=True, help_text="Cases, each tried as often as now.")


class ComparedColumnShape(CaseSharesShape):
    """One agent of one run; `name` is what `base` takes. Cost in US dollars, seconds a trial."""

    name = serializers.CharField()
    run = serializers.IntegerField()
    run_agent = serializers.IntegerField()
    agent = serializers.CharField()
    is_base = serializers.BooleanField()
    states = serializers.DictField(child=serializers.IntegerField())
    flaky = serializers.IntegerField()
    score = serializers.FloatField(allow_null=True)
    cost_usd = serializers.FloatField(allow_null=True)
    cost_unknown = serializers.IntegerField()
    total_tokens = serializers.FloatField(allow_null=True)
    tokens_unknown = serializers.IntegerField()
    seconds = serializers.FloatField(allow_null=True)
    against_base = PairsShape(allow_null=True)
    score_against_base = ScorePairsShape(allow_null=True)
    needed = NeededShape(allow_null=True)


class ComparedCellShape(Shape):
    """A case in a column; `trial` is the one that decided."""

    verdict = serializers.ChoiceField(VERDICTS)
    state = serializers.CharField()
    is_flaky = serializers.BooleanField()
    score = serializers.FloatField(allow_null=True)
    cost_usd = serializers.FloatField(allow_null=True)
    total_tokens = serializers.FloatField(allow_null=True, source="tokens")
    seconds = serializers.FloatField(allow_null=True)
    trial = serializers.IntegerField(source="deciding.id")
    trials = serializers.ListField(child=serializers.IntegerField())


class ComparedRowShape(Shape):
    """One case; `cells` and `changes` stand in the order of the columns, null where there is nothing."""

    case_key = serializers.CharField(source="key")
    input_set = serializers.CharField(help_text="Only where the key alone does not name the case.")
    challenge_key = serializers.CharField(source="challenge")
    state = serializers.ChoiceField(CHANGES)
    is_edited = serializers.BooleanField()
    delta = serializers.FloatField(allow_null=True)
    changes = serializers.ListField(child=serializers.CharField(allow_null=True))
    cells = serializers.ListField(child=ComparedCellShape(allow_null=True))


class DifferenceShape(serializers.Serializer[Any]):
    name = serializers.CharField()
    values = serializers.ListField(child=serializers.CharField())


class ComparisonPageShape(serializers.Serializer[Any]):
    """A page of compared cases, with what is true of all of them."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    columns = ComparedColumnShape(many=True)
    hidden_columns = serializers.IntegerField()
    differences = DifferenceShape(many=True)
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Cases by each kind of change.")
    results = ComparedRowShape(many=True)


def show_column(column: Column, total: Total, is_base: bool) -> dict[str, Any]:
    return {
        "name": column.name,
        "run": column.run.pk,
        "run_agent": column.agent.pk,
        "agent": column.agent.name,
        "is_base": is_base,
        "states": dict(total.states),
        "flaky": total.flaky,
        **total.shares.as_dict(),
        **total.cases.as_dict("case_"),
        "score": total.score,
        "cost_usd": total.cost.known,
        "cost_unknown": total.cost.unknown,
        "total_tokens": total.tokens.known,
        "tokens_unknown": total.tokens.unknown,
        "seconds": total.seconds,
        "against_base": total.pairs and PairsShape.show(total.pairs),
        "score_against_base": total.scores and ScorePairsShape.show(total.scores),
        "needed": total.needed and NeededShape.show(total.needed),
    }


def wanted_comparison(request: Request) -> Comparison:
    """The runs that a request names. Raises Http404 where one is out of sight, and 400 for what names none."""
    try:
        ids = read_ids(request.query_params.getlist("ids"))
    except Refused as error:
        raise refused(error.code, str(error), "ids") from error
    if not ids:
        raise refused("invalid_ids", "Name the runs to compare.", "ids", "Such as ids=12,15.")
    found = runs_of(request).defer("scorecard", "metadata").in_bulk(ids)
    if len(found) < len(ids):
        raise Http404
    return comparison_of([found[pk] for pk in ids], request.query_params.get("base", ""))


def links(request: Request, start: int, limit: int, total: int) -> dict[str, str | None]:
    """Addresses of the pages before and after; a cursor counts the rows before its page."""

    def at(place: int) -> str:
        query = request.query_params.copy()
        query["cursor"] = str(place)
        return str(request.build_absolute_uri(f"{request.path}?{query.urlencode()}"))

    return {
        "next": at(start + limit) if start + limit < total else None,
        "previous": at(max(0, start - limit)) if start else None,
    }


def page_of_rows(request: Request, rows: Sequence[ComparedCase]) -> dict[str, Any]:
    pages: Any = api_settings.DEFAULT_PAGINATION_CLASS
    start = number_in(request, "cursor") or 0
    limit = pages().get_page_size(request)
    return {
        **links(request, start, limit, len(rows)),
        "results": [ComparedRowShape.show(row) for row in rows[start : start + limit]],
    }


CHOOSING = [
    OpenApiParameter("show", enum=CHANGES),
    OpenApiParameter("sort", enum=SORTS),
    OpenApiParameter("q", description="Words of the case or challenge."),
    *PAGING,
]


def comparison_page(request: Request, comparison: Comparison) -> dict[str, Any]:
    """The columns of a comparison, and the page of its rows that a request asks for."""
    kind, order = choice_in(request, "show", CHANGES), choice_in(request, "sort", SORTS) or DEFAULT_ORDER
    found = holding(comparison.rows, request.query_params.get("q", ""))
    columns = zip(comparison.columns, comparison.totals, strict=True)
    return {
        **page_of_rows(request, ordered(chosen(found, kind), order)),
        "columns": [show_column(column, total, at == comparison.base) for at, (column, total) in enumerate(columns)],
        "hidden_columns": comparison.hidden,
        "differences": [{"name": each.name, "values": each.values} for each in comparison.differences],
        "counts": counts_of(found),
    }


class RunComparison(Endpoint):
    @extend_schema(
        operation_id="runs_compare",
        parameters=[
            OpenApiParameter("ids", required=True, description="Numbers of up to 6 runs, with commas."),
            OpenApiParameter("base", description="The column to compare with: a `name`, or a run."),
            *CHOOSING,
        ],
        responses=ComparisonPageShape,
    )
    def get(self, request: Request) -> Response:
        """Compare runs case by case.

        The answer also says whether the difference of the cases that passed may be chance.
        """
        return Response(comparison_page(request, wanted_comparison(request)))
