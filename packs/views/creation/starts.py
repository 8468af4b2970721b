"""New packs: from the three answers that make a first case, or as a copy of a sample."""

from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.formats import FORMATS, adapter_of
from packs.formats.beginning import ANSWERS, AnswerRefused, First
from packs.formats.document import NodeKind
from packs.formats.kinds import KINDS
from packs.importing import ImportRefused, create_pack
from packs.importing.starting import copy_sample, samples
from packs.models import Pack, Team
from packs.views.shared.signed_in import signed_in
from packs.views.shared.team_form import TeamForm
from packs.views.workbench.addresses import NodeRef, node_url, url_of

BLANK = "blank:"


def long_text(label: str, placeholder: str, hint: str = "") -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 2, "placeholder": placeholder})
    return forms.CharField(label=label, help_text=hint, widget=widget)


class StartForm(TeamForm):
    """What the new pack is called and what it begins as: `blank:<format>` with three answers, or `sample:<name>`."""

    title = forms.CharField(max_length=200, label="Name", widget=forms.TextInput(attrs={"autofocus": True}))
    slug = forms.SlugField(
        required=False,
        max_length=120,
        label="Slug",
        help_text="The pack's place in addresses. Left empty, it is made of the name.",
    )
    start = forms.ChoiceField(label="Format", widget=forms.RadioSelect)
    question = long_text("What is the agent asked?", "Where is parcel PX-1?", "The first case. More follow later.")
    answer = long_text("What is a right answer?", "Leeds")
    check = forms.ChoiceField(label="How is it checked?", widget=forms.RadioSelect)

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        blanks = [(f"{BLANK}{name}", adapter_of(name).LABEL) for name in FORMATS]
        copies = [(f"sample:{sample.name}", sample.title) for sample in samples()]
        field: Any = self.fields["start"]
        field.choices = [*blanks, *copies]
        field.initial = blanks[0][0]
        field = self.fields["check"]
        field.choices = [(kind, KINDS[kind].label) for kind in ANSWERS]
        for name in ("question", "answer", "check"):
            self.fields[name].required = self.chosen("start").startswith(BLANK)

    def chosen(self, name: str) -> str:
        """The choice that the page shows: as it was sent, else the first one."""
        field: Any = self.fields[name]
        known = [value for value, _ in field.choices]
        given = str(self[name].value() or "")
        return given if given in known else known[0]

    def checks(self) -> list[dict[str, Any]]:
        """The kinds of check that packs of the chosen format can begin with, of which one is chosen."""
        name = self.chosen("start").removeprefix(BLANK)
        known = [kind for kind in ANSWERS if name in FORMATS and kind in adapter_of(name).FIRST_CHECKS]
        chosen = self.chosen("check") if self.chosen("check") in known else next(iter(known), "")
        return [
            {"value": kind, "label": KINDS[kind].label, "answer": ANSWERS[kind], "is_chosen": kind == chosen}
            for kind in known
        ]

    def clean(self) -> dict[str, Any]:
        """The answers have to make a first case that has no errors."""
        data = super().clean() or self.cleaned_data
        format_name = data.get("start", "").removeprefix(BLANK)
        if format_name not in FORMATS or not {"question", "answer", "check"} <= data.keys():
            return data
        first = First(unix(data["question"]), unix(data["answer"]), data["check"])
        if first.check in adapter_of(format_name).FIRST_CHECKS:
            self.add_findings(format_name, first)
        else:
            self.add_error("check", f"{adapter_of(format_name).LABEL}s have no such check. Choose another one.")
        return {**data, "first": first}

    def add_findings(self, format_name: str, first: First) -> None:
        """Say at the answer what is wrong with the first case."""
        adapter = adapter_of(format_name)
        try:
            found = [item for item in adapter.check(adapter.starter("new", "New", first)) if item.is_error]
        except AnswerRefused as refused:
            self.add_error("answer", str(refused))
            return
        for finding in found:
            self.add_error("answer", f"{finding.message} {finding.hint}")


def unix(text: str) -> str:
    """A text as it was typed: browsers send other line ends."""
    return text.replace("\r\n", "\n")


def make(user: Any, data: dict[str, Any]) -> Pack:
    """The new draft. Raises ImportRefused."""
    kind, _, name = data["start"].partition(":")
    if kind == "blank":
        return create_pack(data["team"], user, name, data["title"], data["slug"] or None, data["first"])
    return copy_sample(data["team"], user, name, data["title"], data["slug"])


@signed_in("GET", "POST")
def new_pack(request: HttpRequest) -> HttpResponse:
    """Begin a pack and go to its first case. GET parameters: start and check, which are chosen at first."""
    if not Team.objects.editable_by(request.user).exists():
        raise PermissionDenied
    chosen = {name: request.GET[name] for name in ("start", "check") if name in request.GET}
    form = StartForm(request.user, request.POST or None, initial=chosen)
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
                return redirect(first_page(pack))
    context = {"form": form, "formats": formats(), "samples": samples(), "chosen": form.chosen("start")}
    context["can_bind"] = Team.objects.administrable_by(request.user).exists()
    return render(request, "packs/new.html", context, status=status)


def formats() -> list[dict[str, str]]:
    adapters = ((name, adapter_of(name)) for name in FORMATS)
    return [{"value": f"{BLANK}{name}", "title": adapter.LABEL, "help": adapter.HELP} for name, adapter in adapters]


def first_page(pack: Pack) -> str:
    """The page of the first case; that of a pack without cases."""
    case = pack.cases.order_by("input_set__position", "position").values_list("pk", flat=True).first()
    return url_of(pack, "edit") if case is None else node_url(pack, NodeRef(NodeKind.CASE, case))
