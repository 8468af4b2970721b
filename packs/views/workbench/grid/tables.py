"""Tables in and out: pasted rows, CSV files and JSON Lines become cases of a set, the cases of a grid a CSV file."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render

from packs import blobs
from packs.formats.costs import MANY_CASES
from packs.formats.tables import Table
from packs.grid.alike import alike_of, likely_mapping
from packs.grid.cells import shown
from packs.grid.columns import Column
from packs.grid.merging import Merge, look_ahead
from packs.grid.tables import csv_lines
from packs.grid.taking import take_table
from packs.grid.targets import ANSWER
from packs.importing import ImportRefused
from packs.importing.previewing import TABLE, keep_table
from packs.jobs import is_large, start, start_once
from packs.mirror import as_uuid
from packs.models import GridChoice, Job, JobStatus, Upload
from packs.views.shared.fragments import wants_part
from packs.views.shared.signed_in import signed_in
from packs.views.shared.tables import ACCEPTED, SAMPLES, is_refused, is_whole, read_upload, refusal_of
from packs.views.workbench.addresses import NodeRef
from packs.views.workbench.grid.asking import Grid, open_grid


@signed_in("GET", "HEAD", "POST")
def table(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Take a table, show what it would do, and do it.

    Parameters: text or file for a new one; upload (its token), map:<index>, names, adds, `look` or `go` for one that
    waits, look (the job that looked at it).
    """
    grid = open_grid(request, team, slug, ref, to_edit=True)
    token = request.POST.get("upload", request.GET.get("upload", ""))
    if not token:
        return _take(request, grid)
    mine = Upload.objects.filter(user=grid.desk.user, team=grid.pack.team, format=TABLE, slug=grid.pack.slug)
    waiting = mine.filter(token=as_uuid(token)).first()
    if waiting is None:
        messages.info(request, "This table is no longer available. Paste or choose it again.")
        return redirect(grid.table_url)
    return _merge(request, grid, waiting)


def _take(request: HttpRequest, grid: Grid) -> HttpResponse:
    """Keep what was pasted or uploaded, and go on to its preview."""
    file = request.FILES.get("file")
    text = request.POST.get("text", "")
    if request.method != "POST":
        return render(request, "packs/workbench/grid/table.html", _context(grid))
    problem = refusal_of(file, text)
    if problem:
        context = {**_context(grid), "problem": problem, "text": text}
        return render(request, "packs/workbench/grid/table.html", context, status=422)
    blob = blobs.put_stream(file.chunks()) if file is not None else blobs.put(text.encode("utf-8", "replace"))
    name = file.name or "table.csv" if file is not None else "Pasted rows"
    waiting = keep_table(grid.pack.team, grid.desk.user, name, blob, grid.pack.slug)
    return redirect(f"{grid.url('edit-rows-table', asked=False)}?upload={waiting.token}")


def _context(grid: Grid) -> dict[str, Any]:
    return {"grid": grid, "desk": grid.desk, "pack": grid.pack, "accepted": ACCEPTED}


def _merge(request: HttpRequest, grid: Grid, waiting: Upload) -> HttpResponse:
    """Show what a table would do under a mapping, every record checked, or do it. Large ones are looked at by a job."""
    looked = _look_of(request, grid, waiting)
    has_names = looked.parameters["names"] if looked else request.method != "POST" or "names" in request.POST
    found = read_upload(waiting, has_names=has_names)
    mapping = looked.parameters["mapping"] if looked else _mapping(request, grid, found)
    adds_only = looked.parameters["adds"] if looked else "adds" in request.POST
    merge = Merge(grid.pack, grid.input_set, mapping, grid.key, adds_only=adds_only)
    is_long = not is_whole(waiting) or len(found.records) > MANY_CASES
    is_much = is_long or is_large(grid.pack)
    takes_errors = looked.parameters["errors"] if looked else "errors" in request.POST
    sent = {"names": has_names, "errors": takes_errors}
    if "go" in request.POST and is_much:
        _remember(grid, mapping)
        return _later("table", grid, waiting, merge, sent)
    if "go" in request.POST:
        _remember(grid, mapping)
        return _carry_out(request, grid, waiting, merge, found, takes_errors=takes_errors)
    if is_much and "look" in request.POST:
        return _later("table-look", grid, waiting, merge, sent)
    report = looked.outcome if looked else None if is_much else _looked_at(merge, found)
    answers = [(ANSWER, "The right answer")] if alike_of(grid.input_set).check else []
    context = {
        **_context(grid),
        "waiting": waiting,
        "report": report,
        "has_names": has_names,
        "is_json": bool(found.pointers),
        "note": found.note,
        "adds_only": adds_only,
        "takes_errors": takes_errors,
        "is_refused": report is not None and is_refused(report, takes_errors=takes_errors),
        "total": f"{len(found.records):,}" if is_whole(waiting) else "",
        "mapping": _choices(grid, found, mapping),
        "targets": [*answers, *((column.pointer, column.name) for column in grid.columns.values())],
    }
    part = "packs/workbench/grid/_merged.html"
    return render(request, part if wants_part(request) else "packs/workbench/grid/table.html", context)


def _look_of(request: HttpRequest, grid: Grid, waiting: Upload) -> Job | None:
    """The job that looked at this table, where the address names one and nothing was chosen anew. Parameter: look."""
    text = request.GET.get("look", "")
    if request.method == "POST" or not text.isdecimal() or len(text) > 18:
        return None
    jobs = Job.objects.filter(user=grid.desk.user, pack=grid.pack, kind="table-look", status=JobStatus.COMPLETED)
    job: Job | None = jobs.filter(pk=int(text)).first()
    return job if job and job.parameters["upload"] == str(waiting.token) else None


def _looked_at(merge: Merge, found: Table) -> dict[str, Any]:
    merged = merge.of(found)
    look_ahead(merge, merged)
    return merged.report()


def _carry_out(
    request: HttpRequest, grid: Grid, waiting: Upload, merge: Merge, found: Table, *, takes_errors: bool
) -> HttpResponse:
    again = f"{grid.url('edit-rows-table', asked=False)}?upload={waiting.token}"
    try:
        merged = take_table(merge, grid.desk.user, found, waiting.name, takes_errors=takes_errors)
    except ImportRefused as refused:
        count = len(refused.findings)
        messages.error(request, f"{count:,} line{'' if count == 1 else 's'} stand in the way. Nothing was written.")
        return redirect(again)
    if merged.is_empty:
        messages.info(request, "No row of the table changes anything.")
        return redirect(again)
    waiting.delete()
    messages.success(request, f"{len(merged.added)} cases were added and {len(merged.rewritten)} changed.")
    return redirect(grid.plain_url)


def _later(kind: str, grid: Grid, waiting: Upload, merge: Merge, sent: dict[str, bool]) -> HttpResponse:
    parameters = {
        "set": grid.input_set.pk,
        "upload": str(waiting.token),
        "mapping": dict(merge.mapping),
        "adds": merge.adds_only,
        **sent,
    }
    columns = {"team": grid.pack.team, "pack": grid.pack, "user": grid.desk.user}
    title = f"{'Check' if kind == 'table-look' else 'Take'} {waiting.name} {'for' if kind == 'table-look' else 'into'}"
    started = start(kind, title=f"{title} {grid.input_set.key}"[:300], parameters=parameters, **columns)
    return redirect("packs:job", started.pk)


def _mapping(request: HttpRequest, grid: Grid, found: Table) -> dict[str, str]:
    """What the names of a table stand for: as the form says, else as they look."""
    if request.method != "POST" or "map:0" not in request.POST:
        return likely_mapping(found, grid.input_set, grid.columns, grid.choice.mapping)
    given = {name: request.POST.get(f"map:{index}", "") for index, name in enumerate(found.names)}
    own = dict(zip(found.names, found.pointers, strict=False))
    return {
        name: pointer if pointer in (ANSWER, *grid.columns, own.get(name)) else "" for name, pointer in given.items()
    }


def _choices(grid: Grid, found: Table, mapping: dict[str, str]) -> list[dict[str, Any]]:
    """Each name of a table with what it stands for and some of its texts; one of JSON may stand for itself."""
    own = dict(zip(found.names, found.pointers, strict=False))
    return [
        {
            "field": f"map:{index}",
            "name": name,
            "target": mapping.get(name, ""),
            "more": [(own[name], f"{name}, as it is")] if own.get(name) and own[name] not in grid.columns else [],
            "samples": [text for _, record in found.records[:SAMPLES] if (text := shown(record[index]))],
        }
        for index, name in enumerate(found.names)
    ]


def _remember(grid: Grid, mapping: dict[str, str]) -> None:
    """Keep what names stand for, for the user's next table."""
    kept = {**grid.choice.mapping, **mapping}
    GridChoice.objects.update_or_create(user=grid.desk.user, pack=grid.pack, defaults={"mapping": kept})


@signed_in("GET")
def as_csv(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponseBase:
    """The cases that match as CSV; a job writes many. Parameters: those of the grid; `all` for all columns."""
    grid = open_grid(request, team, slug, ref)
    columns = exported(grid, everything="all" in request.GET)
    if len(grid.matches) > MANY_CASES or is_large(grid.pack):
        pointers = [column.pointer for column in columns]
        table = {"set": grid.input_set.pk, "asked": dict(grid.asked), "columns": pointers}
        named = {"team": grid.pack.team, "user": grid.desk.user, "title": f"Export {grid.input_set.key} as CSV"[:300]}
        parameters = {"table": table, "revision": grid.pack.revision}
        return redirect("packs:job", start_once("export", grid.pack, parameters, **named).pk)
    lines = csv_lines(columns, grid.matches.rows())
    name = f"{grid.pack.slug}-{grid.input_set.pk}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)


def exported(grid: Grid, *, everything: bool) -> list[Column]:
    """The columns of a CSV file: the key first, then what the user sees, or all that the cases have."""
    key = [grid.columns[grid.key]] if grid.key in grid.columns else []
    shown = [column for column in grid.columns.values() if column.filled] if everything else grid.shown
    return [*key, *(column for column in shown if column.pointer != grid.key)]
