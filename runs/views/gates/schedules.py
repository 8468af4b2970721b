"""The form of a schedule: when runs for a gate start by themselves."""

from typing import Any, cast
from zoneinfo import available_timezones

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from packs.access import Permission, permissions
from packs.models import Pack
from packs.views.shared.lookup import find_pack
from packs.views.shared.signed_in import signed_in
from runs.launch.gating.scheduling import DAYS, Moment, forget, next_time, tell_beat
from runs.models import Agent, Gate, GateSchedule
from runs.models.gates import STEPS
from runs.views.gates.checks import SHORT_NAMES
from runs.views.gates.gates import gate_named, named_sets, newest_of


class ScheduleForm(forms.Form):
    """A time of the day on some days of the week or the month, in a time zone; what is run, and whether it is on."""

    agent = forms.ModelChoiceField(Agent.objects.none(), label="Agent", empty_label=None)
    at = forms.TimeField(label="At", input_formats=["%H:%M", "%H:%M:%S"], help_text="Hours and minutes, such as 02:30.")
    weekdays = forms.MultipleChoiceField(label="On", choices=list(DAYS.items()), required=False)
    month_day = forms.IntegerField(
        label="Or on a day of each month",
        required=False,
        min_value=1,
        max_value=31,
        help_text="Empty for days of the week. Of a month that is shorter it is the last day.",
    )
    every_hours = forms.TypedChoiceField(
        label="How often on that day",
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", "Once"), *((step, f"Every {step} hours" if step > 1 else "Every hour") for step in STEPS)],
    )
    zone = forms.ChoiceField(label="Time zone", help_text="The clock that the time is read from.")
    input_set = forms.ChoiceField(label="Input set", required=False)
    branch = forms.CharField(
        label="Branch", required=False, max_length=255, help_text="What the runs are of; they are compared by it."
    )
    is_on = forms.BooleanField(label="On", required=False)

    def __init__(self, pack: Pack, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        agents = Agent.objects.filter(team=pack.team, is_active=True).order_by("name")
        cast("forms.ModelChoiceField[Agent]", self.fields["agent"]).queryset = agents
        zones = sorted(zone for zone in available_timezones() if "/" in zone or zone == "UTC")
        cast(forms.ChoiceField, self.fields["zone"]).choices = [(zone, zone) for zone in zones]
        sets = named_sets(newest_of(pack))
        if sets:
            cast(forms.ChoiceField, self.fields["input_set"]).choices = [(key, key) for key in sets]
        else:
            del self.fields["input_set"]
        for name in ("agent", "at", "month_day", "every_hours", "zone", "input_set", "branch"):
            if name in self.fields:
                self.fields[name].widget.attrs["class"] = "input"
        self.fields["at"].widget.input_type = "time"

    def clean(self) -> dict[str, Any]:
        """Some day has to be chosen."""
        fields = super().clean() or {}
        has_day = fields.get("weekdays") or fields.get("month_day") or self.errors
        if not has_day:
            self.add_error("weekdays", "Choose days of the week, or a day of the month below.")
        return fields

    def save(self, row: GateSchedule, user: User) -> None:
        """Write a schedule, with its entry in the timetable; the person who saves it owns its runs."""
        fields = self.cleaned_data
        row.agent, row.zone, row.branch = fields["agent"], fields["zone"], fields["branch"].strip()
        row.hour, row.minute = fields["at"].hour, fields["at"].minute
        row.month_day, row.every_hours = fields["month_day"], fields["every_hours"]
        row.weekdays, row.is_on = "".join(sorted(fields["weekdays"])), fields["is_on"]
        row.input_set = fields.get("input_set", "")
        row.owner, row.trouble = user, ""
        row.save()
        tell_beat(row)


def initial(row: GateSchedule) -> dict[str, Any]:
    return {
        "agent": row.agent_id,
        "at": f"{row.hour:02}:{row.minute:02}",
        "weekdays": list(row.weekdays),
        "month_day": row.month_day,
        "every_hours": row.every_hours,
        "zone": row.zone,
        "input_set": row.input_set,
        "branch": row.branch,
        "is_on": row.is_on,
    }


@signed_in("GET", "POST")
def new_schedule(request: HttpRequest, team: str, slug: str, gate: str) -> HttpResponse:
    """Let runs for a gate start by themselves."""
    pack = find_pack(request.user, team, slug, Permission.RUN).pack
    return edited(request, pack, GateSchedule(pack=pack, gate=gate_named(gate)))


def find_schedule(user: Any, pk: int, needed: Permission) -> GateSchedule:
    """Raises Http404 where the user may not see it, PermissionDenied where the user may not do what `need` names."""
    rows = GateSchedule.objects.visible_to(user).select_related("pack__team", "agent", "owner", "last_run")
    row: GateSchedule = get_object_or_404(rows, pk=pk)
    if needed not in permissions(user, row.pack.team):
        raise PermissionDenied
    return row


@signed_in("GET", "POST")
def schedule(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a schedule, or switch it on or off."""
    needed = Permission.RUN if request.method == "POST" else Permission.READ
    row = find_schedule(request.user, pk, needed)
    return edited(request, row.pack, row)


def edited(request: HttpRequest, pack: Pack, row: GateSchedule) -> HttpResponse:
    """The form of a schedule; the page of its gate once it is saved."""
    short = SHORT_NAMES[row.gate]
    form = ScheduleForm(pack, request.POST) if request.method == "POST" else ScheduleForm(pack, initial=begun(row))
    if request.method == "POST" and form.is_valid():
        form.save(row, cast(User, request.user))
        moment = next_time(row)
        when = f" Next: {Moment.of(row).words}." if moment else " It is off."
        messages.success(request, f"The schedule is saved.{when}")
        return redirect("runs:gate", pack.team.slug, pack.slug, short)
    context = {
        "form": form,
        "row": row,
        "pack": pack,
        "short": short,
        "gate_label": Gate(row.gate).label,
        "next": next_time(row) if row.pk else None,
        "words": Moment.of(row).words,
        "may_run": Permission.RUN in permissions(request.user, pack.team),
    }
    return render(request, "runs/gates/schedule.html", context, status=422 if form.errors else 200)


def begun(row: GateSchedule) -> dict[str, Any]:
    """What the form begins with."""
    return initial(row) if row.pk else {**initial(row), "is_on": True}


@signed_in("POST")
def delete_schedule(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a schedule; its runs stay."""
    row = find_schedule(request.user, pk, Permission.RUN)
    place = (row.pack.team.slug, row.pack.slug, SHORT_NAMES[row.gate])
    forget(row)
    messages.success(request, "The schedule is deleted. Its runs and their verdicts stay.")
    return redirect("runs:gate", *place)
