"""Teams, users and their keys."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin import TabularInline as PlainInline
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm as PlainPasswordForm
from django.contrib.auth.models import Group, User
from django.db.models import Count, Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.admin import TabularInline as ThemedInline
from unfold.forms import AdminPasswordChangeForm as ThemedPasswordForm
from unfold.forms import UserChangeForm, UserCreationForm

from packs.access import Permission
from packs.admin.curated import CuratedAdmin, ModelAdmin, SuperusersOnly, is_staff, is_superuser
from packs.models import Membership, Team, Token

if TYPE_CHECKING:
    Inline = PlainInline[Membership, Team]
    Accounts = DjangoUserAdmin[User]
    PasswordForm = PlainPasswordForm[User]
else:
    Inline = ThemedInline
    Accounts = DjangoUserAdmin
    PasswordForm = ThemedPasswordForm

# Roles in teams say who may do what; Django's groups are not used.
admin.site.unregister(Group)
admin.site.unregister(User)


def administers(request: HttpRequest, team: Model | None = None) -> bool:
    """Whether a member of staff may change a team, or any team where none is given."""
    if not is_staff(request):
        return False
    teams = Team.objects.administrable_by(request.user)
    return is_superuser(request) or (teams.filter(pk=team.pk) if team else teams).exists()


class MembershipInline(Inline):
    """The members of a team with their roles."""

    model = Membership
    extra = 0
    autocomplete_fields = ("user",)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return administers(request, obj)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return administers(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return administers(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return administers(request, obj)


@admin.register(Team)
class TeamAdmin(CuratedAdmin):
    """Teams; their administrators may change the members, superusers may make new teams."""

    permission = Permission.ADMINISTER
    list_display = ("name", "slug", "members", "packs", "created_at")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    inlines = (MembershipInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        packs = Count("packs", distinct=True, filter=Q(packs__proposal=None))
        counts = {"member_count": Count("memberships", distinct=True), "pack_count": packs}
        # Counted over all members, while the rows are chosen by the membership of one.
        counted: QuerySet[Any] = Team.objects.filter(pk__in=rows.values("pk")).annotate(**counts)
        return counted

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return administers(request, obj)

    @admin.display(ordering="member_count")
    def members(self, row: Any) -> int:
        return int(row.member_count)

    @admin.display(ordering="pack_count")
    def packs(self, row: Any) -> int:
        return int(row.pack_count)


class PasswordOfAnotherForm(PasswordForm):
    """A superuser gives a user a new password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text += (
            "<p>A new password ends the user's sessions. Keys for the API go on working: if somebody else may know "
            "one, revoke the user's under Keys for the API.</p>"
        )


@admin.register(User)
class UserAdmin(SuperusersOnly, Accounts, ModelAdmin):
    """Accounts. Staff who administer a team may only look names up, to make members of them."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = PasswordOfAnotherForm
    list_display = ("username", "email", "is_active", "is_staff", "is_superuser", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser")
    date_hierarchy = "date_joined"
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined")

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        match = request.resolver_match
        looks_up = match is not None and match.url_name == "autocomplete"
        return is_superuser(request) or (looks_up and administers(request))


@admin.register(Token)
class TokenAdmin(CuratedAdmin):
    """Keys for the API, to be revoked; superusers see all, other staff their own."""

    list_display = ("name", "prefix", "user", "created_at", "last_used_at", "expires_at")
    list_filter = ("last_used_at", "expires_at")
    list_select_related = ("user",)
    search_fields = ("name", "prefix", "user__username")
    date_hierarchy = "created_at"
    actions = ("revoke",)
    fields = (
        "name", "prefix", "user", "scopes", "is_for_all_teams", "pack", "created_at", "last_used_at", "last_used_from",
        "expires_at",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Token]:
        rows = Token.objects.all()
        return rows if is_superuser(request) else rows.filter(user=request.user.pk)

    @admin.action(description="Revoke")
    def revoke(self, request: HttpRequest, rows: QuerySet[Token]) -> HttpResponse | None:
        def act(row: Token) -> None:
            self.log_deletions(request, Token.objects.filter(pk=row.pk))
            row.delete()

        question = "Revoke these keys? Programs that use them are refused from then on."
        return self.confirm(request, rows, act, question=question, done="Revoked")
