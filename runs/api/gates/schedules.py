"""Schedules: runs for gates that start by themselves."""

from typing import Any
from zoneinfo import available_timezones

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.shared.bodies import read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, find_pack, number_in, page, require
from packs.api.shared.pages import PAGING, page_of
from packs.models import Pack
from runs.api.launches.requests import refused
from runs.launch.gating.scheduling import Moment, forget, next_time, tell_beat
from runs.models import Agent, Gate, GateSchedule
from runs.models.gates import STEPS


class ScheduleSerializer(serializers.ModelSerializer[GateSchedule]):
    """A schedule. `weekdays` are digits from 1 (Monday) to 7; `next_at` is empty for one that is off.

    It is empty as well while its agent lies in the bin. With a `month_day` the days of the week do not count: it is
    that day of each month, or the last of a shorter one. With `every_hours` it is due so often on its days.
    """

    pack = serializers.IntegerField(source="pack_id", read_only=True)
    gate = serializers.ChoiceField(Gate.choices, default=Gate.NIGHTLY)
    agent = serializers.CharField(source="agent.name")
    hour = serializers.IntegerField(min_value=0, max_value=23, default=2)
    minute = serializers.IntegerField(min_value=0, max_value=59, default=0)
    weekdays = serializers.RegexField(r"^[1-7]{1,7}$", default="1234567")
    month_day = serializers.IntegerField(min_value=1, max_value=31, allow_null=True, default=None)
    every_hours = serializers.ChoiceField(STEPS, allow_null=True, default=None)
    zone = serializers.CharField(default="UTC")
    next_at = serializers.SerializerMethodField()
    words = serializers.SerializerMethodField()
    last_run = serializers.SerializerMethodField()

    class Meta:
        model = GateSchedule
        fields = [
            *("id", "pack", "gate", "agent", "input_set", "hour", "minute", "weekdays"),
            *("month_day", "every_hours", "zone", "branch", "is_on"),
            *("next_at", "words", "last_run", "last_started_at", "trouble"),
        ]
        read_only_fields = ["id", "last_run", "last_started_at", "trouble"]

    def validate_zone(self, value: str) -> str:
        if value not in available_timezones():
            raise serializers.ValidationError("This is not a time zone, such as Europe/Berlin.")
        return value

    def get_last_run(self, row: GateSchedule) -> int | None:
        return row.shown_run.pk if row.shown_run else None

    def get_next_at(self, row: GateSchedule) -> str | None:
        moment = next_time(row)
        return moment.isoformat() if moment else None

    def get_words(self, row: GateSchedule) -> str:
        return Moment.of(row).words


class NewScheduleSerializer(ScheduleSerializer):
    """A schedule with the pack that it runs."""

    pack = serializers.IntegerField(source="pack_id")


def show(row: GateSchedule) -> dict[str, Any]:
    return dict(ScheduleSerializer(row).data)


def schedules_of(request: Request) -> QuerySet[GateSchedule]:
    rows: QuerySet[GateSchedule] = GateSchedule.objects.visible_to(request.user)
    return rows.select_related("pack__team", "agent")


def find_schedule(request: Request, pk: int, needed: Permission) -> GateSchedule:
    """Raises Http404 for strangers, PermissionDenied for members without the permission."""
    row = get_object_or_404(schedules_of(request), pk=pk)
    require(request, row.pack.team, needed)
    return row


def agent_named(pack: Pack, name: str) -> Agent:
    """Raises Refused where the pack's team has no such agent."""
    row: Agent | None = Agent.objects.filter(team=pack.team, name=name, is_active=True).first()
    if row is None:
        raise refused("unknown_agent", f"There is no active agent {name!r}.", "agent")
    return row


def save(request: Request, row: GateSchedule, fields: dict[str, Any]) -> GateSchedule:
    """Write a schedule, with its entry in the timetable; the person who saves it owns its runs."""
    if "agent" in fields:
        row.agent = agent_named(row.pack, fields.pop("agent")["name"])
    for name, value in fields.items():
        setattr(row, name, value)
    row.owner, row.trouble = author_of(request), ""
    row.save()
    tell_beat(row)
    return row


class Schedules(Endpoint):
    @extend_schema(
        operation_id="gate_schedules_list",
        parameters=[OpenApiParameter("pack", int), *PAGING],
        responses=page_of(ScheduleSerializer),
    )
    def get(self, request: Request) -> Response:
        """The schedules of your teams' packs."""
        rows = schedules_of(request)
        if (number := number_in(request, "pack")) is not None:
            rows = rows.filter(pack=number)
        return page(request, rows, show, "id")

    @extend_schema(
        operation_id="gate_schedules_create", request=NewScheduleSerializer, responses={201: ScheduleSerializer}
    )
    def post(self, request: Request) -> Response:
        """Let runs for a gate start by themselves."""
        fields = read_body(NewScheduleSerializer, request)
        pack = find_pack(request, fields.pop("pack_id"), Permission.RUN)
        return Response(show(save(request, GateSchedule(pack=pack), fields)), status=201)


class ScheduleDetail(Endpoint):
    @extend_schema(operation_id="gate_schedules_show", responses=ScheduleSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A schedule with the moment of its next run."""
        return Response(show(find_schedule(request, pk, Permission.READ)))

    @extend_schema(operation_id="gate_schedules_change", request=ScheduleSerializer, responses=ScheduleSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Change a schedule, or switch it on or off."""
        row = find_schedule(request, pk, Permission.RUN)
        wanted = ScheduleSerializer(row, data=request.data, partial=True)
        wanted.is_valid(raise_exception=True)
        return Response(show(save(request, row, dict(wanted.validated_data))))

    @extend_schema(operation_id="gate_schedules_delete", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a schedule; its runs stay."""
        forget(find_schedule(request, pk, Permission.RUN))
        return Response(status=204)
