"""Comments on the fields of a draft."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.nodes import MAX_ID
from packs.api.shared import shapes
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, choice_in, find_pack, page_together, require
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import edit_refused
from packs.editing import EditRefused
from packs.editing.comments import MAX_TEXT, answer, begun, comment_on, set_done, threads
from packs.formats.document import NodeKind
from packs.formats.findings import to_pointer
from packs.models import Comment, Pack

STATES = ("open", "done")
ACTS = ("answer", "done", "reopen")


class SaidShape(serializers.Serializer[Any]):
    """What one person said."""

    author = serializers.CharField(help_text="Empty where the account was deleted.")
    at = serializers.DateTimeField()
    text = serializers.CharField()


class CommentShape(SaidShape):
    """A comment on a field. `pointer` leads to where the field is now; null where it is gone."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(shapes.KINDS)
    node = serializers.IntegerField()
    pointer = serializers.CharField(allow_null=True)
    mentions = serializers.ListField(child=serializers.CharField(), help_text="User names.")
    is_done = serializers.BooleanField()
    answers = SaidShape(many=True)


class CommentBody(Body):
    """A new comment; an empty `pointer` stands for the whole node."""

    kind = serializers.ChoiceField(shapes.KINDS)
    node = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    pointer = serializers.CharField(required=False, default="", allow_blank=True, trim_whitespace=False)
    text = serializers.CharField(max_length=MAX_TEXT)


class RespondBody(Body):
    """What is done with a comment; `text` is an answer's."""

    act = serializers.ChoiceField(ACTS)
    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=MAX_TEXT)


class Comments(Endpoint):
    @extend_schema(
        operation_id="comments_list",
        parameters=[OpenApiParameter("state", enum=STATES), *PAGING],
        responses=page_of(CommentShape),
    )
    def get(self, request: Request, pk: int) -> Response:
        """The comments of a draft with their answers, oldest first.

        `state` leaves only those that are open or done.
        """
        pack, state = find_pack(request, pk), choice_in(request, "state", STATES)
        rows = begun(pack).filter(done_at__isnull=state == "open") if state else begun(pack)
        return page_together(request, rows, lambda found: show_comments(pack, found), "id")

    @extend_schema(operation_id="comments_add", request=CommentBody, responses={201: CommentShape})
    def post(self, request: Request, pk: int) -> Response:
        """Comment on a field of a draft; `@name` in the text mentions a member of the team."""
        pack = find_pack(request, pk, Permission.REVIEW)
        wish = read_body(CommentBody, request)
        node = NodeKind(wish["kind"]), wish["node"]
        try:
            said = comment_on(pack, node, wish["pointer"], wish["text"], author_of(request))
        except EditRefused as refused:
            raise edit_refused(refused) from refused
        return Response(show_comments(pack, [said])[0], 201)


class CommentDetail(Endpoint):
    @extend_schema(operation_id="comments_respond", request=RespondBody, responses=CommentShape)
    def post(self, request: Request, pk: int) -> Response:
        """Answer a comment, mark it as done, or open it again."""
        rows = Comment.objects.visible_to(request.user).filter(thread=None)
        comment: Comment = get_object_or_404(rows.select_related("pack__team", "author"), pk=pk)
        require(request, comment.pack.team, Permission.REVIEW)
        given = read_body(RespondBody, request)
        act, text = given["act"], given["text"]
        try:
            if act == "answer":
                answer(comment, text, author_of(request))
            else:
                set_done(comment, author_of(request) if act == "done" else None)
        except EditRefused as refused:
            raise edit_refused(refused) from refused
        return Response(show_comments(comment.pack, [comment])[0])


def show_comments(pack: Pack, found: list[Comment]) -> list[dict[str, Any]]:
    return [
        {
            **show_said(thread.comment),
            "id": thread.comment.pk,
            "kind": thread.comment.kind,
            "node": thread.comment.node,
            "pointer": to_pointer(thread.path) if thread.path is not None else None,
            "mentions": [user.get_username() for user in thread.comment.mentions.all()],
            "is_done": thread.comment.done_at is not None,
            "answers": [show_said(said) for said in thread.comment.answers.all()],
        }
        for thread in threads(pack, found)
    ]


def show_said(said: Comment) -> dict[str, Any]:
    return {"author": said.author.get_username() if said.author else "", "at": said.at, "text": said.text}
