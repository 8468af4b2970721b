"""Curation of connections and secrets: what there is and who set it, never a key."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from packs.access import Permission
from packs.admin.curated import CuratedAdmin, TeamsInReach, pretty
from runs.models import Connection, Secret


@admin.register(Connection)
class ConnectionAdmin(CuratedAdmin):
    """Connections; they are changed on their own page."""

    permission = Permission.ADMINISTER
    heavy = ("sealed_key",)
    list_display = ("name", "team", "base_url", "provider", "is_active", "key_set_at", "updated_at")
    list_filter = ("is_active", "provider", ("team", TeamsInReach))
    list_select_related = ("team",)
    search_fields = ("name", "base_url")
    date_hierarchy = "created_at"
    actions = ("activate", "deactivate")
    fields = (
        *("team", "name", "base_url", "provider", "is_active", "key_set_at", pretty("model_list", "Models")),
        *("max_concurrent", "requests_per_minute", "timeout_seconds", "max_retries", "has_responses"),
        *("created_by", "created_at", "updated_at"),
    )

    def view_on_site(self, row: Connection) -> str:
        return reverse("runs:connection", args=[row.pk])

    def set_active(self, row: Connection, is_active: bool) -> None:
        row.is_active = is_active
        row.save(update_fields=["is_active", "updated_at"])

    @admin.action(description="Activate")
    def activate(self, request: HttpRequest, rows: QuerySet[Connection]) -> HttpResponse | None:
        question = "Let agents and judges use these connections?"
        return self.confirm(request, rows, lambda row: self.set_active(row, True), question=question, done="Activated")

    @admin.action(description="Deactivate")
    def deactivate(self, request: HttpRequest, rows: QuerySet[Connection]) -> HttpResponse | None:
        question = "Keep agents and judges from using these connections?"
        return self.confirm(
            request, rows, lambda row: self.set_active(row, False), question=question, done="Deactivated"
        )


@admin.register(Secret)
class SecretAdmin(CuratedAdmin):
    """The names of secrets."""

    permission = Permission.ADMINISTER
    heavy = ("sealed_value",)
    list_display = ("name", "team", "updated_by", "updated_at")
    list_filter = (("team", TeamsInReach),)
    list_select_related = ("team", "updated_by")
    search_fields = ("name",)
    date_hierarchy = "updated_at"
    fields = ("team", "name", "updated_by", "updated_at")
