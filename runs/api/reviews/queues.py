"""Review queues: making one of any trials of a run, and taking what waits in it."""

from typing import Any

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, page, require
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, finding
from runs.api.launches.runs import find_run
from runs.api.reviews.reviews import KINDS, AspectSerializer, ReviewRequestDetailSerializer, detail
from runs.grading.graders.own_rubrics import read_rubric, rubric_of
from runs.grading.graders.reviews import Kind, Unreadable
from runs.models import ReviewQueue
from runs.results.queues import REVIEWED, Choice, QueueRefused, Wanted, close_queue, make_queue, progress_of
from runs.views.reviews.reviews import take_next


class ProgressSerializer(serializers.Serializer[Any]):
    """How far a queue is; `people` has what each gave, has left of what was dealt, and skipped."""

    settled = serializers.IntegerField()
    trials = serializers.IntegerField()
    people = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))


class QueueSerializer(serializers.ModelSerializer[ReviewQueue]):
    """Trials of a run that people review by a rubric of its own."""

    created_by = serializers.CharField(source="created_by.username", allow_null=True, default=None)

    class Meta:
        model = ReviewQueue
        fields = ["id", "run", "name", "needed", "chosen", "created_by", "created_at"]


class QueueDetailSerializer(QueueSerializer):
    """With its rubric, and how far it is."""

    aspects = AspectSerializer(many=True)
    progress = ProgressSerializer()

    class Meta(QueueSerializer.Meta):
        fields = [*QueueSerializer.Meta.fields, "aspects", "progress"]


class NewAspect(Body):
    """An aspect of a rubric. What passes decides what people say of the trial; leave it out where it says nothing."""

    name = serializers.CharField()
    kind = serializers.ChoiceField(KINDS, default=Kind.YES_NO.value)
    text = serializers.CharField(allow_blank=True, default="")
    least = serializers.IntegerField(default=None, allow_null=True)
    best = serializers.IntegerField(default=None, allow_null=True)
    labels = serializers.ListField(child=serializers.CharField(), default=list)
    passes_from = serializers.IntegerField(default=None, allow_null=True)
    passing = serializers.ListField(child=serializers.CharField(), default=list)


class NewChoice(Body):
    """Which trials: all for which every filter holds; of these a share in percent, or a sample, drawn by a seed."""

    status = serializers.ChoiceField([status.value for status in REVIEWED], default="", allow_blank=True)
    agent = serializers.IntegerField(default=None, allow_null=True, help_text="The id of an agent of the run.")
    case = serializers.CharField(default="", allow_blank=True, help_text="Words of the key of case or challenge.")
    group = serializers.CharField(default="", allow_blank=True, help_text="The digest of a group of failures.")
    grader = serializers.CharField(default="", allow_blank=True, help_text="The key of a grader that failed it.")
    share = serializers.IntegerField(default=None, allow_null=True, min_value=1, max_value=100)
    sample = serializers.IntegerField(default=None, allow_null=True, min_value=1)
    seed = serializers.IntegerField(default=1, min_value=0, max_value=2**31 - 1)


class NewQueue(Body):
    """A queue. `people` are shares by user name; without any, everybody who may review takes the next free trial."""

    name = serializers.CharField()
    aspects = NewAspect(many=True)
    needed = serializers.IntegerField(default=1, min_value=1)
    trials = NewChoice(default=dict)
    people = serializers.DictField(child=serializers.IntegerField(min_value=1), default=dict)


def find_queue(request: Request, pk: int, needed: Permission = Permission.READ) -> ReviewQueue:
    """Raises Http404 for strangers, PermissionDenied for members without the permission."""
    rows = ReviewQueue.objects.visible_to(request.user).select_related("run__team", "created_by")
    queue: ReviewQueue = get_object_or_404(rows, pk=pk)
    require(request, queue.run.team, needed)
    return queue


def shown(queue: ReviewQueue) -> dict[str, Any]:
    return {
        **QueueSerializer(queue).data,
        "aspects": AspectSerializer(rubric_of(queue.rubric).aspects, many=True).data,
        "progress": progress_of(queue).as_dict(),
    }


def wanted_by(given: dict[str, Any]) -> Wanted:
    """Raises Unreadable, and QueueRefused where a person is not known."""
    names = given["people"]
    known = dict(User.objects.filter(username__in=names).values_list("username", "pk"))
    if unknown := sorted(set(names) - set(known)):
        raise QueueRefused(f"There is no user {unknown[0]!r} who may review.")
    people = {known[name]: share for name, share in names.items()}
    choice = Choice(**given["trials"])
    return Wanted(given["name"], read_rubric(given["aspects"]), choice, given["needed"], people)


class RunQueues(Endpoint):
    @extend_schema(operation_id="review_queues_list", parameters=PAGING, responses=page_of(QueueSerializer))
    def get(self, request: Request, pk: int) -> Response:
        """The review queues of a run."""
        rows = find_run(request, pk).review_queues.select_related("created_by")
        return page(request, rows, lambda row: dict(QueueSerializer(row).data), "id")

    @extend_schema(operation_id="review_queues_create", request=NewQueue, responses={201: QueueDetailSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Ask people to review trials of a run. 422 for a rubric or a choice that nobody could review."""
        run = find_run(request, pk)
        require(request, run.team, Permission.REVIEW)
        given = read_body(NewQueue, request)
        try:
            queue = make_queue(run, author_of(request), wanted_by(given))
        except Unreadable as wrong:
            raise Refused([finding("invalid_rubric", str(wrong))], 422) from wrong
        except QueueRefused as wrong:
            raise Refused([finding("invalid_queue", wrong.message)], 422) from wrong
        return Response(shown(queue), status=201)


class QueueDetail(Endpoint):
    @extend_schema(operation_id="review_queues_show", responses=QueueDetailSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A queue with its rubric, and how far it is."""
        return Response(shown(find_queue(request, pk)))


class QueueNext(Endpoint):
    @extend_schema(
        operation_id="review_queues_next", request=None, responses={200: ReviewRequestDetailSerializer, 204: None}
    )
    def post(self, request: Request, pk: int) -> Response:
        """The next trial that waits for you, with a place kept for a while. 204 where none does."""
        queue = find_queue(request, pk, Permission.REVIEW)
        found = take_next(author_of(request), queue)
        return detail(request, found.pk) if found else Response(status=204)


class QueueClose(Endpoint):
    @extend_schema(operation_id="review_queues_close", request=None, responses=QueueDetailSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Ask for no more reviews; those that were given stay."""
        queue = find_queue(request, pk, Permission.REVIEW)
        close_queue(queue)
        return Response(shown(queue))
