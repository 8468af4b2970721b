"""Another name for anything that a draft declares, over the API."""

from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.jobs import JobShape, accepted
from packs.api.nodes import MAX_ID, edited, show_applied
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.headers import etag
from packs.api.shared.lookup import author_of, etag_of, find_pack, number_in
from packs.api.shared.refusals import edit_refused
from packs.api.shared.shapes import AppliedShape, FindingsShape
from packs.editing import EditRefused, Foreseen, Thing, foresee
from packs.formats.costs import MANY_CASES
from packs.formats.names.renames import things
from packs.jobs import rename_or_start
from packs.mirror import format_of
from packs.models import Job, Pack


class RenameBody(Body):
    """`what` is challenge, input_set, case, asset, or what documents declare: input, expectation, validator, metric ...

    `node` is the id of the one that is meant, where several input sets have a case of this key. A folder is an asset.
    """

    what = serializers.CharField(max_length=40)
    name = serializers.CharField(max_length=1024, trim_whitespace=False)
    new = serializers.CharField(max_length=1024, trim_whitespace=False)
    node = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID)


class ForeseenShape(serializers.Serializer[Any]):
    """At how many places of how many nodes of each kind something is declared and named.

    Where `is_whole` is false, more than 500 nodes may name it, and only those of the first 500 are counted.
    """

    places = serializers.IntegerField()
    nodes = serializers.DictField(child=serializers.IntegerField())
    is_whole = serializers.BooleanField()


class PackRename(Endpoint):
    @extend_schema(
        operation_id="packs_rename_ahead",
        parameters=[
            OpenApiParameter("what", required=True),
            OpenApiParameter("name", required=True),
            OpenApiParameter("node", int),
        ],
        responses={200: ForeseenShape, 422: OpenApiResponse(FindingsShape, "The pack has no such name, or several.")},
    )
    def get(self, request: Request, pk: int) -> Response:
        """At how many places something is declared and named, before it is renamed."""
        pack = find_pack(request, pk)
        asked = request.query_params
        given = {"what": asked.get("what", ""), "name": asked.get("name", ""), "node": number_in(request, "node")}
        return Response(show_foreseen(ahead(pack, thing_of(pack, given))))

    @extend_schema(
        operation_id="packs_rename",
        parameters=[etag(200)],
        request=RenameBody,
        responses={200: AppliedShape, 202: JobShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Rename something with everything that names it; one edit, which undo takes back.

        Where more than 500 nodes follow, a job does it: 202.
        """
        pack = find_pack(request, pk, Permission.EDIT)
        body = read_body(RenameBody, request)
        thing = thing_of(pack, body)
        with transaction.atomic():
            applied = edited(lambda: rename_or_start(pack, thing, body["new"], author_of(request)))
        if applied.job is not None:
            return accepted(Job.objects.get(pk=applied.job))
        return Response(show_applied(applied), headers={"ETag": etag_of(applied.revision)})


def thing_of(pack: Pack, body: dict[str, Any]) -> Thing:
    """Raises Refused for what packs of the format do not have."""
    known = things(format_of(pack))
    if body["what"] not in known:
        says = f"Packs of this format have no {body['what']}. Use one of: {', '.join(known)}."
        raise edit_refused(EditRefused("no_such_name", says))
    return Thing(known[body["what"]], body["name"], body.get("node"))


def ahead(pack: Pack, thing: Thing) -> Foreseen:
    try:
        return foresee(pack, thing, MANY_CASES)
    except EditRefused as refused:
        raise edit_refused(refused) from refused


def show_foreseen(found: Foreseen) -> dict[str, Any]:
    nodes = {kind.value: count for kind, count in found.nodes.items()}
    return {"places": found.places, "nodes": nodes, "is_whole": found.is_whole}
