"""Proposals of a pack, and approvals of drafts."""

from collections.abc import Callable
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.jobs import JobShape, accepted
from packs.api.nodes import edited, show_applied
from packs.api.shared import shapes
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, find_pack, page, require
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, edit_refused, finding
from packs.editing import Applied, EditRefused
from packs.editing.approvals import MAX_TEXT, approval_of, judge
from packs.editing.proposals import MAX_TITLE, ask, close, merge, merged, propose, take_in
from packs.formats.comparing import conflict_dict
from packs.jobs import is_large, start_comparing, start_proposing
from packs.jobs.comparing import compared, kept, parameters_for
from packs.models import Proposal


class ProposalShape(serializers.Serializer[Any]):
    """A proposal. `draft` is the id of its draft, which is edited, compared and commented like that of a pack."""

    id = serializers.IntegerField()
    pack = serializers.IntegerField()
    number = serializers.IntegerField()
    title = serializers.CharField()
    draft = serializers.IntegerField()
    base_revision = serializers.IntegerField()
    status = serializers.ChoiceField(Proposal.Status.choices)
    is_approved = serializers.BooleanField(help_text="Whether somebody else approved it as it is now.")
    author = serializers.CharField(help_text="Empty where the account was deleted.")
    created_at = serializers.DateTimeField()


class MergeConflictShape(serializers.Serializer[Any]):
    """What draft and proposal changed in different ways. Values are texts; null where a side has nothing."""

    name = serializers.CharField()
    kind = serializers.CharField()
    key = serializers.CharField()
    input_set = serializers.CharField(allow_null=True)
    field = serializers.CharField()
    pointer = serializers.CharField()
    before = serializers.CharField(allow_null=True)
    ours = serializers.CharField(allow_null=True)
    theirs = serializers.CharField(allow_null=True)


class ProposalDetailShape(ProposalShape):
    conflicts = MergeConflictShape(many=True)


class ProposalBody(Body):
    title = serializers.CharField(max_length=MAX_TITLE)


class MergeBody(Body):
    """Names of conflicts: those that were looked at, and those of them in which the proposal wins."""

    seen = serializers.ListField(child=serializers.CharField(), required=False, default=list, max_length=10_000)
    theirs = serializers.ListField(child=serializers.CharField(), required=False, default=list, max_length=10_000)


class JudgeBody(Body):
    """What somebody says of a draft at a revision, the one that was looked at."""

    approves = serializers.BooleanField()
    revision = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=MAX_TEXT)


class JudgedShape(serializers.Serializer[Any]):
    is_approved = serializers.BooleanField()
    revision = serializers.IntegerField()


class Proposals(Endpoint):
    @extend_schema(operation_id="proposals_list", parameters=PAGING, responses=page_of(ProposalShape))
    def get(self, request: Request, pk: int) -> Response:
        """The proposals of a pack, the newest first."""
        rows = find_pack(request, pk).proposals.select_related("author", "draft")
        return page(request, rows, show_proposal, "-number")

    @extend_schema(operation_id="proposals_add", request=ProposalBody, responses={201: ProposalShape, 202: JobShape})
    def post(self, request: Request, pk: int) -> Response:
        """Begin a proposal with a copy of the draft. Of a large draft a job makes the copy (202)."""
        pack = find_pack(request, pk, Permission.EDIT)
        author, title = author_of(request), read_body(ProposalBody, request)["title"]
        if is_large(pack):
            return accepted(start_proposing("propose", pack, author, {"title": title}))
        try:
            made = propose(pack, author, title)
        except EditRefused as refused:
            raise edit_refused(refused) from refused
        return Response(show_proposal(made), 201)


def find_proposal(request: Request, pk: int, needed: Permission) -> Proposal:
    """Raises Http404 for strangers, PermissionDenied for members without the permission."""
    rows = Proposal.objects.visible_to(request.user).select_related("pack__team", "draft", "author")
    found: Proposal = get_object_or_404(rows, pk=pk)
    require(request, found.pack.team, needed)
    return found


class ProposalDetail(Endpoint):
    @extend_schema(operation_id="proposals_read", responses={200: ProposalDetailShape, 202: JobShape})
    def get(self, request: Request, pk: int) -> Response:
        """A proposal with the conflicts that merging it would have.

        A job looks for those of large drafts: 202, and the answer once it is completed.
        """
        found = find_proposal(request, pk, Permission.READ)
        if not found.is_open or not (is_large(found.pack) or is_large(found.draft)):
            conflicts = [conflict_dict(each) for each in (merged(found).conflicts if found.is_open else ())]
        elif job := compared(found.pack, parameters := parameters_for(found)):
            conflicts = kept(job).more["conflicts"]
        else:
            return accepted(start_comparing(found.pack, author_of(request), parameters))
        return Response(show_proposal(found) | {"conflicts": conflicts})


class ProposalMerge(Endpoint):
    @extend_schema(
        operation_id="proposals_merge", request=MergeBody, responses={200: shapes.AppliedShape, 202: JobShape}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Merge a proposal into the draft of its pack.

        Refused while a conflict is not among those `seen`. In a large draft a job does it (202).
        """
        return bring(request, pk, "merge", merge)


class ProposalTakeIn(Endpoint):
    @extend_schema(
        operation_id="proposals_take_in", request=MergeBody, responses={200: shapes.AppliedShape, 202: JobShape}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take what the draft of the pack has by now into a proposal.

        Refused while a conflict is not among those `seen`; the draft wins those that `theirs` does not name. In a
        large draft a job does it (202).
        """
        return bring(request, pk, "take-in", take_in)


def bring(request: Request, pk: int, kind: str, act: Callable[..., Applied]) -> Response:
    """Merge the draft of a proposal and that of its pack, one into the other."""
    found = find_proposal(request, pk, Permission.EDIT)
    wish, author = read_body(MergeBody, request), author_of(request)
    if is_large(found.pack) or is_large(found.draft):
        parameters = {"proposal": found.pk, "seen": wish["seen"], "chosen": wish["theirs"]}
        return accepted(start_proposing(kind, found.pack, author, parameters))
    return Response(show_applied(edited(lambda: act(found, author, wish["seen"], wish["theirs"]))))


class ProposalAsk(Endpoint):
    @extend_schema(operation_id="proposals_ask", request=None, responses=ProposalShape)
    def post(self, request: Request, pk: int) -> Response:
        """Ask for a review of a proposal."""
        return done(find_proposal(request, pk, Permission.EDIT), ask)


class ProposalClose(Endpoint):
    @extend_schema(operation_id="proposals_close", request=None, responses=ProposalShape)
    def post(self, request: Request, pk: int) -> Response:
        """Close a proposal without merging it."""
        return done(find_proposal(request, pk, Permission.EDIT), lambda found: close(found, author_of(request)))


def done(found: Proposal, act: Callable[[Proposal], None]) -> Response:
    try:
        act(found)
    except EditRefused as refused:
        raise edit_refused(refused) from refused
    return Response(show_proposal(found))


class Judgement(Endpoint):
    @extend_schema(operation_id="packs_judge", request=JudgeBody, responses=JudgedShape)
    def post(self, request: Request, pk: int) -> Response:
        """Approve a draft, of a pack or a proposal, as it was at a revision, or send it back."""
        pack = find_pack(request, pk, Permission.REVIEW)
        wish = read_body(JudgeBody, request)
        if wish["revision"] != pack.revision:
            raise Refused([finding("conflict", f"The draft is at revision {pack.revision} now.")], 409)
        try:
            judge(pack, author_of(request), approves=wish["approves"], text=wish["text"])
        except EditRefused as refused:
            raise edit_refused(refused) from refused
        return Response({"is_approved": approval_of(pack) is not None, "revision": pack.revision})


def show_proposal(found: Proposal) -> dict[str, Any]:
    return {
        "id": found.pk,
        "pack": found.pack_id,
        "number": found.number,
        "title": found.title,
        "draft": found.draft_id,
        "base_revision": found.base_revision,
        "status": found.status,
        "is_approved": approval_of(found.draft) is not None,
        "author": found.author.get_username() if found.author else "",
        "created_at": found.created_at,
    }
