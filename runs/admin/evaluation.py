"""Agents, runs, trials and the signs of life of workers."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from packs.admin.curated import ActRefused, CuratedAdmin, ModelAdmin, ReadOnly, SuperusersOnly, TeamsInReach, pretty
from runs.jobs.trials.control import cancel
from runs.models import Agent, Run, RunAgent, Trial, WorkerBeat


@admin.register(Agent)
class AgentAdmin(CuratedAdmin):
    """Agents as configured; they are changed on their own page."""

    list_display = ("name", "kind", "team", "is_active", "created_by", "updated_at")
    list_filter = ("is_active", "kind", ("team", TeamsInReach))
    list_select_related = ("team", "created_by")
    search_fields = ("name", "kind")
    date_hierarchy = "created_at"
    actions = ("activate", "deactivate")
    fields = (
        *("team", "name", "kind", "is_active", pretty("config", "Configuration")),
        *("created_by", "created_at", "updated_at"),
    )

    def view_on_site(self, row: Agent) -> str:
        return reverse("runs:agent", args=[row.pk])

    def set_active(self, row: Agent, is_active: bool) -> None:
        row.is_active = is_active
        row.save(update_fields=["is_active", "updated_at"])

    @admin.action(description="Activate")
    def activate(self, request: HttpRequest, rows: QuerySet[Agent]) -> HttpResponse | None:
        question = "Let runs use these agents?"
        return self.confirm(request, rows, lambda row: self.set_active(row, True), question=question, done="Activated")

    @admin.action(description="Deactivate")
    def deactivate(self, request: HttpRequest, rows: QuerySet[Agent]) -> HttpResponse | None:
        return self.confirm(
            request,
            rows,
            lambda row: self.set_active(row, False),
            question="Keep these agents out of new runs?",
            done="Deactivated",
        )


@admin.register(Run)
class RunAdmin(CuratedAdmin):
    """Runs, newest first."""

    heavy = ("scorecard", "metadata")
    list_display = ("id", "name", "team", "version", "status", "trial_count", "created_by", "created_at", "finished_at")
    list_display_links = ("id", "name")
    list_filter = ("status", ("team", TeamsInReach))
    list_select_related = ("team", "version__pack", "created_by")
    search_fields = ("name", "version__pack__slug")
    date_hierarchy = "created_at"
    actions = ("cancel_runs",)
    fields = (
        *("team", "name", "version", "input_set", "selection", "status", "trials_per_case", "trial_count"),
        *(pretty("counts", "Trials by status"), "max_iterations", "created_by", "created_at", "started_at"),
        *("finished_at", "cancel_requested_at", pretty("scorecard", "Scorecard"), pretty("metadata", "Metadata")),
    )

    def view_on_site(self, row: Run) -> str:
        return reverse("runs:show", args=[row.pk])

    @admin.action(description="Cancel")
    def cancel_runs(self, request: HttpRequest, rows: QuerySet[Run]) -> HttpResponse | None:
        def act(row: Run) -> None:
            if not cancel(row):
                raise ActRefused("has ended already, or is being cancelled.")

        return self.confirm(request, rows, act, question="Cancel these runs?", done="Cancelled")


@admin.register(RunAgent)
class RunAgentAdmin(CuratedAdmin):
    """Agents as they were when a run started."""

    heavy = ("config", "summary")
    list_display = ("name", "kind", "run", "position")
    list_filter = ("kind", ("run__team", TeamsInReach))
    list_select_related = ("run",)
    search_fields = ("name", "run__name")
    ordering = ("-run", "position")
    fields = (
        *("run", "agent", "position", "name", "kind"),
        *(pretty("config", "Configuration"), pretty("summary", "Summary")),
    )

    def view_on_site(self, row: RunAgent) -> str:
        return reverse("runs:show", args=[row.run_id])


@admin.register(Trial)
class TrialAdmin(CuratedAdmin):
    """Trials, newest first, mostly to see what went wrong and whose fault it was."""

    heavy = ("scorecard", "final_output")
    list_display = (
        "id",
        "case_key",
        "run",
        "run_agent",
        "number",
        "status",
        "fault",
        "score",
        "attempt",
        "finished_at",
    )
    list_display_links = ("id", "case_key")
    list_filter = ("status", "fault", "stop_reason", ("run__team", TeamsInReach))
    list_select_related = ("run", "run_agent")
    search_fields = ("case_key", "challenge_key", "run__name", "error")
    date_hierarchy = "finished_at"
    ordering = ("-pk",)
    fields = (
        *("run", "run_agent", "case_key", "challenge_key", "number", "status", "fault", "error", "score"),
        *("stop_reason", "attempt", "lease", "lease_until", "event_count", "started_at", "finished_at"),
        *("final_output", pretty("scorecard", "Scorecard")),
    )

    def view_on_site(self, row: Trial) -> str:
        return reverse("runs:trial", args=[row.pk])


@admin.register(WorkerBeat)
class WorkerBeatAdmin(ReadOnly, SuperusersOnly, ModelAdmin):
    """Signs of life of workers; they write these rows themselves."""

    list_display = ("name", "seen_at", "started_at", "slots")
    search_fields = ("name",)
    ordering = ("-seen_at",)
    fields = ("name", "seen_at", "started_at", "slots")
