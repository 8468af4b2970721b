"""Second factors in curation."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from packs.admin.curated import ModelAdmin, SuperusersOnly
from studio.models import SecondFactor
from studio.second_factor.keeping import reset


@admin.register(SecondFactor)
class SecondFactorAdmin(SuperusersOnly, ModelAdmin):
    """Who has one; to delete it is to reset it, for people who lost their phone."""

    list_display = ("user", "created_at")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    date_hierarchy = "created_at"
    fields = ("user", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        reset(obj.user, by=cast("User", request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for row in queryset.select_related("user"):
            self.delete_model(request, row)
