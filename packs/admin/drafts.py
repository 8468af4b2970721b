"""Packs and the nodes of their drafts."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse

from packs import editing
from packs.admin.curated import ActRefused, CuratedAdmin, TeamsInReach, pretty
from packs.companion import companion
from packs.formats import adapter_of
from packs.jobs import is_large, start_check
from packs.models import Asset, Case, Challenge, InputSet, NodeRow, Pack, PackVersion
from packs.publish import PublishRefused, archive, deprecate, publish, restore
from packs.views.workbench.addresses import url_of, workbench_url

NODE_COLUMNS = ("error_count", "warning_count", "updated_at")
NODE_HEAVY = ("document", "findings")
DOCUMENT = pretty("document", "Document")
FINDINGS = pretty("findings", "Findings")


@admin.register(Pack)
class PackAdmin(CuratedAdmin):
    """Packs with what needs a curator's eye: problems, versions, the last run."""

    heavy = NODE_HEAVY
    list_display = ("slug", "title", "team", "kind", "status", "problems", "version_count", "last_run", "updated_at")
    list_display_links = ("slug", "title")
    list_filter = ("status", "format", ("team", TeamsInReach))
    list_select_related = ("team",)
    search_fields = ("slug", "title")
    date_hierarchy = "created_at"
    ordering = ("team__name", "slug")
    actions = ("archive_packs", "restore_packs", "deprecate_packs", "recheck_packs", "publish_packs")
    fieldsets = (
        (None, {"fields": ("team", "slug", "title", "kind", "status", "revision", "problems")}),
        ("Origin", {"fields": ("source_name", "source", "created_by", "created_at", "updated_at")}),
        ("Content", {"fields": (DOCUMENT, FINDINGS)}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        versions = PackVersion.objects.filter(pack=OuterRef("pk")).order_by().values("pack")
        counted = Subquery(versions.annotate(count=Count("pk")).values("count"))
        rows: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .filter(proposal=None)
            .annotate(version_count=counted, last_run_at=companion().last_moment())
        )
        return rows

    def view_on_site(self, row: Pack) -> str:
        return url_of(row, "overview")

    def name_of(self, row: Pack) -> str:
        return f"{row} ({row.team.slug}/{row.slug})"

    @admin.display(ordering="problem_errors", description="Problems")
    def problems(self, row: Pack) -> str:
        counts = {"error": row.problem_errors, "warning": row.problem_warnings}
        return ", ".join(f"{count} {word}{'s'[: count != 1]}" for word, count in counts.items() if count) or "Valid"

    @admin.display(ordering="format", description="Format")
    def kind(self, row: Pack) -> str:
        return adapter_of(row.format).LABEL

    @admin.display(ordering="version_count", description="Versions")
    def version_count(self, row: Any) -> int:
        return row.version_count or 0

    @admin.display(ordering="last_run_at", description="Last run", empty_value="never")
    def last_run(self, row: Any) -> Any:
        return row.last_run_at

    @admin.action(description="Archive")
    def archive_packs(self, request: HttpRequest, rows: QuerySet[Pack]) -> HttpResponse | None:
        return self.confirm(request, rows, archive, question="Archive these packs?", done="Archived")

    @admin.action(description="Restore")
    def restore_packs(self, request: HttpRequest, rows: QuerySet[Pack]) -> HttpResponse | None:
        return self.confirm(request, rows, restore, question="Bring these packs back?", done="Restored")

    @admin.action(description="Deprecate")
    def deprecate_packs(self, request: HttpRequest, rows: QuerySet[Pack]) -> HttpResponse | None:
        return self.confirm(request, rows, deprecate, question="Advise against these packs?", done="Deprecated")

    @admin.action(description="Check anew")
    def recheck_packs(self, request: HttpRequest, rows: QuerySet[Pack]) -> HttpResponse | None:
        def act(row: Pack) -> None:
            if not is_large(row):
                editing.recheck(row)
            elif not start_check(row, request.user).is_open:  # type: ignore[arg-type]
                raise ActRefused("A check of this draft failed at this revision; its problems page says why.")

        question = "Check these packs again? Jobs check the large ones."
        return self.confirm(request, rows, act, question=question, done="Checked or being checked")

    @admin.action(description="Publish")
    def publish_packs(self, request: HttpRequest, rows: QuerySet[Pack]) -> HttpResponse | None:
        def act(row: Pack) -> None:
            if is_large(row):
                raise ActRefused("This draft is large; its own page publishes it, and shows how far that is.")
            try:
                publish(row, request.user)  # type: ignore[arg-type]
            except PublishRefused as refused:
                raise ActRefused(refused.message) from refused

        return self.confirm(request, rows, act, question="Publish these drafts as they stand?", done="Published")


class NodeAdmin(CuratedAdmin):
    """Nodes of drafts; they are edited in the workbench only."""

    heavy = NODE_HEAVY
    search_fields: ClassVar[Any] = ("key", "pack__slug", "pack__title")
    list_select_related: ClassVar[Any] = ("pack__team",)
    ordering = ("pack", "position")
    list_display: tuple[str, ...] = ("label", "pack", *NODE_COLUMNS)
    list_filter = (("pack__team", TeamsInReach), "pack__format", "pack__status")
    fields: ClassVar[Any] = ("pack", "key", "revision", *NODE_COLUMNS, DOCUMENT, FINDINGS)

    def view_on_site(self, row: Any) -> str:
        return workbench_url(row.pack, row)

    @admin.display(ordering="key", description="Key")
    def label(self, row: NodeRow) -> str:
        return str(row)


@admin.register(Challenge)
class ChallengeAdmin(NodeAdmin):
    """Challenges of drafts."""


@admin.register(InputSet)
class InputSetAdmin(NodeAdmin):
    """Input sets of drafts."""


@admin.register(Case)
class CaseAdmin(NodeAdmin):
    """Cases of drafts."""

    search_fields = ("key", "challenge_key", "pack__slug")
    list_select_related = ("pack__team", "input_set")
    list_display = ("label", "challenge_key", "input_set", "pack", *NODE_COLUMNS)
    fields = ("pack", "input_set", "key", "challenge_key", "revision", *NODE_COLUMNS, DOCUMENT, FINDINGS)


@admin.register(Asset)
class AssetAdmin(NodeAdmin):
    """Assets of drafts."""

    search_fields = ("key", "path", "pack__slug")
    list_display = ("label", "path", "size", "pack", *NODE_COLUMNS)
    list_select_related = ("pack__team", "blob")
    fields = ("pack", "key", "path", "size", "revision", *NODE_COLUMNS, DOCUMENT, FINDINGS)

    @admin.display(ordering="blob__size", description="Bytes", empty_value="not given")
    def size(self, row: Asset) -> int | None:
        return row.blob.size if row.blob else None
