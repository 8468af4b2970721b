"""New packs: from a format's small start, or as a copy of a sample."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from packs.formats import FORMATS, adapter_of
from packs.importing import ImportRefused, create_pack
from packs.importing.starting import copy_sample, samples
from packs.models import Pack, Team
from packs.views.team_form import TeamForm


class StartForm(TeamForm):
    """What the new pack is called and what it begins as: `blank:<format>` or `sample:<name>`."""

    title = forms.CharField(max_length=200, label="Name", widget=forms.TextInput(attrs={"autofocus": True}))
    slug = forms.SlugField(
        required=False,
        max_length=120,
        label="Slug",
        help_text="The pack's place in addresses. Left empty, it is made of the name.",
    )
    start = forms.ChoiceField(label="Begin with", widget=forms.RadioSelect)

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        blanks = [(f"blank:{name}", adapter_of(name).LABEL) for name in FORMATS]
        copies = [(f"sample:{sample.name}", sample.title) for sample in samples()]
        field: Any = self.fields["start"]
        field.choices = [*blanks, *copies]
        field.initial = blanks[0][0]


def make(user: Any, data: dict[str, Any]) -> Pack:
    """The new draft. Raises ImportRefused."""
    kind, _, name = data["start"].partition(":")
    if kind == "blank":
        return create_pack(data["team"], user, name, data["title"], data["slug"] or None)
    return copy_sample(data["team"], user, name, data["title"], data["slug"])


@login_required
@require_http_methods(["GET", "POST"])
def new_pack(request: HttpRequest) -> HttpResponse:
    """Begin a pack and go to its workbench."""
    if not Team.objects.editable_by(request.user).exists():
        raise PermissionDenied
    form = StartForm(request.user, request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                pack = make(request.user, form.cleaned_data)
            except ImportRefused as refused:
                for finding in refused.findings:
                    form.add_error("slug", f"{finding.message} {finding.hint}")
            else:
                messages.success(request, f"{pack} is ready to be edited.")
                return redirect("packs:edit", pack.team.slug, pack.slug)
    chosen = request.POST.get("start") or form.fields["start"].initial
    blanks = [
        {"value": f"blank:{name}", "title": adapter.LABEL, "help": adapter.HELP}
        for name, adapter in ((name, adapter_of(name)) for name in FORMATS)
    ]
    context = {"form": form, "blanks": blanks, "samples": samples(), "chosen": chosen}
    return render(request, "packs/new.html", context, status=status)
