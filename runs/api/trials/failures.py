"""Making a case of a failed trial."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, find_pack
from packs.api.shared.refusals import Refused, edit_refused, finding
from packs.api.shared.shapes import show_node_detail
from packs.editing import EditRefused
from runs.api.launches.requests import refused
from runs.models import Trial
from runs.results.failures import (
    Drafted,
    Duplicate,
    draft,
    duplicates_of,
    failure_of,
    find_place,
    keep,
    places_of,
    worded,
    wording_in,
)

MAX_ID = 2**63 - 1


class CaseRequest(Body):
    """What a failed trial is to become; what is left out is as the trial suggests.

    `input_set` is an id in the draft; left out, the set that the format has for failures, or the one like the trial's.
    `step` is a step of the replay, from 1. With `dry_run` nothing is written; `anyway` makes a case that the draft has.
    """

    pack = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    input_set = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID)
    step = serializers.IntegerField(required=False, min_value=1, max_value=10**9)
    title = serializers.CharField(required=False, allow_blank=True, max_length=400)
    key = serializers.CharField(required=False, allow_blank=True, max_length=200)
    request = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    expected = serializers.ListField(child=serializers.CharField(), required=False)
    forbidden = serializers.ListField(child=serializers.CharField(), required=False)
    dry_run = serializers.BooleanField(required=False, default=False)
    anyway = serializers.BooleanField(required=False, default=False)


class TrialCase(Endpoint):
    @extend_schema(
        operation_id="trials_make_case",
        request=CaseRequest,
        responses={201: OpenApiTypes.OBJECT, 200: OpenApiTypes.OBJECT},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Make a case of a trial in a draft. 201 with the new node, 200 with what it would be for a dry run.

        409 when the draft has a case that was made of the same trial, or that asks the same.
        """
        trial = find_trial(request, pk)
        given = read_body(CaseRequest, request)
        pack = find_pack(request, given["pack"], Permission.EDIT)
        place = find_place(places_of(pack), given.get("input_set"), trial.case.input_set.key if trial.case else "")
        if place is None:
            raise refused("invalid_request", "The draft has no such input set for failures.", "input_set")
        suggested = failure_of(trial, given.get("step"))
        failure = worded(suggested, wording_in(given, suggested))
        drafted = draft(pack, place, failure)
        duplicates = duplicates_of(pack, drafted.document, failure)
        if given["dry_run"]:
            return Response(show_drafted(drafted, duplicates))
        if not given["anyway"] and any(not found.is_source for found in duplicates):
            raise Refused([described(found) for found in duplicates if not found.is_source], 409)
        try:
            row = keep(pack, place, failure, author_of(request))
        except EditRefused as refusal:
            raise edit_refused(refusal) from refusal
        return Response(show_node_detail(row), status=201)


def find_trial(request: Request, pk: int) -> Trial:
    """Raises Http404 for users who may not see the run."""
    related = ("run__version__pack", "run_agent", "case__input_set")
    trial: Trial = get_object_or_404(Trial.objects.visible_to(request.user).select_related(*related), pk=pk)
    return trial


def show_drafted(drafted: Drafted, duplicates: list[Duplicate]) -> dict[str, Any]:
    """What would be made, and the cases that it would repeat."""
    return {
        "key": drafted.key,
        "document": drafted.document,
        "findings": [found.as_dict() for found in drafted.findings],
        "duplicates": [
            {"case": found.case.pk, "key": found.case.key, "reason": found.reason, "is_source": found.is_source}
            for found in duplicates
        ],
    }


def described(found: Duplicate) -> Any:
    """A duplicate as the finding that refuses a request."""
    words = {"same_trace": "was made of this trial", "same_text": "holds the same request"}[found.reason]
    return finding(
        "duplicate_case", f"Case {found.case.pk} ({found.case.key}) {words}. Send anyway to make another one."
    )
