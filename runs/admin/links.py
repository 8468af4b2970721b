"""Links to runs, comparisons and replays: who made them, and who took them back. Their addresses are not shown."""

from django.contrib import admin

from packs.admin.curated import CuratedAdmin, TeamsInReach
from runs.models import SharedPage


@admin.register(SharedPage)
class SharedPageAdmin(CuratedAdmin):
    """Links, newest first."""

    list_display = ("subject", "team", "created_by", "created_at", "expires_at", "ended_by", "ended_at")
    list_filter = (("team", TeamsInReach),)
    list_select_related = ("team", "created_by", "ended_by")
    search_fields = ("subject", "created_by__username")
    date_hierarchy = "created_at"
    ordering = ("-pk",)
    fields = ("subject", "team", "created_by", "created_at", "expires_at", "ended_by", "ended_at")
