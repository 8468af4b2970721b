"""The timetable of periodic tasks (django-celery-beat) in the looks of curation; for superusers."""

from typing import Any

from django.contrib import admin
from django_celery_beat import admin as beat
from django_celery_beat.models import (
    ClockedSchedule,
    CrontabSchedule,
    IntervalSchedule,
    PeriodicTask,
    SolarSchedule,
)
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from packs.admin.curated import ModelAdmin, SuperusersOnly
from packs.celery import app

for model in (PeriodicTask, IntervalSchedule, CrontabSchedule, SolarSchedule, ClockedSchedule):
    admin.site.unregister(model)


class TaskSelect(UnfoldAdminSelectWidget, beat.TaskSelectWidget):  # type: ignore[misc]  # neither has types
    """The names of the tasks that workers know."""

    celery_app = app


class PeriodicTaskForm(beat.PeriodicTaskForm):  # type: ignore[misc]  # no types
    """The form of django-celery-beat with themed controls."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["task"].widget = UnfoldAdminTextInputWidget()
        self.fields["regtask"].widget = TaskSelect()


@admin.register(PeriodicTask)
class PeriodicTaskAdmin(SuperusersOnly, beat.PeriodicTaskAdmin, ModelAdmin):  # type: ignore[misc]  # no types
    """Tasks that are sent by a timetable."""

    form = PeriodicTaskForm
    celery_app = app


@admin.register(IntervalSchedule)
class IntervalScheduleAdmin(SuperusersOnly, beat.IntervalScheduleAdmin, ModelAdmin):  # type: ignore[misc]  # no types
    """Every so often."""


@admin.register(CrontabSchedule)
class CrontabScheduleAdmin(SuperusersOnly, beat.CrontabScheduleAdmin, ModelAdmin):  # type: ignore[misc]  # no types
    """At times as cron writes them."""


@admin.register(SolarSchedule)
class SolarScheduleAdmin(SuperusersOnly, ModelAdmin):
    """By the sun."""


@admin.register(ClockedSchedule)
class ClockedScheduleAdmin(SuperusersOnly, beat.ClockedScheduleAdmin, ModelAdmin):  # type: ignore[misc]  # no types
    """At one moment."""
