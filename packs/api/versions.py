"""Versions: what was published, its input sets and cases, its files."""

from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared import shapes
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.headers import IF_NONE_MATCH, etag
from packs.api.shared.lookup import find_pack, find_version, page, page_with_proofs
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.uploads import EXPORTED, send
from packs.companion import PROOFS, companion
from packs.exporting import export_version
from packs.models import VersionCase, VersionStatus
from packs.publish import set_version_status


class Versions(Endpoint):
    @extend_schema(
        operation_id="versions_list",
        parameters=[
            OpenApiParameter("proof", enum=PROOFS, description="Only versions of this state of proof."),
            *PAGING,
        ],
        responses=page_of(shapes.ListedVersionShape),
    )
    def get(self, request: Request, pk: int) -> Response:
        """The versions of a pack, the highest number first, with the state of their proof."""
        rows = find_pack(request, pk).versions.select_related("published_by").defer("document", "challenges", "assets")
        proofs_of = companion().proofs_of_versions
        return page_with_proofs(request, rows, shapes.VersionShape.show, proofs_of, "-number")


class VersionDetail(Endpoint):
    @extend_schema(operation_id="versions_show", responses=shapes.VersionShape)
    def get(self, request: Request, pk: int) -> Response:
        """A version."""
        return Response(shapes.VersionShape.show(find_version(request, pk)))


class VersionInputSets(Endpoint):
    @extend_schema(operation_id="versions_input_sets", responses=shapes.InputSetShape(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The input sets of a version, in order, in one list."""
        rows = find_version(request, pk).input_sets.order_by("position")
        return Response([shapes.InputSetShape.show(row) for row in rows])


class VersionCases(Endpoint):
    @extend_schema(
        operation_id="versions_cases",
        parameters=[OpenApiParameter("input_set"), *PAGING],
        responses=page_of(shapes.VersionCaseShape),
    )
    def get(self, request: Request, pk: int) -> Response:
        """The cases of a version with their stored documents; `input_set` is the key of one set."""
        rows: Any = find_version(request, pk).cases.defer("document")
        if wanted := request.query_params.get("input_set"):
            rows = rows.filter(input_set__key=wanted)
        return page(request, rows, shapes.VersionCaseShape.show, "id")


class VersionCaseDetail(Endpoint):
    @extend_schema(operation_id="version_cases_show", responses=shapes.VersionCaseShape)
    def get(self, request: Request, pk: int) -> Response:
        """A case of a version."""
        case = get_object_or_404(VersionCase.objects.visible_to(request.user), pk=pk)
        return Response(shapes.VersionCaseShape.show(case))


class VersionExport(Endpoint):
    @extend_schema(
        operation_id="versions_export",
        parameters=[OpenApiParameter("as", enum=["file", "zip"]), IF_NONE_MATCH, etag(200, 304)],
        responses=EXPORTED,
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The canonical files, exactly as they were published."""
        version = find_version(request, pk)
        return send(request, export_version(version), f"{version.pack.slug}-{version.number}")


class VersionLife(Endpoint):
    """Deprecate, archive or restore a version; for curators."""

    STATUSES = {
        "deprecate": VersionStatus.DEPRECATED,
        "archive": VersionStatus.ARCHIVED,
        "restore": VersionStatus.RUNNABLE,
    }

    @extend_schema(
        operation_id="versions_{act}", summary="{act} a version", request=None, responses=shapes.VersionShape
    )
    def post(self, request: Request, pk: int, act: str) -> Response:
        """Change the status of a version; nothing else of it ever changes."""
        version = find_version(request, pk, Permission.CURATE)
        set_version_status(version, self.STATUSES[act])
        return Response(shapes.VersionShape.show(version))
