"""A new pack from a folder of a Git repository, to which it is bound from then on."""

from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from packs.jobs import start_new_from_repository
from packs.jobs.repositories import NEW
from packs.models import Job, Team
from packs.remotes import RemoteRefused, remote
from packs.views.shared.folder_form import FolderFields
from packs.views.shared.signed_in import signed_in
from packs.views.shared.team_form import TeamForm


class NewFolderForm(TeamForm, FolderFields):
    """The folder, the team that gets the pack, and the slug where that of the files is not wanted."""

    slug = forms.SlugField(
        required=False,
        max_length=120,
        label="Slug",
        help_text="The pack's place in addresses. Left empty, it is made of what the files state.",
    )

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.teams = Team.objects.administrable_by(user).distinct()
        field: Any = self.fields["team"]
        field.queryset, field.initial = self.teams, self.teams.first()
        self.offer(dict.fromkeys(name for team in self.teams for name in remote().secret_names(team.pk)))

    def clean(self) -> dict[str, Any]:
        """A secret must be one of the team's own."""
        data = super().clean() or self.cleaned_data
        secret, team = data.get("secret"), data.get("team")
        if secret and team and secret not in remote().secret_names(team.pk):
            self.add_error("secret", f"{team} has no secret of this name.")
        return data


def looked_at(request: HttpRequest) -> dict[str, Any]:
    """What the form of a folder begins with: what the user's last look was at, or nothing."""
    wanted = request.GET.get("look", "")
    if not wanted:
        return {}
    jobs = Job.objects.visible_to(request.user).filter(user=request.user.pk, kind=NEW)
    found = get_object_or_404(jobs, pk=int(wanted) if wanted.isdecimal() and len(wanted) < 19 else 0)
    return {**found.parameters["repository"], "slug": found.parameters["slug"], "team": found.team_id}


@signed_in("GET", "POST")
def new_from_repository(request: HttpRequest) -> HttpResponse:
    """Have a job look at a folder; its page shows what the pack would be, creates it, and binds it.

    The parameter look, the id of such a job, fills in what it looked at.
    """
    if not Team.objects.administrable_by(request.user).exists():
        raise PermissionDenied
    form = NewFolderForm(request.user, request.POST or None, initial=looked_at(request))
    if form.is_valid():
        given, user = form.cleaned_data, cast(User, request.user)
        try:
            return redirect("packs:job", start_new_from_repository(given["team"], user, form.place(), given["slug"]).pk)
        except RemoteRefused as refused:
            form.refuse(refused)
    return render(request, "packs/git/new.html", {"form": form}, status=422 if form.is_bound else 200)
