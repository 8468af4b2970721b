"""Named points of a draft's history, and the way back to a state, over the API."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.differences import STATE
from packs.api.jobs import JobShape, accepted
from packs.api.nodes import edited, show_applied
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, find_pack, require
from packs.api.shared.shapes import AppliedShape
from packs.comparing import DRAFT, End, find_end, restore_end
from packs.jobs import start_restoring
from packs.jobs.comparing import is_long
from packs.models import Checkpoint
from packs.models.history import MAX_NAME


class CheckpointBody(Body):
    name = serializers.CharField(max_length=MAX_NAME)


class CheckpointShape(serializers.ModelSerializer[Checkpoint]):
    """A revision of the draft that has a name; `r` and the revision name it in differences."""

    author = serializers.CharField(source="author.username", default=None, allow_null=True)

    class Meta:
        model = Checkpoint
        fields = ("id", "revision", "name", "author", "at")


class Checkpoints(Endpoint):
    @extend_schema(operation_id="packs_checkpoints", responses=CheckpointShape(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The points of a draft's history that have a name, newest first."""
        rows = find_pack(request, pk).checkpoints.select_related("author")
        return Response(CheckpointShape(rows, many=True).data)

    @extend_schema(operation_id="packs_checkpoint", request=CheckpointBody, responses={201: CheckpointShape})
    def post(self, request: Request, pk: int) -> Response:
        """Give the draft as it is now a name."""
        pack = find_pack(request, pk, Permission.EDIT)
        given = read_body(CheckpointBody, request)
        row = pack.checkpoints.create(revision=pack.revision, author=author_of(request), **given)
        return Response(CheckpointShape(row).data, status=201)


class CheckpointDetail(Endpoint):
    @extend_schema(operation_id="packs_checkpoint_delete", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Take a name away. The revision stays in the history."""
        rows = Checkpoint.objects.visible_to(request.user).select_related("pack__team")
        row = get_object_or_404(rows, pk=pk)
        require(request, row.pack.team, Permission.EDIT)
        row.delete()
        return Response(status=204)


class RestoreBody(Body):
    state = serializers.CharField(max_length=20, help_text=STATE)


class PackRestore(Endpoint):
    @extend_schema(
        operation_id="packs_restore_state", request=RestoreBody, responses={200: AppliedShape, 202: JobShape}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Make the draft what a version or an earlier revision was; one edit, which undo takes back.

        In a large draft a job does it (202).
        """
        pack = find_pack(request, pk, Permission.EDIT)
        old, user = find_end(pack, read_body(RestoreBody, request)["state"]), author_of(request)
        if old is None:
            raise Http404
        if is_long(old, End(pack, DRAFT)):
            return accepted(start_restoring(pack, user, old.name))
        return Response(show_applied(edited(lambda: restore_end(pack, old, user))))
