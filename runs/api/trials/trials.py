"""Trials: their events, replay, scorecard and stored document."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import choice_in, page
from packs.api.shared.pages import PAGING, page_of
from runs.api.launches.requests import refused
from runs.api.launches.runs import find_run
from runs.models import FINAL_STATUSES, Event, Trial, TrialStatus
from runs.replay.causes import CONTENT_FILTER, LENGTH
from runs.results.playback import find_steps, index_of, steps_at, transcript
from runs.results.serializers import EventSerializer, TrialDetailSerializer, TrialSerializer

CUT_OFF = [LENGTH, CONTENT_FILTER]
MAX_LIMIT = 200
DEFAULT_LIMIT = 50


def find_trial(request: Request, pk: int) -> Trial:
    """Raises Http404 for users who may not see the run."""
    trial: Trial = get_object_or_404(Trial.objects.visible_to(request.user).select_related("case"), pk=pk)
    return trial


class Trials(Endpoint):
    @extend_schema(
        operation_id="trials_list",
        parameters=[
            OpenApiParameter("status", enum=TrialStatus.values),
            OpenApiParameter("run_agent", int),
            OpenApiParameter("case_key"),
            OpenApiParameter("finish_reason", enum=CUT_OFF),
            *PAGING,
        ],
        responses=page_of(TrialSerializer),
    )
    def get(self, request: Request, pk: int) -> Response:
        """The trials of a run."""
        rows: QuerySet[Trial] = Trial.objects.filter(run=find_run(request, pk)).defer("scorecard")
        params = request.query_params
        if status := choice_in(request, "status", TrialStatus.values):
            rows = rows.filter(status=status)
        if reason := choice_in(request, "finish_reason", CUT_OFF):
            rows = rows.filter(finish_reason=reason)
        if case_key := params.get("case_key"):
            rows = rows.filter(case_key=case_key)
        if run_agent := params.get("run_agent"):
            rows = rows.filter(run_agent=whole_number("run_agent", run_agent, 0))
        return page(request, rows, lambda row: dict(TrialSerializer(row).data), "id")


class TrialDetail(Endpoint):
    @extend_schema(operation_id="trials_show", responses=TrialDetailSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A trial with its grades."""
        return Response(TrialDetailSerializer(find_trial(request, pk)).data)


class TrialEvents(Endpoint):
    @extend_schema(
        operation_id="trials_events",
        parameters=[OpenApiParameter("type"), *PAGING],
        responses=page_of(EventSerializer),
    )
    def get(self, request: Request, pk: int) -> Response:
        """The events of a trial in their order, each in its envelope (challenge-pack h.1)."""
        trial = find_trial(request, pk)
        rows: QuerySet[Event] = Event.objects.filter(trial=trial).select_related("trial")
        if kind := request.query_params.get("type"):
            rows = rows.filter(event_type=kind)
        return page(request, rows.defer("trial__scorecard"), lambda row: dict(EventSerializer(row).data), "sequence")


class TrialReplay(Endpoint):
    @extend_schema(
        operation_id="trials_replay",
        parameters=[
            OpenApiParameter("cursor", int),
            OpenApiParameter("limit", int),
            OpenApiParameter("types", description="kinds of step, separated by commas"),
            OpenApiParameter("q", description="a text that the step's events hold"),
        ],
        responses={200: OpenApiTypes.OBJECT, 202: OpenApiTypes.OBJECT, 409: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, pk: int) -> Response:
        """A window of the replay.

        The shape is that of challenge-pack h.4. 202 before the first event, 409 when none was ever recorded.
        """
        params = request.query_params
        cursor = whole_number("cursor", params.get("cursor", "0"), 0)
        limit = whole_number("limit", params.get("limit", str(DEFAULT_LIMIT)), 1, MAX_LIMIT)
        trial = find_trial(request, pk)
        index = index_of(trial)
        is_final = trial.status in FINAL_STATUSES
        about = {"run_agent_id": trial.run_agent_id, "run_id": trial.run_id, "run_agent_status": trial.status}
        if not len(index):
            state = ("errored", 409) if is_final else ("pending", 202)
            return Response({"state": state[0], **about}, status=state[1])
        kinds = [kind for kind in params.get("types", "").split(",") if kind]
        positions = find_steps(trial, index, kinds, params.get("q", ""))
        window = positions[cursor : cursor + limit]
        return Response(
            {
                "state": "ready" if is_final else "pending",
                **about,
                "replay": {
                    "id": trial.pk,
                    "summary": index.summary,
                    "latest_sequence_number": max([*index.starts, *index.ends]),
                    "event_count": index.summary["counts"]["events"],
                },
                "steps": steps_at(trial, index, window),
                "pagination": pagination(cursor, limit, len(positions)),
            },
            status=200 if is_final else 202,
        )


def pagination(cursor: int, limit: int, total: int) -> dict[str, Any]:
    has_more = cursor + limit < total
    shape = {"limit": limit, "total_steps": total, "has_more": has_more}
    return {"next_cursor": cursor + limit, **shape} if has_more else shape


class TrialTranscript(Endpoint):
    @extend_schema(operation_id="trials_transcript", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """The conversation of a trial turn by turn."""
        return Response({"turns": transcript(find_trial(request, pk))})


class TrialScorecard(Endpoint):
    @extend_schema(
        operation_id="trials_scorecard",
        responses={200: OpenApiTypes.OBJECT, 202: OpenApiTypes.OBJECT, 409: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The scorecard of a trial.

        The shape is that of challenge-pack h.6. 202 while it is not there yet, 409 when there is none.
        """
        trial = find_trial(request, pk)
        if trial.scorecard:
            about = {"state": "ready", "run_agent_id": trial.run_agent_id}
            return Response({**about, "scorecard": trial.scorecard})
        if trial.status not in FINAL_STATUSES:
            return Response({"state": "pending"}, status=202)
        return Response({"state": "errored", "fault": trial.fault, "error": trial.error}, status=409)


class TrialStored(Endpoint):
    @extend_schema(operation_id="trials_stored", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """The stored document of the trial's case: what scoring and replay read."""
        trial = find_trial(request, pk)
        return Response({"case_key": trial.case_key, "document": trial.case.stored if trial.case else None})


def whole_number(name: str, text: str, least: int, most: int = 10**12) -> int:
    """A parameter as a number. Raises Refused when it is none or out of range."""
    if not (text.isascii() and text.isdigit() and least <= int(text[:20]) <= most):
        raise refused("invalid_request", f"{name} must be a whole number from {least} to {most}.", name)
    return int(text)
