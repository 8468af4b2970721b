"""Reviews by people: what waits for them, and giving one."""

from collections.abc import Callable
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, page, require
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, finding
from runs.grading.graders.reviews import Kind
from runs.jobs.scores.adjudicating import adjudicate
from runs.jobs.scores.claiming import MAX_REASON, skip
from runs.jobs.scores.reviewing import MAX_COMMENT, ReviewRefused, asked_of, review
from runs.models import Adjudication, Review, ReviewRequest
from runs.views.reviews.reviews import narrowed, open_for, request_rows, seen_reviews

STATES = ["waiting", "settled", "withdrawn"]
KINDS = [kind.value for kind in Kind]


class ReviewRequestSerializer(serializers.ModelSerializer[ReviewRequest]):
    """A trial that people are asked for, by a grader or in a queue."""

    run = serializers.IntegerField(source="trial.run_id")
    case_key = serializers.CharField(source="trial.case_key")
    agent = serializers.CharField(source="trial.run_agent.name")
    state = serializers.ChoiceField(STATES)
    given = serializers.IntegerField()
    is_mine = serializers.BooleanField(help_text="Whether one of the reviews is yours.")

    class Meta:
        model = ReviewRequest
        fields = [
            *("id", "run", "queue", "trial", "case_key", "agent", "grader_key", "needed", "given", "is_mine", "state"),
            *("asked_at", "settled_at", "withdrawn_at"),
        ]


class ReviewSerializer(serializers.ModelSerializer[Review]):
    """What one person said."""

    reviewer = serializers.CharField(source="reviewer.username", allow_null=True, default=None)
    scores = serializers.DictField(child=serializers.JSONField())
    score = serializers.SerializerMethodField(help_text="The mean of the scores for a grader; null in a queue.")

    class Meta:
        model = Review
        fields = ["reviewer", "scores", "score", "comment", "created_at", "updated_at"]

    def get_score(self, row: Review) -> float | None:
        return None if row.request.queue_id else row.score


class AdjudicationSerializer(serializers.ModelSerializer[Adjudication]):
    """What one person decided of a trial that people had reviewed."""

    adjudicator = serializers.CharField(source="adjudicator.username", allow_null=True, default=None)
    scores = serializers.DictField(child=serializers.JSONField())

    class Meta:
        model = Adjudication
        fields = ["adjudicator", "scores", "comment", "decided_at"]


class AspectSerializer(serializers.Serializer[Any]):
    """One thing that is scored."""

    key = serializers.CharField()
    name = serializers.CharField()
    text = serializers.CharField()
    kind = serializers.ChoiceField(KINDS)
    least = serializers.IntegerField(help_text="Of a scale.")
    best = serializers.IntegerField(help_text="Of a scale.")
    labels = serializers.ListField(child=serializers.CharField())
    passes_from = serializers.IntegerField(allow_null=True, help_text="The least number of a scale that passes.")
    passing = serializers.ListField(child=serializers.CharField(), help_text="The labels that pass, or yes or no.")


class ReviewRequestDetailSerializer(ReviewRequestSerializer):
    """With what is to be scored, your review, and those of others as far as you may see them."""

    aspects = AspectSerializer(many=True)
    review = ReviewSerializer(allow_null=True)
    others = ReviewSerializer(many=True)
    adjudication = AdjudicationSerializer(allow_null=True)

    class Meta(ReviewRequestSerializer.Meta):
        fields = [*ReviewRequestSerializer.Meta.fields, "aspects", "review", "others", "adjudication"]


class Skipped(Body):
    """Why somebody leaves a trial to others."""

    reason = serializers.CharField(max_length=MAX_REASON)


class ReviewGiven(Body):
    """What is said of each aspect, by its key, and why.

    A whole number of a scale, true or false, a label, a text, or a list of passages of the answer.
    """

    scores = serializers.DictField(child=serializers.JSONField())
    comment = serializers.CharField(max_length=MAX_COMMENT, allow_blank=True, default="")


def find_request(request: Request, pk: int) -> Any:
    """Raises Http404 for users who may not see the run."""
    return get_object_or_404(request_rows(request.user), pk=pk)


def detail(request: Request, pk: int) -> Response:
    found = find_request(request, pk)
    own = found.reviews.filter(reviewer=request.user.pk).select_related("reviewer").first()
    decided = Adjudication.objects.filter(request=found).select_related("adjudicator").first()
    return Response(
        {
            **ReviewRequestSerializer(found).data,
            "aspects": AspectSerializer(asked_of(found).aspects, many=True).data,
            "review": ReviewSerializer(own).data if own else None,
            "others": ReviewSerializer(seen_reviews(found, request.user), many=True).data,
            "adjudication": AdjudicationSerializer(decided).data if decided else None,
        }
    )


class Reviews(Endpoint):
    @extend_schema(
        operation_id="reviews_list",
        parameters=[
            OpenApiParameter("run", int),
            OpenApiParameter("queue", int),
            OpenApiParameter("pack", str, description="team/slug"),
            OpenApiParameter("show", str, enum=["all"], description="Also what you have reviewed or may only read."),
            *PAGING,
        ],
        responses=page_of(ReviewRequestSerializer),
    )
    def get(self, request: Request) -> Response:
        """The trials that wait for your review."""
        rows = request_rows(request.user).waiting()
        if request.query_params.get("show") != "all":
            rows = rows.filter(pk__in=open_for(request.user).values("pk"))
        found = narrowed(rows, request.query_params)
        return page(request, found, lambda row: dict(ReviewRequestSerializer(row).data), "id")


def act_on(request: Request, pk: int, act: Callable[..., object], shape: type[Body], needed: Permission) -> Response:
    """Let somebody who may do it review, skip or adjudicate a trial with what the body says."""
    found = find_request(request, pk)
    require(request, found.trial.run.team, needed)
    given = read_body(shape, request)
    try:
        act(found, author_of(request), **given)
    except ReviewRefused as wrong:
        status = 422 if wrong.code in ("invalid_scores", "no_reason") else 409
        raise Refused([finding(wrong.code, wrong.message)], status) from wrong
    return detail(request, pk)


class ReviewDetail(Endpoint):
    @extend_schema(operation_id="reviews_show", responses=ReviewRequestDetailSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """What is asked. What others said is shown once you gave yours, or the trial was judged."""
        return detail(request, pk)


class ReviewGive(Endpoint):
    @extend_schema(operation_id="reviews_give", request=ReviewGiven, responses=ReviewRequestDetailSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Give your review, or change it. The last one needed has the trial judged again. 409 once it takes no more."""
        return act_on(request, pk, review, ReviewGiven, Permission.REVIEW)


class ReviewSkip(Endpoint):
    @extend_schema(operation_id="reviews_skip", request=Skipped, responses=ReviewRequestDetailSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Leave a trial to others. 409 once it takes no more reviews, or you have reviewed it."""
        return act_on(request, pk, skip, Skipped, Permission.REVIEW)


class ReviewAdjudicate(Endpoint):
    @extend_schema(operation_id="reviews_adjudicate", request=ReviewGiven, responses=ReviewRequestDetailSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Decide what counts of a trial of a queue that has all its reviews. 409 before."""
        return act_on(request, pk, adjudicate, ReviewGiven, Permission.CURATE)
