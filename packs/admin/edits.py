"""Every change of every draft."""

from django.contrib import admin

from packs.admin.curated import CuratedAdmin, TeamsInReach, pretty
from packs.models import Edit


@admin.register(Edit)
class EditAdmin(CuratedAdmin):
    """Edits, newest first; undone ones stay listed."""

    heavy = ("old", "new", "place")
    list_display = ("at", "author", "pack", "action", "kind", "node", "pointer", "label", "state")
    list_filter = (
        "action",
        "kind",
        "undone",
        ("pack__team", TeamsInReach),
        ("author", admin.RelatedOnlyFieldListFilter),
    )
    list_select_related = ("author", "pack")
    search_fields = ("pack__slug", "author__username", "label", "pointer")
    date_hierarchy = "at"
    fields = (
        *("pack", "at", "author", "label", "action", "kind", "node", "pointer", "revision", "undone", "group"),
        *(pretty("old", "Before"), pretty("new", "After"), pretty("place", "Place")),
    )

    @admin.display(ordering="undone", description="State")
    def state(self, row: Edit) -> str:
        return "Undone" if row.undone else "Stands"
