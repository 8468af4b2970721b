"""Cases between files, over the API."""

from typing import Any

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.jobs import JobShape, accepted
from packs.api.nodes import edited, show_applied
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.headers import etag
from packs.api.shared.lookup import author_of, etag_of, find_pack
from packs.api.shared.refusals import edit_refused
from packs.api.shared.shapes import AppliedShape
from packs.editing import EditRefused
from packs.editing.arranging import arrange, arrangements, ways
from packs.jobs import is_large, start_arranging
from packs.models import Job, Pack


class ArrangeBody(Body):
    """`input_set` is the id of the input set, `how` one of the ways that a GET lists."""

    input_set = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    how = serializers.CharField(max_length=40)


class ArrangementShape(serializers.Serializer[Any]):
    input_set = serializers.IntegerField()
    key = serializers.CharField()
    cases = serializers.IntegerField()
    how = serializers.CharField()
    advice = serializers.ListField(child=serializers.CharField())


class ArrangementsShape(serializers.Serializer[Any]):
    ways = serializers.DictField(child=serializers.CharField())
    input_sets = ArrangementShape(many=True)


class PackArrangement(Endpoint):
    @extend_schema(operation_id="packs_arrangement", responses=ArrangementsShape)
    def get(self, request: Request, pk: int) -> Response:
        """How the cases of each input set are kept in files, and which ways there are."""
        row = find_pack(request, pk)
        found = [
            {
                "input_set": each.input_set,
                "key": each.key,
                "cases": each.count,
                "how": each.how,
                "advice": list(each.advice),
            }
            for each in arrangements(row)
        ]
        return Response({"ways": ways(row), "input_sets": found})

    @extend_schema(
        operation_id="packs_arrange",
        parameters=[etag(200)],
        request=ArrangeBody,
        responses={200: AppliedShape, 202: JobShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Keep the cases of one input set another way; one edit, which undo takes back.

        In a large draft a job does it (202).
        """
        row = find_pack(request, pk, Permission.EDIT)
        wanted = read_body(ArrangeBody, request)
        if is_large(row):
            return accepted(_later(row, author_of(request), wanted["input_set"], wanted["how"]))
        applied = edited(lambda: arrange(row, wanted["input_set"], wanted["how"], author_of(request)))
        return Response(show_applied(applied), headers={"ETag": etag_of(applied.revision)})


def _later(row: Pack, user: User, input_set: int, how: str) -> Job:
    """The job that moves the cases of a large draft. Raises Refused for what makes no sense."""
    try:
        return start_arranging(row, user, input_set, how)
    except EditRefused as refused:
        raise edit_refused(refused) from refused
