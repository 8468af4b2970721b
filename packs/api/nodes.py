"""Nodes of drafts: challenges, input sets, cases and assets; edits, undo and history."""

from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs import blobs, editing
from packs.access import Permission
from packs.api.jobs import JobShape, accepted
from packs.api.shared import shapes
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint, says_yes
from packs.api.shared.headers import IF_MATCH, LOCATION, etag
from packs.api.shared.lookup import author_of, etag_of, find_pack, number_in, page, require, require_match
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, conflicting, edit_refused, finding, show_conflict
from packs.api.shared.uploads import PARSERS, attachment, body_of
from packs.editing import ABSENT, Applied, Change, EditRefused, Renamed
from packs.editing.changes import as_changes, document_of
from packs.formats.document import NodeKind
from packs.formats.names import thing_of
from packs.jobs import edit_or_start, large, start_on_large, start_once
from packs.mirror import MODELS
from packs.models import Asset, Job, Pack

COLLECTIONS = {
    "challenges": NodeKind.CHALLENGE,
    "input-sets": NodeKind.INPUT_SET,
    "cases": NodeKind.CASE,
    "assets": NodeKind.ASSET,
}
MAX_ID = 2**63 - 1
# As many as a request can make; acts on many cases at once are jobs.
MAX_CHANGES = 200


class NewNode(Body):
    """A node to add; without a document it gets the format's starting one."""

    document = serializers.JSONField(required=False)
    input_set = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_ID, help_text="Id of the input set; for cases only."
    )
    after = serializers.IntegerField(
        required=False, min_value=0, max_value=MAX_ID, help_text="Id of the sibling to follow; 0 for the front."
    )


class Document(Body):
    document = serializers.JSONField()


class ChangeBody(Body):
    """A change at a JSON Pointer; without `value` the place is removed."""

    kind = serializers.ChoiceField(shapes.KINDS)
    node = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    pointer = serializers.CharField(allow_blank=True, trim_whitespace=False)
    value = serializers.JSONField(required=False)
    insert = serializers.BooleanField(required=False, default=False)


class ChangesBody(Body):
    changes = serializers.ListField(child=ChangeBody(), max_length=MAX_CHANGES)
    seen_revision = serializers.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    label = serializers.CharField(  # type: ignore[assignment]
        required=False, default="", allow_blank=True, max_length=200
    )


CHANGED = {200: shapes.AppliedShape, 202: JobShape, 409: shapes.ConflictsShape}


def find_node(request: Request, collection: str, pk: int, needed: Permission = Permission.READ) -> Any:
    """Raises Http404 for strangers, PermissionDenied for members without the permission."""
    kind = COLLECTIONS[collection]
    related = {NodeKind.CASE: ["input_set"], NodeKind.ASSET: ["blob"]}.get(kind, [])
    rows = MODELS[kind].objects.visible_to(request.user).select_related("pack__team", *related).defer("pack__document")
    row = get_object_or_404(rows, pk=pk)
    require(request, row.pack.team, needed)
    return row


def edited(act: Callable[[], Applied]) -> Applied:
    """Raises Refused for an edit that makes no sense, or that others' edits stand against."""
    try:
        applied = act()
    except EditRefused as refused:
        raise edit_refused(refused) from refused
    if applied.conflicts:
        raise conflicting(applied.conflicts)
    return applied


def show_applied(applied: Applied) -> dict[str, Any]:
    return {
        "revision": applied.revision,
        "written": applied.is_written,
        "node": applied.node,
        "error_count": applied.errors,
        "warning_count": applied.warnings,
        "conflicts": [show_conflict(conflict) for conflict in applied.conflicts],
        "noticed": [
            {"kind": kind.value, "node": node, "findings": shapes.show_findings(found)}
            for (kind, node), found in applied.noticed.items()
        ],
        "renamed": show_renamed(applied.renamed),
    }


def show_renamed(renamed: Iterable[Renamed]) -> list[dict[str, Any]]:
    return [
        {
            "kind": thing_of(each.kind),
            "names": [{"old": old, "new": new} for old, new in each.names],
            "followers": {kind.value: count for kind, count in each.followers.items()},
            "places": each.places,
        }
        for each in renamed
    ]


def show_edited(row: Any, applied: Applied) -> dict[str, Any]:
    """A node after an edit, with what could not be stored as it was given among its findings."""
    shown = shapes.show_node_detail(row)
    noticed = shapes.show_findings(applied.noticed.get((row.kind, row.pk), []))
    return shown | {"findings": [*shown["findings"], *noticed]}


class Nodes(Endpoint):
    @extend_schema(
        operation_id="nodes_list",
        parameters=[
            OpenApiParameter("input_set", int),
            OpenApiParameter("key"),
            OpenApiParameter("problems", bool),
            *PAGING,
        ],
        responses=page_of(shapes.NodeShape),
    )
    def get(self, request: Request, pk: int, collection: str) -> Response:
        """Nodes of a draft in their order.

        `problems=true` leaves out those without errors and warnings. Cases are in order only where `input_set` is
        given.
        """
        pack, kind = find_pack(request, pk), COLLECTIONS[collection]
        rows = MODELS[kind].objects.filter(pack=pack).defer("findings")
        asked = request.query_params
        if kind is NodeKind.ASSET:
            rows = rows.select_related("blob")
        in_set = number_in(request, "input_set") if kind is NodeKind.CASE else None
        if in_set is not None:
            rows = rows.filter(input_set=in_set)
        if asked.get("key"):
            rows = rows.filter(key=asked["key"])
        if says_yes(request, "problems"):
            rows = rows.exclude(error_count=0, warning_count=0)
        is_spread = kind is NodeKind.CASE and in_set is None
        return page(request, rows, shapes.show_node, *(("id",) if is_spread else ("position", "id")))

    @extend_schema(
        operation_id="nodes_create", parameters=[etag(201)], request=NewNode, responses={201: shapes.NodeDetailShape}
    )
    def post(self, request: Request, pk: int, collection: str) -> Response:
        """Add a node to a draft."""
        pack, kind = find_pack(request, pk, Permission.EDIT), COLLECTIONS[collection]
        given = read_body(NewNode, request)
        applied = edited(lambda: editing.add_node(pack, kind, author_of(request), **given))
        row = find_node(request, collection, applied.node or 0)
        return Response(show_edited(row, applied), status=201, headers={"ETag": etag_of(row.revision)})


class NodeDetail(Endpoint):
    @extend_schema(operation_id="nodes_show", parameters=[etag(200)], responses=shapes.NodeDetailShape)
    def get(self, request: Request, collection: str, pk: int) -> Response:
        """A node with its findings; the ETag is its revision."""
        row = find_node(request, collection, pk)
        return Response(shapes.show_node_detail(row), headers={"ETag": etag_of(row.revision)})

    @extend_schema(
        operation_id="nodes_replace",
        parameters=[IF_MATCH, etag(200)],
        request=Document,
        responses={200: shapes.ReplacedShape, 202: JobShape},
    )
    def put(self, request: Request, collection: str, pk: int) -> Response:
        """Replace the document of a node; only what differs becomes an edit.

        Where more than 500 nodes refer to a key that is another now, or the document is very large, a job does it: 202.
        """
        row = find_node(request, collection, pk, Permission.EDIT)
        given = read_body(Document, request)
        with transaction.atomic():
            pack = hold(request, row)
            document = given["document"]
            changes = as_changes(row.kind, row.pk, document_of(pack, row.kind, row.pk), document)
            applied = edited(lambda: edit_or_start(pack, changes, author_of(request)))
        if applied.job is not None:
            return accepted(Job.objects.get(pk=applied.job))
        row = find_node(request, collection, pk)
        shown = show_edited(row, applied) | {"renamed": show_renamed(applied.renamed)}
        return Response(shown, headers={"ETag": etag_of(row.revision)})

    @extend_schema(operation_id="nodes_remove", parameters=[IF_MATCH, LOCATION], responses={204: None, 202: JobShape})
    def delete(self, request: Request, collection: str, pk: int) -> Response:
        """Remove a node and everything below it; undo brings it back.

        An input set with more than 500 cases, and a node with a very large document, is removed by a job: 202.
        """
        row = find_node(request, collection, pk, Permission.EDIT)
        with transaction.atomic():
            pack = hold(request, row)
            job = start_on_large("remove", row, author_of(request))
            if job is not None:
                return accepted(job)
            edited(lambda: editing.remove_node(pack, row.kind, row.pk, author_of(request)))
        return Response(status=204)


def hold(request: Request, row: Any) -> Pack:
    """Lock the draft of a row and hold the request to the row's revision."""
    pack: Pack = Pack.objects.select_for_update().get(pk=row.pack_id)
    present = type(row).objects.filter(pk=row.pk).values_list("revision", flat=True).first()
    require_match(request, present or 0)
    return pack


class AssetContent(Endpoint):
    parser_classes = PARSERS

    @extend_schema(
        operation_id="assets_download",
        parameters=[etag(200)],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The bytes of an asset."""
        row: Asset = find_node(request, "assets", pk)
        if row.blob is None:
            raise Refused([finding("no_content", "No bytes were given for this asset.")], 404)
        content, name = blobs.read(row.blob), row.path.rpartition("/")[2]
        return attachment(content, name or row.key, "application/octet-stream", f'"{row.blob_id}"')

    @extend_schema(
        operation_id="assets_upload",
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses=shapes.NodeDetailShape,
    )
    def put(self, request: Request, pk: int) -> Response:
        """Give an asset other bytes."""
        row = find_node(request, "assets", pk, Permission.EDIT)
        _, data = body_of(request)
        edited(lambda: editing.set_asset_content(row.pack, row.pk, blobs.put(data), author_of(request)))
        return Response(shapes.show_node_detail(find_node(request, "assets", pk)))


class Changes(Endpoint):
    @extend_schema(operation_id="packs_change", request=ChangesBody, responses=CHANGED)
    def post(self, request: Request, pk: int) -> Response:
        """Make edits, all or none. 409 with both values of each place that others edited after `seen_revision`.

        Where more than 500 nodes refer to a key that is another now, or a document is very large, a job does it: 202.
        """
        pack = find_pack(request, pk, Permission.EDIT)
        body = read_body(ChangesBody, request)
        changes = [
            Change(
                NodeKind(item["kind"]), item["node"], item["pointer"], item.get("value", ABSENT), insert=item["insert"]
            )
            for item in body["changes"]
        ]
        seen, label = body.get("seen_revision"), body["label"]
        with transaction.atomic():
            applied = edited(lambda: edit_or_start(pack, changes, author_of(request), seen, label))
        if applied.job is not None:
            return accepted(Job.objects.get(pk=applied.job))
        return Response(show_applied(applied))


class UndoRedo(Endpoint):
    ACTS = {"undo": editing.undo, "redo": editing.redo}

    @extend_schema(
        operation_id="packs_{act}",
        summary="{act} edits",
        parameters=[LOCATION],
        request=None,
        responses={200: shapes.AppliedShape, 202: JobShape},
    )
    def post(self, request: Request, pk: int, act: str) -> Response:
        """Take the user's latest edits back, or make the last undone ones again; more than 500 changes are a job."""
        pack = find_pack(request, pk, Permission.EDIT)
        columns = large(pack, author_of(request), act)
        if columns is not None:
            return accepted(start_once(**columns))
        return Response(show_applied(edited(lambda: self.ACTS[act](pack, author_of(request)))))


class History(Endpoint):
    @extend_schema(
        operation_id="packs_history",
        parameters=[OpenApiParameter("before", int)],
        responses=shapes.MomentShape(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        """Who changed what, newest first; `before` is the revision of the last moment already seen."""
        moments = editing.history(find_pack(request, pk), before=number_in(request, "before"))
        return Response([show_moment(moment) for moment in moments])


def show_moment(moment: editing.Moment) -> dict[str, Any]:
    names = ("action", "kind", "node", "pointer", "old", "new")
    return {
        "group": moment.group,
        "label": moment.label,
        "author": moment.author,
        "at": moment.at,
        "revision": moment.revision,
        "undone": moment.undone,
        "edits": [{name: getattr(edit, name) for name in names} for edit in moment.edits],
        "edit_count": moment.count,
    }
