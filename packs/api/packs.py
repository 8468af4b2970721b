"""Teams and packs: lists, import, export, edits of the draft, publishing."""

from datetime import datetime
from itertools import islice

from django.db import transaction
from django.db.models import Q
from django.http import HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs import blobs
from packs.access import Permission, permissions
from packs.api.jobs import JobShape, accepted
from packs.api.nodes import edited
from packs.api.shared import shapes
from packs.api.shared.bodies import Body, TeamField, read_body
from packs.api.shared.endpoint import Endpoint, says_yes
from packs.api.shared.headers import IF_MATCH, IF_NONE_MATCH, LOCATION, etag
from packs.api.shared.lookup import author_of, choice_in, etag_of, find_pack, find_team, page_with_proofs, require_match
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, finding
from packs.api.shared.uploads import EXPORTED, PARSERS, attachment, named_uploads, send
from packs.companion import PROOFS, companion
from packs.editing import problems, recheck_if_stale
from packs.editing.changes import as_changes
from packs.exporting import Export, export_draft, export_variant
from packs.formats import FORMATS
from packs.formats.abilities import WRITERS
from packs.formats.document import NodeKind
from packs.formats.findings import MAX_FINDINGS
from packs.importing import ImportRefused, create_pack
from packs.jobs import edit_or_start, is_large, start_check, start_once, start_publishing
from packs.jobs.arrivals import Wanted, confirm, preview, take
from packs.models import Job, Pack, PackStatus, Team
from packs.publish import PublishRefused, archive, deprecate, publish, restore

QUERY = OpenApiParameter


# A changed draft, or what would change.
IMPORTED = PolymorphicProxySerializer(
    "Imported", [shapes.PackDetailShape, shapes.PreviewShape], resource_type_field_name=None
)


class NewPack(Body):
    """A draft that is begun."""

    team = TeamField()
    format = serializers.ChoiceField(sorted(FORMATS), default="challenge_pack")
    title = serializers.CharField(max_length=200)
    slug = serializers.CharField(required=False, max_length=120)


class NewDocument(Body):
    document = serializers.JSONField()


class Publication(Body):
    notes = serializers.CharField(required=False, allow_blank=True, default="", max_length=20000)
    number = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


class Confirmation(Body):
    token = serializers.UUIDField()


class Teams(Endpoint):
    @extend_schema(operation_id="teams_list", responses=shapes.TeamShape(many=True))
    def get(self, request: Request) -> Response:
        """The teams of the user and what the user may do there."""
        teams = Team.objects.visible_to(request.user).order_by("name")
        return Response([shapes.show_team(team, permissions(request.user, team)) for team in teams])


class Packs(Endpoint):
    @extend_schema(
        operation_id="packs_list",
        parameters=[
            *(QUERY(name) for name in ("team", "q", "slug")),
            QUERY("format", enum=sorted(FORMATS)),
            QUERY("status", enum=PackStatus.values),
            QUERY("proof", enum=PROOFS, description="Only packs of this state of proof."),
            *PAGING,
        ],
        responses=page_of(shapes.ListedPackShape),
    )
    def get(self, request: Request) -> Response:
        """Packs, newest first, with the state of their proof.

        `q` searches slug and title; archived packs are left out unless `status` asks.
        """
        rows = Pack.objects.visible_to(request.user).select_related("team").defer("document", "findings")
        asked = request.query_params
        wanted = {
            "team__slug": asked.get("team"),
            "slug": asked.get("slug"),
            "format": choice_in(request, "format", sorted(FORMATS)),
            "status": choice_in(request, "status", PackStatus.values),
        }
        rows = rows.filter(**{column: value for column, value in wanted.items() if value})
        if not wanted["status"]:
            rows = rows.exclude(status=PackStatus.ARCHIVED)
        if words := asked.get("q"):
            rows = rows.filter(Q(slug__icontains=words) | Q(title__icontains=words))
        return page_with_proofs(request, rows, shapes.PackShape.show, companion().proofs_of, "-id")

    @extend_schema(
        operation_id="packs_create", parameters=[etag(201)], request=NewPack, responses={201: shapes.PackDetailShape}
    )
    def post(self, request: Request) -> Response:
        """A new draft from the format's starting document."""
        wanted = read_body(NewPack, request)
        team = find_team(request, wanted["team"], Permission.EDIT)
        try:
            row = create_pack(team, author_of(request), wanted["format"], wanted["title"], wanted.get("slug"))
        except ImportRefused as refused:
            raise Refused(refused.findings) from refused
        return Response(shapes.show_pack_detail(row), status=201, headers={"ETag": etag_of(row.revision)})


class PackImport(Endpoint):
    parser_classes = PARSERS

    @extend_schema(
        operation_id="packs_import",
        parameters=[
            QUERY("team", description="Slug of the team; may be left out by people with one team."),
            QUERY("slug", description="Address of the pack; the pack's own key unless said."),
            QUERY("format", enum=sorted(FORMATS), description="Recognised unless said."),
            QUERY(
                "pack", description="Which pack, where the files are more than one; a preview lists them in `packs`."
            ),
            QUERY("name", description="Name of the file that the body is; `pack.yaml` unless said."),
            QUERY("dry_run", bool),
            etag(200, 201),
            LOCATION,
        ],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses={200: IMPORTED, 201: shapes.PackDetailShape, 202: JobShape},
    )
    def post(self, request: Request) -> Response:
        """Import a file of YAML or an archive into a team.

        The body is the file, of any media type, or a form (`multipart/form-data`) with one or more fields `file`.
        201 for a new pack, 200 where a draft changed. With `dry_run=true` nothing is written and the answer is a
        preview; its token can be confirmed within a day. What is too much for a request is done by a job: 202, and the
        job's outcome has the preview (`dry_run`) or names the draft.
        """
        asked, begun = request.query_params, timezone.now()
        team = find_team(request, asked.get("team", ""), Permission.EDIT)
        given = named_uploads(request)
        wanted = Wanted(
            team,
            author_of(request),
            given[0][0],
            asked.get("format") or None,
            asked.get("slug") or None,
            asked.get("pack", ""),
        )
        if says_yes(request, "dry_run"):
            found = preview(wanted, given)
            return accepted(found) if isinstance(found, Job) else Response(shapes.show_preview(found))
        try:
            return imported(take(wanted, given), begun)
        except ImportRefused as refused:
            raise Refused(refused.findings) from refused


class PackImportConfirmation(Endpoint):
    @extend_schema(
        operation_id="packs_import_confirm",
        parameters=[etag(200, 201), LOCATION],
        request=Confirmation,
        responses={200: shapes.PackDetailShape, 201: shapes.PackDetailShape, 202: JobShape},
    )
    def post(self, request: Request) -> Response:
        """Carry out an import that was previewed: 201 for a new pack, 200 for one that was there."""
        begun = timezone.now()
        given = read_body(Confirmation, request)
        try:
            return imported(confirm(author_of(request), given["token"]), begun)
        except ImportRefused as refused:
            unknown = [finding("no_such_upload", "This preview is unknown or has expired; upload the files again.")]
            raise Refused(refused.findings or unknown, 422 if refused.findings else 404) from refused


def imported(row: Pack | Job, begun: datetime) -> Response:
    """The draft of an import, new where it was made since `begun`, or the job that imports."""
    if isinstance(row, Job):
        return accepted(row)
    status = 201 if row.created_at >= begun else 200
    return Response(shapes.show_pack_detail(row), status=status, headers={"ETag": etag_of(row.revision)})


class PackDetail(Endpoint):
    @extend_schema(operation_id="packs_show", parameters=[etag(200)], responses=shapes.PackDetailShape)
    def get(self, request: Request, pk: int) -> Response:
        """A pack and the document of its own node; the ETag is the draft's revision."""
        row = find_pack(request, pk)
        return Response(shapes.show_pack_detail(row), headers={"ETag": etag_of(row.revision)})

    @extend_schema(
        operation_id="packs_replace_document",
        parameters=[IF_MATCH, etag(200)],
        request=NewDocument,
        responses={200: shapes.PackDetailShape, 202: JobShape},
    )
    def put(self, request: Request, pk: int) -> Response:
        """Replace the document of the pack's own node.

        Where more than 500 nodes refer to a name that is another now, a job does it: 202.
        """
        find_pack(request, pk, Permission.EDIT)
        given = read_body(NewDocument, request)
        with transaction.atomic():
            row = Pack.objects.select_for_update(of=("self",)).select_related("team").get(pk=pk)
            require_match(request, row.revision)
            changes = as_changes(NodeKind.PACK, row.pk, row.document, given["document"])
            applied = edited(lambda: edit_or_start(row, changes, author_of(request)))
        if applied.job is not None:
            return accepted(Job.objects.get(pk=applied.job))
        return Response(shapes.show_pack_detail(row), headers={"ETag": etag_of(row.revision)})


class PackFindings(Endpoint):
    @extend_schema(
        operation_id="packs_findings", parameters=[LOCATION], responses={200: shapes.FindingsShape, 202: JobShape}
    )
    def get(self, request: Request, pk: int) -> Response:
        """What is wrong or doubtful in the draft now, in the order of the tree.

        A large draft that was edited since its last check is checked by a job first: 202; ask again once it has ended.
        """
        row = find_pack(request, pk)
        if row.checked_revision != row.revision and is_large(row):
            return accepted(start_check(row, author_of(request)))
        recheck_if_stale(row)
        found = [problem.finding for problem in islice(problems(row), MAX_FINDINGS)]
        return Response(shapes.findings_json(found))


class PackExport(Endpoint):
    @extend_schema(
        operation_id="packs_export",
        parameters=[
            QUERY("as", enum=["file", "zip"]),
            QUERY("preserve", bool),
            QUERY("variant"),
            IF_NONE_MATCH,
            etag(200, 304),
            LOCATION,
        ],
        responses={**EXPORTED, 202: JobShape},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The draft as canonical files.

        With `preserve=true` each file that was not edited since its import keeps its bytes. `variant` asks for another
        variant of the format; the page, not this answer, lists what that cannot say. The files of a large draft are
        written by a job: 202, and they are at `jobs/<id>/file/` once it is completed.
        """
        row = find_pack(request, pk)
        variant = request.query_params.get("variant", "")
        preserve = says_yes(request, "preserve")
        if is_large(row):
            return accepted(export_later(request, row, variant, preserve=preserve))
        if variant:
            return send(request, in_variant(row, variant), f"{row.slug}-{variant}")
        return send(request, export_draft(row, preserve=preserve), row.slug)


def export_later(request: Request, row: Pack, variant: str, *, preserve: bool) -> Job:
    """The job that writes the files of a large draft. Raises Refused for a variant that its format does not have."""
    writer = WRITERS.get(row.format)
    if variant and (writer is None or variant not in writer.VARIANTS):
        raise unknown_variant()
    parameters = {"variant": variant, "preserve": preserve, "revision": row.revision}
    columns = {"team": row.team, "user": author_of(request), "title": f"Export {row}"[:300]}
    return start_once("export", row, parameters, **columns)


def unknown_variant() -> Refused:
    return Refused([finding("unknown_variant", "The format of this pack has no such variant.")])


def in_variant(row: Pack, variant: str) -> Export:
    """Raises Refused for a variant that the pack's format does not have."""
    try:
        return export_variant(row, variant)[0]
    except KeyError as unknown:
        raise unknown_variant() from unknown


class PackSource(Endpoint):
    @extend_schema(
        operation_id="packs_source",
        parameters=[etag(200)],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The bytes of the last import, comments and all."""
        row = find_pack(request, pk)
        if row.source is None:
            raise Refused([finding("no_source", "This pack was not imported.")], 404)
        content = blobs.read(row.source)
        return attachment(content, row.source_name, "application/octet-stream", f'"{row.source_id}"')


class PackPublication(Endpoint):
    @extend_schema(
        operation_id="packs_publish",
        parameters=[LOCATION],
        request=Publication,
        responses={201: shapes.VersionShape, 202: JobShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Publish the draft. 422 lists its errors; 409 is for a number that exists or another identity.

        A large draft is published by a job: 202, and the job reports what refuses it. 409 also while another job
        publishes it.
        """
        row = find_pack(request, pk, Permission.CURATE)
        given = read_body(Publication, request)
        author, notes, number = author_of(request), given["notes"], given.get("number")
        try:
            if is_large(row):
                job = start_publishing(row, author, notes, number)
                return accepted(job)
            version = publish(row, author, notes, number)
        except PublishRefused as refused:
            status = 422 if refused.findings else 409
            raise Refused(refused.findings or [finding(refused.code, refused.message)], status) from refused
        return Response(shapes.VersionShape.show(version), status=201)


class PackLife(Endpoint):
    """Archive, deprecate or restore a pack; for curators."""

    ACTS = {"archive": archive, "deprecate": deprecate, "restore": restore}

    @extend_schema(operation_id="packs_{act}", summary="{act} a pack", request=None, responses=shapes.PackShape)
    def post(self, request: Request, pk: int, act: str) -> Response:
        """Change the status of a pack."""
        row = find_pack(request, pk, Permission.CURATE)
        try:
            self.ACTS[act](row)
        except PublishRefused as refused:
            raise Refused([finding(refused.code, refused.message)], 409) from refused
        return Response(shapes.PackShape.show(row))
