"""Answers tried on a case of a draft: what its graders say of them."""

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
from packs.models import Case
from runs.jobs.trials.tryouts import Given, TryoutRefused, try_answer
from runs.models import Tryout


class TryoutSerializer(serializers.ModelSerializer[Tryout]):
    """A tried answer. `status` is queued, running, completed or failed; `case` the id of the case in its draft."""

    case = serializers.IntegerField(source="node")
    files = serializers.JSONField(allow_null=True)
    judges = serializers.JSONField()
    scorecard = serializers.JSONField()

    class Meta:
        model = Tryout
        fields = [
            "id",
            "pack",
            "case",
            "case_key",
            "revision",
            "status",
            "verdict",
            "score",
            "fault",
            "error",
            "output",
            "files",
            "judges",
            "scorecard",
            "created_at",
            "finished_at",
        ]


class TryoutRequest(Body):
    """An answer; `files` (path to text) stand in the workspace; `judges` are the keys of judges to be asked."""

    output = serializers.CharField(required=False, allow_blank=True, default="", trim_whitespace=False)
    files = serializers.DictField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False), required=False, default=dict
    )
    judges = serializers.ListField(child=serializers.CharField(), required=False, default=list)


def find_case(request: Request, pk: int, needed: Permission) -> Case:
    """Raises Http404 for strangers, PermissionDenied for members without the permission."""
    rows = Case.objects.visible_to(request.user).select_related("pack__team", "input_set")
    case: Case = get_object_or_404(rows, pk=pk)
    require(request, case.pack.team, needed)
    return case


class CaseTryouts(Endpoint):
    @extend_schema(operation_id="tryouts_list", parameters=PAGING, responses=page_of(TryoutSerializer))
    def get(self, request: Request, pk: int) -> Response:
        """The latest answers that were tried on a case of a draft."""
        case = find_case(request, pk, Permission.READ)
        rows = Tryout.objects.filter(pack=case.pack, node=case.pk)
        return page(request, rows, lambda row: dict(TryoutSerializer(row).data), "-id")

    @extend_schema(
        operation_id="tryouts_create",
        request=TryoutRequest,
        responses={201: TryoutSerializer, 202: TryoutSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Try an answer on a case.

        201 with the verdict, or 202 where a worker has to run programs or to ask judges first.
        """
        case = find_case(request, pk, Permission.RUN)
        wanted = read_body(TryoutRequest, request)
        given = Given(**wanted)
        try:
            row = try_answer(author_of(request), case, given)
        except TryoutRefused as error:
            status = 429 if error.code == "too_many" else 422
            raise Refused([finding(error.code, error.message)], status) from error
        return Response(TryoutSerializer(row).data, status=202 if row.is_open else 201)


class TryoutDetail(Endpoint):
    @extend_schema(operation_id="tryouts_show", responses=TryoutSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A tried answer, with its scorecard once it is judged."""
        row: Tryout = get_object_or_404(Tryout.objects.visible_to(request.user), pk=pk)
        return Response(TryoutSerializer(row).data)
