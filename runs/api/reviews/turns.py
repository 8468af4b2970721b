"""People's turns in conversations: what is asked, and answering it."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, page, require
from packs.api.shared.pages import PAGING, page_of
from packs.api.shared.refusals import Refused, finding
from runs.jobs.trials.answering import MAX_ANSWER, answer
from runs.models import HumanTurn
from runs.results.playback import transcript

STATES = ["waiting", "answered", "expired", "withdrawn"]


class TurnSerializer(serializers.ModelSerializer[HumanTurn]):
    """A turn that a person plays."""

    run = serializers.IntegerField(source="trial.run_id")
    case_key = serializers.CharField(source="trial.case_key")
    agent = serializers.CharField(source="trial.run_agent.name")
    prompt_hint = serializers.CharField(source="hint")
    state = serializers.ChoiceField(STATES)
    answered_by = serializers.CharField(source="answered_by.username", allow_null=True, default=None)

    class Meta:
        model = HumanTurn
        fields = [
            "id",
            "run",
            "trial",
            "case_key",
            "agent",
            "turn_index",
            "phase_id",
            "prompt_hint",
            "state",
            "asked_at",
            "due_at",
            "answered_at",
            "answered_by",
            "text",
        ]


class AnswerRequest(Body):
    """What the user says."""

    text = serializers.CharField(max_length=MAX_ANSWER)


def find_turn(request: Request, pk: int) -> HumanTurn:
    """Raises Http404 for users who may not see the run."""
    rows = HumanTurn.objects.visible_to(request.user).defer("files")
    turn: HumanTurn = get_object_or_404(rows.select_related("trial__run__team", "trial__run_agent"), pk=pk)
    return turn


class Turns(Endpoint):
    @extend_schema(
        operation_id="turns_list",
        parameters=[OpenApiParameter("run", int), *PAGING],
        responses=page_of(TurnSerializer),
    )
    def get(self, request: Request) -> Response:
        """The turns that wait for a person."""
        rows = HumanTurn.objects.visible_to(request.user).waiting().defer("files")
        run = request.query_params.get("run", "")
        if run.isdecimal() and len(run) < 19:
            rows = rows.filter(trial__run=int(run))
        related = rows.select_related("trial__run", "trial__run_agent", "answered_by")
        return page(request, related, lambda row: dict(TurnSerializer(row).data), "id")


class TurnDetail(Endpoint):
    @extend_schema(operation_id="turns_show", responses=TurnSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A turn with the conversation so far as `turns`."""
        turn = find_turn(request, pk)
        return Response({**TurnSerializer(turn).data, "turns": transcript(turn.trial)})


class TurnAnswer(Endpoint):
    @extend_schema(operation_id="turns_answer", request=AnswerRequest, responses=TurnSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Say something as the user. 409 when somebody did so before, or nobody is asked any more."""
        turn = find_turn(request, pk)
        require(request, turn.trial.run.team, Permission.ANSWER)
        given = read_body(AnswerRequest, request)
        if not answer(turn, author_of(request), given["text"]):
            state = find_turn(request, pk).state
            raise Refused([finding("turn_not_waiting", f"This turn is not waiting any more: it is {state}.")], 409)
        return Response(TurnSerializer(find_turn(request, pk)).data)
