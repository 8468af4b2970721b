"""Secrets of teams: only names are shown, and only to administrators."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from packs.access import Permission, permissions
from packs.models import Team
from packs.views.shared.signed_in import signed_in
from runs.models import Secret
from runs.models.connections import SECRET_NAME


class Unshown(forms.Textarea):
    """A text that the page never shows again, not even when it is refused."""

    def format_value(self, value: Any) -> str:
        return ""


class SecretForm(forms.Form):
    """A secret of a team. A name that the team has already is given the new value."""

    team = forms.ModelChoiceField(Team.objects.none(), empty_label=None)
    name = forms.CharField(
        max_length=120,
        validators=[SECRET_NAME],
        help_text="Tools and agents name it as ${secrets.NAME}.",
        widget=forms.TextInput(attrs={"class": "input input--mono", "autocomplete": "off"}),
    )
    value = forms.CharField(
        max_length=20_000,
        strip=False,
        help_text="It is encrypted, shown to nobody again, and cut out of what trials record, plain words excepted.",
        widget=Unshown(attrs={"class": "input input--mono", "rows": 2, "autocomplete": "off"}),
    )

    def __init__(self, teams: Any, data: Any = None) -> None:
        super().__init__(data)
        field: Any = self.fields["team"]
        field.queryset, field.initial = teams, teams.first()
        self.is_for_one_team = len(teams) == 1

    def keep(self, user: User) -> Secret:
        """Store the value under its name."""
        wanted = {"team": self.cleaned_data["team"], "name": self.cleaned_data["name"]}
        row = Secret.objects.filter(**wanted).first() or Secret(**wanted)
        row.set_value(self.cleaned_data["value"])
        row.updated_by = user
        row.save()
        return row


@sensitive_post_parameters("value")
@signed_in("GET", "POST")
def secret_list(request: HttpRequest) -> HttpResponse:
    """The secrets of the teams that the user administers, and the form that sets one."""
    teams = Team.objects.administrable_by(request.user).order_by("name")
    if not teams:
        raise PermissionDenied
    form = SecretForm(teams, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        row = form.keep(cast(User, request.user))
        messages.success(request, f"{row.name} is stored.")
        for warning in row.warnings:
            messages.warning(request, warning)
        return redirect("runs:secrets")
    rows = Secret.objects.filter(team__in=teams).select_related("team", "updated_by")
    rows = rows.order_by("team__name", Lower("name"))
    context = {"secrets": rows, "form": form, "teams": teams}
    return render(request, "runs/agents/secrets.html", context, status=422 if form.errors else 200)


@signed_in("POST")
def delete_secret(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a secret. Strangers get 404, members who may not do it 403."""
    row: Secret = get_object_or_404(Secret.objects.visible_to(request.user).select_related("team"), pk=pk)
    if Permission.ADMINISTER not in permissions(request.user, row.team):
        raise PermissionDenied
    row.delete()
    messages.success(request, f"{row.name} is forgotten.")
    return redirect("runs:secrets")
