"""What all lists of curation share: rows by role instead of by Django's permissions, read-only pages, asked acts."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from django.contrib import messages
from django.contrib.admin import ModelAdmin as PlainModelAdmin
from django.contrib.admin import RelatedFieldListFilter, display
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html
from unfold.admin import ModelAdmin as ThemedModelAdmin

from packs.access import Permission
from packs.models import Team

# The theme has no types of its own; its classes keep to Django's.
if TYPE_CHECKING:
    ModelAdmin = PlainModelAdmin[Any]
else:
    ModelAdmin = ThemedModelAdmin

# Longer documents are cut on the page; the studio and its exports have them whole.
MAX_SHOWN = 100_000
SHOWN_NAMES = 100


class TeamsInReach(RelatedFieldListFilter):
    """A filter by team that names only the teams whose rows the list can show."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        teams = Team.objects.all()
        if not is_superuser(request):
            teams = teams.allowed_to(request.user, model_admin.permission)
        return field.get_choices(
            include_blank=False, ordering=("name",), limit_choices_to={"pk__in": teams.values("pk")}
        )


class ActRefused(Exception):
    """An act that cannot be done to one of the chosen rows; the others are done. The text says why."""


def is_staff(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_staff)


def is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)


def pretty(field: str, label: str) -> Any:
    """A read-only field of a page that shows a JSON column, indented and in the order it was written.

    It is a function, which Django takes in `fields` although its types do not say so.
    """

    @display(description=label)
    def shown(row: Model) -> str:
        text = json.dumps(getattr(row, field), indent=2, ensure_ascii=False)
        if len(text) > MAX_SHOWN:
            text = f"{text[:MAX_SHOWN]}\n… {len(text) - MAX_SHOWN} more characters"
        # It scrolls, so the keyboard must reach it; it takes the room that there is: no long word widens the page.
        looks = "overflow-auto max-h-96 whitespace-pre-wrap break-words w-0 grow"
        return format_html('<div class="flex w-full"><pre tabindex="0" class="{}">{}</pre></div>', looks, text)

    return shown


class ReadOnly:
    """Mixin for rows that nobody types into."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class CuratedAdmin(ReadOnly, ModelAdmin):
    """Rows that staff may look at and act on but not type into.

    Superusers see all rows, other staff those of teams in which their role grants `permission`. `heavy` names columns
    that lists do not load.
    """

    permission = Permission.CURATE
    heavy: tuple[str, ...] = ()
    show_full_result_count = False
    list_per_page = 50
    compressed_fields = True

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_staff(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_staff(request) and (obj is None or self.get_queryset(request).filter(pk=obj.pk).exists())

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: Any = super().get_queryset(request).defer(*self.heavy)
        if not is_superuser(request):
            rows = rows.allowed_to(request.user, self.permission)
        return cast(QuerySet[Any], rows)

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        """The page of a row, without its link into the studio for people who are not members of the row's team."""
        response: Any = super().render_change_form(request, context, add, change, form_url, obj)
        shown = response.context_data
        if shown["absolute_url"] and not type(obj).objects.visible_to(request.user).filter(pk=obj.pk).exists():
            shown.update(has_absolute_url=False, absolute_url=None)
        return cast(HttpResponse, response)

    def confirm(
        self, request: HttpRequest, rows: QuerySet[Any], act: Callable[[Any], Any], *, question: str, done: str
    ) -> HttpResponse | None:
        """Ask whether an act is meant, with the chosen rows named, then do it to each and write it into its history.

        `done` says in the past tense what happened to a row.
        """
        if "confirmed" not in request.POST:
            return self.ask(request, rows, question)
        count = 0
        for row in rows:
            try:
                act(row)
            except ActRefused as refused:
                self.message_user(request, f"{self.name_of(row)}: {refused}", messages.ERROR)
                continue
            self.log_change(request, row, done)
            count += 1
        if count:
            self.message_user(request, f"{done}: {count}.", messages.SUCCESS)
        return None

    def name_of(self, row: Any) -> str:
        """What a row is called where it must not be mistaken for another."""
        return str(row)

    def ask(self, request: HttpRequest, rows: QuerySet[Any], question: str) -> HttpResponse:
        names = [self.name_of(row) for row in rows[:SHOWN_NAMES]]
        count = rows.count()
        context = {
            **self.admin_site.each_context(request),
            "title": question,
            "opts": self.opts,
            "media": self.media,
            "names": names,
            "hidden": count - len(names),
            "count": count,
            "chosen": request.POST.getlist(ACTION_CHECKBOX_NAME),
            "checkbox": ACTION_CHECKBOX_NAME,
            "action": request.POST["action"],
            "across": request.POST.get("select_across", "0"),
        }
        return TemplateResponse(request, "admin/confirm_act.html", context)


class SuperusersOnly:
    """Mixin for rows of the site itself, which belong to no team."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_superuser(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_superuser(request)
