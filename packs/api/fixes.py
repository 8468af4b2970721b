"""Fixes of a draft's findings over the API: what they would do, then the edit."""

from typing import Any

from django.db import transaction
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.jobs import JobShape, accepted
from packs.api.nodes import MAX_ID, edited, show_applied
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.headers import IF_MATCH, etag
from packs.api.shared.lookup import author_of, choice_in, etag_of, find_pack, number_in, require_match
from packs.api.shared.refusals import Refused, finding
from packs.api.shared.shapes import KINDS, AppliedShape, FindingShape, FindingsShape
from packs.editing import Applied, Offer, offered_by, rows_with
from packs.formats.document import NodeKind
from packs.formats.findings import to_pointer
from packs.formats.fixing import Act
from packs.jobs import fix_all_or_start, fix_or_start
from packs.mirror import MODELS
from packs.models import Job, NodeRow, Pack


class OneFixShape(serializers.Serializer[Any]):
    """What a fix would do at a JSON Pointer of the node's document.

    `value` is the new key where it renames, the new value where it sets or adds, and null where it removes.
    """

    label = serializers.CharField()  # type: ignore[assignment]
    act = serializers.ChoiceField([act.value for act in Act])
    pointer = serializers.CharField()
    value = serializers.JSONField(allow_null=True)


class OfferShape(serializers.Serializer[Any]):
    """A finding of a node with its fix. Apply it with `kind`, `node`, `code` and `at`, and `etag` as `If-Match`."""

    kind = serializers.ChoiceField(KINDS)
    node = serializers.IntegerField()
    etag = serializers.CharField()
    code = serializers.CharField()
    at = serializers.CharField(allow_blank=True)
    finding = FindingShape()
    fix = OneFixShape()


class OffersShape(serializers.Serializer[Any]):
    """The fixes of the first 40 findings that were asked for."""

    fixes = OfferShape(many=True)


class FixBody(Body):
    """The finding of a `code` at a place; all findings of the code where `kind`, `node` and `at` are left out."""

    code = serializers.CharField(max_length=100)
    kind = serializers.ChoiceField(KINDS, required=False)
    node = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID)
    at = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False, max_length=8192)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raises ValidationError for half a place."""
        place = ("kind", "node", "at")
        missing = [name for name in place if name not in attrs]
        if missing and len(missing) < len(place):
            says = "Give kind, node and at for one finding, or none of them for all of the code."
            raise serializers.ValidationError(dict.fromkeys(missing, says), code="required")
        return attrs


class PackFixes(Endpoint):
    @extend_schema(
        operation_id="packs_fixes",
        parameters=[
            OpenApiParameter("kind", enum=KINDS),
            OpenApiParameter("node", int),
            OpenApiParameter("code"),
            etag(200),
        ],
        responses=OffersShape,
    )
    def get(self, request: Request, pk: int) -> Response:
        """Which findings have a fix, and what it would do.

        `kind` and `node` ask about one node. Each fix was tried: it removes its finding and brings no other. The first
        40 findings are looked at, those of a `code` where one is given. The ETag is that of the pack.
        """
        pack = find_pack(request, pk)
        code = request.query_params.get("code", "")
        kind, node = choice_in(request, "kind", KINDS), number_in(request, "node")
        if bool(kind) != bool(node):
            says = "Give both kind and node, or none of them."
            raise serializers.ValidationError({"node" if kind else "kind": says}, code="required")
        rows = [find_row(pack, kind, node)] if node else rows_with(pack, code)
        found = [show_offer(row, offer) for row, some in offered_by(pack, rows, code) for offer in some]
        return Response({"fixes": found}, headers={"ETag": etag_of(pack.revision)})

    @extend_schema(
        operation_id="packs_fix",
        parameters=[IF_MATCH, etag(200)],
        request=FixBody,
        responses={
            200: AppliedShape,
            202: JobShape,
            422: OpenApiResponse(FindingsShape, "There is no such finding any more, or it has no fix."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Apply the fix of one finding, or all fixes of a code.

        That is one edit, which undo takes back. `If-Match` is the ETag of the node for one finding, that of the pack
        for all. Where the draft is large, a job fixes all: 202.
        """
        pack = find_pack(request, pk, Permission.EDIT)
        given = read_body(FixBody, request)
        with transaction.atomic():
            applied = edited(lambda: fixed(request, pack, given))
        if applied.job is not None:
            return accepted(Job.objects.get(pk=applied.job))
        return Response(show_applied(applied), headers={"ETag": etag_of(applied.revision)})


def fixed(request: Request, pack: Pack, asked: dict[str, Any]) -> Applied:
    """Raises Http404 for a node that the draft does not have, Refused where there is nothing to fix."""
    held = Pack.objects.select_for_update().select_related("team").get(pk=pack.pk)
    if "node" not in asked:
        require_match(request, held.revision)
        done = fix_all_or_start(held, asked["code"], author_of(request))
        if not done.count and done.applied.job is None:
            raise nothing_to_fix()
        return done.applied
    row = find_row(held, asked["kind"], asked["node"])
    require_match(request, row.revision)
    found = fix_or_start(held, row, asked["code"], asked["at"], author_of(request))
    if found is None:
        raise nothing_to_fix()
    return found[1]


def nothing_to_fix() -> Refused:
    return Refused([finding("nothing_to_fix", "There is no such finding any more, or it has no fix that is known.")])


def find_row(pack: Pack, kind: str, node: int) -> NodeRow:
    """Raises Http404."""
    rows: Any = MODELS[NodeKind(kind)].objects.filter(pk=node)
    rows = rows.filter(pk=pack.pk) if kind == NodeKind.PACK else rows.filter(pack=pack)
    row: NodeRow | None = (rows.select_related("input_set") if kind == NodeKind.CASE else rows).first()
    if row is None:
        raise Http404
    return row


def show_offer(row: NodeRow, offer: Offer) -> dict[str, Any]:
    fix = offer.fix
    return {
        "kind": row.kind.value,
        "node": row.pk,
        "etag": etag_of(row.revision),
        "code": offer.finding.code,
        "at": offer.pointer,
        "finding": offer.finding.as_dict(),
        "fix": {"label": fix.label, "act": fix.act.value, "pointer": to_pointer(fix.path), "value": fix.value},
    }
