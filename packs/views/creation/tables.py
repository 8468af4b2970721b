"""New packs from tables: cells are pasted or a file is chosen, columns are mapped, every row is checked."""

from dataclasses import asdict, replace
from pathlib import PurePosixPath
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs import blobs
from packs.formats import FORMATS, adapter_of
from packs.formats.beginning import ANSWERS
from packs.formats.costs import MANY_CASES
from packs.formats.kinds import KINDS
from packs.formats.tables import Table
from packs.grid.beginnings import Recipe, check, foreseen, likely_recipe, look, make
from packs.grid.cells import shown
from packs.grid.taking import create_from_table
from packs.grid.targets import ANSWER, is_place, targets_of
from packs.importing import ImportRefused
from packs.importing.previewing import TABLE, keep_table
from packs.jobs import start
from packs.mirror import as_uuid
from packs.models import Job, JobStatus, Team, Upload
from packs.views.creation.starts import first_page
from packs.views.shared.fragments import wants_part
from packs.views.shared.signed_in import signed_in
from packs.views.shared.tables import ACCEPTED, SAMPLES, is_refused, is_whole, read_upload, refusal_of
from packs.views.shared.team_form import TeamForm

PASTED = "Pasted cells"
PAGE, PART = "packs/tables/new.html", "packs/tables/_new.html"


@signed_in("GET", "POST")
def new_table(request: HttpRequest) -> HttpResponse:
    """Take a table, show what it would be as a pack, and make the pack.

    Parameters: text or file, and team, for a new one; upload (its token), title, slug, format, mapped (the format that
    the columns were mapped to), check, map:<index>, names, errors, `look` or `go` for one that waits, look (the job
    that looked at it).
    """
    if not Team.objects.editable_by(request.user).exists():
        raise PermissionDenied
    token = request.POST.get("upload", request.GET.get("upload", ""))
    if not token:
        return take(request)
    mine = Upload.objects.editable_by(request.user).filter(user=cast(User, request.user), format=TABLE, slug="")
    waiting = mine.select_related("team", "blob").filter(token=as_uuid(token)).first()
    if waiting is None:
        messages.info(request, "This table is no longer available. Paste or choose it again.")
        return redirect("packs:new-table")
    return begin(request, waiting)


def take(request: HttpRequest) -> HttpResponse:
    """Keep what was pasted or uploaded, and go on to its columns."""
    form = TeamForm(request.user, request.POST or None)
    file, text = request.FILES.get("file"), request.POST.get("text", "")
    context = {"form": form, "accepted": ACCEPTED, "text": text}
    if request.method != "POST":
        return render(request, PAGE, context)
    is_chosen = "team" in request.POST
    if is_chosen and not form.is_valid():
        return render(request, PAGE, {**context, "problem": "Choose one of your teams."}, status=422)
    team = form.cleaned_data["team"] if is_chosen else form.teams[0]
    problem = refusal_of(file, text)
    if problem:
        return render(request, PAGE, {**context, "problem": problem}, status=422)
    blob = blobs.put_stream(file.chunks()) if file is not None else blobs.put(text.encode("utf-8", "replace"))
    name = file.name or "table" if file is not None else PASTED
    waiting = keep_table(team, cast(User, request.user), name, blob)
    return redirect(f"{request.path}?upload={waiting.token}")


def begin(request: HttpRequest, waiting: Upload) -> HttpResponse:
    """Show what a table would be, every record checked, or make the pack. Large tables are looked at by a job."""
    looked = look_of(request, waiting)
    sent = looked.parameters if looked else request.POST
    has_names = looked.parameters["names"] if looked else request.method != "POST" or "names" in sent
    takes_errors = looked.parameters["errors"] if looked else "errors" in sent
    table = read_upload(waiting, has_names=has_names)
    recipe = Recipe(**looked.parameters["recipe"]) if looked else recipe_of(request, waiting, table)
    is_long = not is_whole(waiting) or len(table.records) > MANY_CASES
    if is_long and {"look", "go"} & request.POST.keys():
        kind = "table-pack" if "go" in sent else "table-pack-look"
        return later(kind, waiting, recipe, {"names": has_names, "errors": takes_errors})
    problem = ""
    if "go" in request.POST:
        try:
            return make_pack(request, waiting, recipe, table, takes_errors=takes_errors)
        except ImportRefused as refused:
            problem = " ".join(f"{each.message} {each.hint}" for each in refused.findings[:1])
    report = looked.outcome if looked else None if is_long else report_of(foreseen(recipe), table)
    context = {
        "waiting": waiting,
        # A part that replaces another must leave the focus where it is.
        "is_part": wants_part(request),
        "recipe": recipe,
        "report": report,
        "problem": problem,
        "has_names": has_names,
        "takes_errors": takes_errors,
        "is_refused": report is not None and is_refused(report, takes_errors=takes_errors),
        "is_json": bool(table.pointers),
        "note": table.note,
        "total": f"{len(table.records):,}" if is_whole(waiting) else "",
        **choices(recipe, table),
    }
    status = 422 if problem else 200
    return render(request, PART if wants_part(request) else PAGE, context, status=status)


def report_of(recipe: Recipe, table: Table) -> dict[str, Any]:
    """What a table would be, every record checked."""
    return check(recipe, make(recipe, table)).found.report()


def recipe_of(request: HttpRequest, waiting: Upload, table: Table) -> Recipe:
    """What becomes of a table: as the form says, else as it looks."""
    sent = request.POST
    title = sent.get("title", "" if waiting.name == PASTED else PurePosixPath(waiting.name).stem)
    wanted = sent.get("format", "")
    likely = likely_recipe(table, wanted if wanted in FORMATS else "", title)
    if "map:0" in sent and sent.get("mapped") == likely.format:
        given = {name: sent.get(f"map:{index}", "") for index, name in enumerate(table.names)}
        mapping = {name: to if to == ANSWER or is_place(to) else "" for name, to in given.items()}
        likely = replace(likely, mapping=mapping)
    kinds = adapter_of(likely.format).FIRST_CHECKS
    return replace(
        likely, slug=sent.get("slug", ""), check=sent["check"] if sent.get("check") in kinds else likely.check
    )


def look_of(request: HttpRequest, waiting: Upload) -> Job | None:
    """The job that looked at this table, where the address names one and nothing was chosen anew. Parameter: look."""
    text = request.GET.get("look", "")
    if request.method == "POST" or not text.isdecimal() or len(text) > 18:
        return None
    jobs = Job.objects.filter(user=waiting.user, kind="table-pack-look", status=JobStatus.COMPLETED)
    found: Job | None = jobs.filter(pk=int(text)).first()
    return found if found and found.parameters["upload"] == str(waiting.token) else None


def make_pack(
    request: HttpRequest, waiting: Upload, recipe: Recipe, table: Table, *, takes_errors: bool
) -> HttpResponse:
    """Make the pack and go to its first case. Raises ImportRefused."""
    pack = create_from_table(waiting.team, cast(User, request.user), recipe, table, takes_errors=takes_errors)
    waiting.delete()
    messages.success(request, f"{pack} has {pack.cases.count():,} cases and is ready to be edited.")
    return redirect(first_page(pack))


def later(kind: str, waiting: Upload, recipe: Recipe, sent: dict[str, bool]) -> HttpResponse:
    title = f"{'Check' if kind == 'table-pack-look' else 'Create a pack from'} {waiting.name}"
    parameters = {"upload": str(waiting.token), "recipe": asdict(recipe), **sent}
    started = start(kind, team=waiting.team, user=waiting.user, title=title[:300], parameters=parameters)
    return redirect("packs:job", started.pk)


def choices(recipe: Recipe, table: Table) -> dict[str, Any]:
    """What can be chosen: formats, checks, what each column stands for; and the first records under this choice."""
    targets = targets_of(recipe.format)
    words = dict(targets.names())
    adapters = [(name, adapter_of(name)) for name in FORMATS]
    kinds = [kind for kind in ANSWERS if kind in adapter_of(recipe.format).FIRST_CHECKS]
    mapped = [recipe.mapping.get(name, "") for name in table.names]
    return {
        "formats": [{"name": name, "title": adapter.LABEL, "help": adapter.HELP} for name, adapter in adapters],
        "checks": [{"value": kind, "label": KINDS[kind].label, "answer": ANSWERS[kind]} for kind in kinds]
        if ANSWER in mapped
        else [],
        "targets": list(words.items()),
        "mapping": [
            {
                "field": f"map:{index}",
                "name": name,
                "target": mapped[index],
                "more": more_of(table, index, recipe, words),
                "samples": [text for _, record in table.records[:SAMPLES] if (text := shown(record[index]))],
            }
            for index, name in enumerate(table.names)
        ],
        "heads": [words.get(to, name) for name, to in zip(table.names, mapped, strict=True) if to],
        "rows": look(recipe, table),
    }


def more_of(table: Table, index: int, recipe: Recipe, words: dict[str, str]) -> list[tuple[str, str]]:
    """What only this column can stand for: the place that it has in a record of JSON, or a fact in the metadata."""
    name = table.names[index]
    own = table.pointers[index] if table.pointers else ""
    fact = targets_of(recipe.format).metadata(name)
    found = {own: f"{name}, as it is", fact: f"Metadata: {name}"}
    return [(value, text) for value, text in found.items() if value and value not in words]
