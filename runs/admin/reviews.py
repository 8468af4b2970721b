"""Reviews that people gave: kept so that one can see who said what, and when."""

from django.contrib import admin

from packs.admin.curated import CuratedAdmin, TeamsInReach, pretty
from runs.models import Review


@admin.register(Review)
class ReviewAdmin(CuratedAdmin):
    """Reviews, newest first."""

    list_display = ("id", "request", "reviewer", "updated_at")
    list_filter = (("request__trial__run__team", TeamsInReach),)
    list_select_related = ("request__trial__run_agent", "reviewer")
    search_fields = ("request__trial__case_key", "reviewer__username", "comment")
    date_hierarchy = "created_at"
    ordering = ("-pk",)
    fields = ("request", "reviewer", pretty("scores", "Scores"), "comment", "created_at", "updated_at")
