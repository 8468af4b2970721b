"""Links to runs, comparisons and replays for people without an account."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, page
from packs.api.shared.pages import PAGING, page_of
from runs.api.launches.requests import refused
from runs.models import SharedPage
from runs.results.sharing import FORMS, MOST_DAYS, MOST_LINKS, USUAL_DAYS, Shareable, find_shareable, read_subject
from runs.views.sharing.shares import make_link, page_file

OF = OpenApiParameter("of", required=True, description=f"{FORMS}.")


class ShareRequest(Body):
    """What is shared, and for how many days."""

    of = serializers.CharField(max_length=200, help_text="As the parameter `of` of the list.")
    days = serializers.IntegerField(required=False, default=USUAL_DAYS, min_value=1, max_value=MOST_DAYS)


class ShareShape(serializers.Serializer[Any]):
    """A link. `state` is `live`, `expired` or `taken back`; `url` is null unless it is live."""

    id = serializers.IntegerField()
    of = serializers.CharField()
    state = serializers.ChoiceField(["live", "expired", "taken back"])
    url = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField(allow_null=True)
    expires_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    ended_by = serializers.CharField(allow_null=True)


def shown(request: Request, link: SharedPage) -> dict[str, Any]:
    url = request.build_absolute_uri(reverse("runs:shared", args=[link.token]))
    return {
        "id": link.pk,
        "of": link.subject,
        "state": link.state,
        "url": url if link.state == "live" else None,
        "created_at": link.created_at,
        "created_by": link.created_by and link.created_by.get_username(),
        "expires_at": link.expires_at,
        "ended_at": link.ended_at,
        "ended_by": link.ended_by and link.ended_by.get_username(),
    }


def _found(request: Request, text: str, needed: Permission = Permission.CURATE) -> Shareable:
    return find_shareable(request.user, read_subject(text), needed)


class Shares(Endpoint):
    @extend_schema(operation_id="shares_list", parameters=[OF, *PAGING], responses=page_of(ShareShape))
    def get(self, request: Request) -> Response:
        """The links to a run, a comparison or a replay, those that ended too, the newest first. For curators."""
        shareable = _found(request, request.query_params.get("of", ""))
        rows = SharedPage.objects.filter(team=shareable.team, subject=str(shareable.subject))
        return page(request, rows.select_related("created_by", "ended_by"), lambda row: shown(request, row), "-id")

    @extend_schema(operation_id="shares_create", request=ShareRequest, responses={201: ShareShape})
    def post(self, request: Request) -> Response:
        """Make a link: everybody who has it sees the page without an account, until it ends. For curators."""
        given = read_body(ShareRequest, request)
        shareable = _found(request, given["of"])
        link = make_link(shareable, author_of(request), str(given["days"]))
        if link is None:
            raise refused("too_many_links", f"There are {MOST_LINKS} links to this already.", "of", "Revoke one first.")
        return Response(shown(request, link), status=201)


class ShareFile(Endpoint):
    @extend_schema(operation_id="shares_file", parameters=[OF], responses={(200, "text/html"): OpenApiTypes.BINARY})
    def get(self, request: Request) -> HttpResponse:
        """A run, a comparison or a replay as one HTML file with its pictures."""
        shareable = _found(request, request.query_params.get("of", ""), Permission.READ)
        return page_file(shareable)


class ShareDetail(Endpoint):
    @extend_schema(operation_id="shares_end", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Take a link back: from now on it shows nothing. For curators."""
        link = get_object_or_404(SharedPage.objects.visible_to(request.user), pk=pk)
        _found(request, link.subject)
        link.take_back(author_of(request))
        return Response(status=204)
