"""Packs, runs and agents over the API: what their deletion means, the bin, and the ways out of it."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission, reach_of
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, find_team, page, require
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, finding
from packs.models import Pack
from runs import bin as binned

KINDS = sorted(binned.KINDS)
KIND = OpenApiParameter("kind", OpenApiTypes.STR, OpenApiParameter.PATH, enum=KINDS)


class DependentShape(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    what = serializers.CharField()


class ObstacleShape(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()


class DeletionShape(serializers.Serializer[Any]):
    """What goes with a row or loses something by its deletion, and what stands in the way of that."""

    dependents = DependentShape(many=True)
    obstacles = ObstacleShape(many=True)


class BinnedShape(serializers.Serializer[Any]):
    """Something in the bin, and for how many more days it can be brought back."""

    kind = serializers.ChoiceField(KINDS)
    id = serializers.IntegerField()
    name = serializers.CharField()
    deleted_at = serializers.DateTimeField()
    deleted_by = serializers.CharField(allow_null=True)
    days_left = serializers.IntegerField()


def show(row: binned.Row) -> dict[str, Any]:
    return {
        "kind": binned.kind_of(row),
        "id": row.pk,
        "name": str(row),
        "deleted_at": row.deleted_at,
        "deleted_by": str(row.deleted_by) if row.deleted_by else None,
        "days_left": binned.days_left(row),
    }


def refused(error: binned.BinRefused) -> Refused:
    """409 with a finding for each thing that stands in the way."""
    return Refused([finding(obstacle.code, obstacle.message) for obstacle in error.obstacles], 409)


def put_into_bin(request: Request, row: binned.Row) -> None:
    """Raises Refused where something needs the row."""
    try:
        binned.delete(row, author_of(request))
    except binned.BinRefused as error:
        raise refused(error) from error


class Deletion(Endpoint):
    def find(self, request: Request, kind: str, pk: int) -> binned.Row:
        rows = binned.KINDS[kind].objects.visible_to(request.user).select_related("team")
        if binned.KINDS[kind] is Pack:
            rows = rows.filter(proposal=None)
        row: binned.Row = get_object_or_404(rows, pk=pk)
        require(request, row.team, binned.NEEDED[kind])
        return row

    @extend_schema(tags=["bin"], operation_id="deletion_show", parameters=[KIND], responses=DeletionShape)
    def get(self, request: Request, kind: str, pk: int) -> Response:
        """What would go with a pack, a run or an agent, and what stands in the way of deleting it."""
        row = self.find(request, kind, pk)
        needed = [{"code": one.code, "message": one.message} for one in binned.obstacles(row)]
        return Response(
            {"dependents": [{"count": n, "what": what} for n, what in binned.dependents(row)], "obstacles": needed}
        )

    @extend_schema(tags=["bin"], operation_id="deletion_do", parameters=[KIND], request=None, responses=BinnedShape)
    def post(self, request: Request, kind: str, pk: int) -> Response:
        """Put a pack, a run or an agent into the bin. 409 with all that stands in the way."""
        row = self.find(request, kind, pk)
        put_into_bin(request, row)
        return Response(show(binned.in_bin(row.team, kind).get(pk=pk)))


class Bin(Endpoint):
    @extend_schema(tags=["bin"], operation_id="bin_list", parameters=[KIND, *PAGING], responses=page_of(BinnedShape))
    def get(self, request: Request, team: str, kind: str) -> Response:
        """What of a kind lies in the bin of a team, the newest first. Runs of a deleted pack come back with it."""
        row = find_team(request, team)
        reach_of(request.user).demand_team()
        return page(request, binned.in_bin(row, kind), show, "-deleted_at", "-pk")


class BinAct(Endpoint):
    @extend_schema(tags=["bin"], operation_id="bin_{act}", parameters=[KIND], request=None, responses={204: None})
    def post(self, request: Request, team: str, kind: str, pk: int, act: str) -> Response:
        """{act} what lies in the bin, with what went there with it; `purge` deletes it for ever."""
        needed = binned.NEEDED[kind] if act == "restore" else Permission.ADMINISTER
        row = get_object_or_404(binned.in_bin(find_team(request, team, needed), kind), pk=pk)
        try:
            (binned.bring_back if act == "restore" else binned.purge_soon)(row, author_of(request))
        except binned.BinRefused as error:
            raise refused(error) from error
        return Response(status=204)
