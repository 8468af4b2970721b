"""Published versions and their cases."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from packs import blobs
from packs.admin.curated import CuratedAdmin, TeamsInReach, pretty
from packs.models import PackVersion, VersionCase, VersionStatus
from packs.publish import set_version_status


@admin.register(PackVersion)
class PackVersionAdmin(CuratedAdmin):
    """Versions: their status may change, their content never."""

    heavy = ("document", "challenges", "assets", "files", "lineage")
    list_display = ("pack", "number", "team", "status", "case_count", "short_digest", "published_by", "published_at")
    list_display_links = ("pack", "number")
    list_filter = ("status", "pack__format", ("pack__team", TeamsInReach))
    list_select_related = ("pack__team", "published_by")
    search_fields = ("pack__slug", "pack__title", "digest", "notes")
    date_hierarchy = "published_at"
    ordering = ("-published_at", "-pk")
    actions = ("archive_versions", "deprecate_versions", "restore_versions")
    fieldsets = (
        (None, {"fields": ("pack", "number", "status", "whole_digest", "download", "case_count", "notes")}),
        ("Origin", {"fields": ("revision", "published_by", "published_at")}),
        (
            "Content",
            {
                "fields": (
                    *(pretty("document", "Document"), pretty("challenges", "Challenges"), pretty("assets", "Assets")),
                    *(pretty("files", "Files"), pretty("lineage", "Lineage")),
                )
            },
        ),
    )

    def view_on_site(self, row: PackVersion) -> str:
        return reverse("packs:version", args=[row.pack.team.slug, row.pack.slug, row.number])

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.send)
        return [path("<int:pk>/archive/", view, name="packs_packversion_archive"), *super().get_urls()]

    def send(self, request: HttpRequest, pk: int) -> FileResponse:
        """The canonical files of a version as one ZIP archive."""
        row = self.get_queryset(request).select_related("pack").filter(pk=pk).first()
        if row is None or not self.has_view_permission(request):
            raise Http404
        stream = blobs.open_stream(row.archive_id)
        return FileResponse(stream, as_attachment=True, filename=f"{row.pack.slug}-{row.number}.zip")

    @admin.display(ordering="pack__team", description="Team")
    def team(self, row: PackVersion) -> Any:
        return row.pack.team

    @admin.display(description="Digest")
    def short_digest(self, row: PackVersion) -> str:
        return row.digest[:12]

    @admin.display(description="SHA-256")
    def whole_digest(self, row: PackVersion) -> str:
        """It takes the room that there is, so that it makes no page wider than a phone."""
        return format_html('<div class="flex w-full"><span class="break-words w-0 grow">{}</span></div>', row.digest)

    @admin.display(description="Canonical files")
    def download(self, row: PackVersion) -> str:
        url = reverse("admin:packs_packversion_archive", args=[row.pk])
        return format_html('<a href="{}" class="text-link">{}-{}.zip</a>', url, row.pack.slug, row.number)

    def set_status(
        self, request: HttpRequest, rows: QuerySet[PackVersion], status: VersionStatus, question: str
    ) -> HttpResponse | None:
        return self.confirm(
            request, rows, lambda row: set_version_status(row, status), question=question, done=str(status.label)
        )

    @admin.action(description="Archive")
    def archive_versions(self, request: HttpRequest, rows: QuerySet[PackVersion]) -> HttpResponse | None:
        return self.set_status(request, rows, VersionStatus.ARCHIVED, "Archive these versions?")

    @admin.action(description="Deprecate")
    def deprecate_versions(self, request: HttpRequest, rows: QuerySet[PackVersion]) -> HttpResponse | None:
        return self.set_status(request, rows, VersionStatus.DEPRECATED, "Advise against these versions?")

    @admin.action(description="Make runnable again")
    def restore_versions(self, request: HttpRequest, rows: QuerySet[PackVersion]) -> HttpResponse | None:
        return self.set_status(request, rows, VersionStatus.RUNNABLE, "Make these versions runnable again?")


@admin.register(VersionCase)
class VersionCaseAdmin(CuratedAdmin):
    """Published cases, with the stored document that runs use."""

    heavy = ("document", "stored")
    list_display = ("key", "challenge_key", "input_set", "version", "position")
    list_filter = ("version__status", ("version__pack__team", TeamsInReach))
    list_select_related = ("input_set", "version__pack__team")
    search_fields = ("key", "challenge_key", "version__pack__slug", "digest")
    ordering = ("-version", "position")
    fields = (
        *("version", "input_set", "position", "key", "challenge_key", "digest"),
        *(pretty("document", "Document"), pretty("stored", "Stored document")),
    )

    def view_on_site(self, row: VersionCase) -> str:
        pack = row.version.pack
        return reverse("packs:version-case", args=[pack.team.slug, pack.slug, row.version.number, row.pk])
