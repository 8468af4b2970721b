"""Probes that a model suggests for a case of a draft."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.jobs import JobShape, accepted
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.headers import LOCATION
from packs.api.shared.lookup import author_of
from packs.api.shared.refusals import Refused, finding
from packs.editing import EditRefused
from runs.api.trials.tryouts import find_case
from runs.jobs.suggesting import DECISIONS, decide, offers_for, start_suggesting
from runs.models.suggestions import Suggestion


class SuggestionShape(serializers.ModelSerializer[Suggestion]):
    """An answer that a model suggests. `kind` is what the model takes it for, `known` what the case calls it already;
    `verdict` and `reason` are those of the graders."""

    case = serializers.IntegerField(source="node")

    class Meta:
        model = Suggestion
        fields = ["id", "case", "kind", "text", "why", "known", "verdict", "reason", "model", "created_at"]


class ModelOfferShape(serializers.Serializer[Any]):
    """A model that can be asked, and about what it takes; `cost_usd` is null where no price is known."""

    connection = serializers.IntegerField()
    name = serializers.CharField()
    model = serializers.CharField()
    calls = serializers.IntegerField()
    tokens = serializers.IntegerField()
    cost_usd = serializers.FloatField(allow_null=True)


class SuggestionsShape(serializers.Serializer[Any]):
    suggestions = SuggestionShape(many=True)
    offers = ModelOfferShape(many=True)


class SuggestBody(Body):
    """Which model is asked: one that a connection lists."""

    connection = serializers.IntegerField()
    model = serializers.CharField()


class DecisionBody(Body):
    """What a suggestion is: a right answer, a wrong one, or nothing to keep."""

    decision = serializers.ChoiceField(DECISIONS)


class CaseSuggestions(Endpoint):
    @extend_schema(operation_id="suggestions_list", responses=SuggestionsShape)
    def get(self, request: Request, pk: int) -> Response:
        """The suggestions that wait at a case, and who can be asked.

        Each model that can be asked comes with about what one call takes.
        """
        case = find_case(request, pk, Permission.READ)
        rows = Suggestion.objects.filter(pack=case.pack, node=case.pk)
        offers = [offer.as_dict() for offer in offers_for(case)]
        return Response({"suggestions": SuggestionShape(rows, many=True).data, "offers": offers})

    @extend_schema(
        operation_id="suggestions_ask", request=SuggestBody, responses={202: JobShape}, parameters=[LOCATION]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Have a model suggest answers to try on a case.

        With one call it is asked for wrong answers that look right and right ones that look different.
        """
        case = find_case(request, pk, Permission.RUN)
        wanted = read_body(SuggestBody, request)
        try:
            job = start_suggesting(case, wanted["connection"], wanted["model"], author_of(request))
        except EditRefused as refused:
            raise Refused([finding(refused.code, refused.message)], 422) from refused
        return accepted(job)


class SuggestionDetail(Endpoint):
    @extend_schema(operation_id="suggestions_decide", request=DecisionBody, responses={204: None})
    def post(self, request: Request, pk: int) -> Response:
        """Keep a suggestion with its case, or dismiss it.

        It goes into `proof.yaml` as a right or a wrong answer.
        """
        suggestion: Suggestion = get_object_or_404(Suggestion.objects.visible_to(request.user), pk=pk)
        case = find_case(request, suggestion.node, Permission.EDIT)
        given = read_body(DecisionBody, request)
        try:
            decide(suggestion, case, given["decision"], author_of(request))
        except EditRefused as refused:
            raise Refused([finding(refused.code, refused.message)], 422) from refused
        return Response(status=204)
