"""Tables in and out: pasted rows and CSV files become cases of a set, the cases of a grid a CSV file."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from packs import blobs
from packs.editing import change_cases
from packs.grid.columns import Column
from packs.grid.tables import Merge, Table, csv_lines, guessed, look_ahead, read_table
from packs.importing.previewing import TABLE
from packs.jobs import start
from packs.mirror import as_uuid
from packs.models import GridChoice, Upload
from packs.views.fragments import wants_part
from packs.views.workbench.addresses import NodeRef
from packs.views.workbench.grid.asking import Grid, open_grid

WAITS = timedelta(hours=24)
MAX_BYTES = 256 * 1024 * 1024
SAMPLES = 5
# Longer tables are taken by a job, and only so many records are worked out for the preview.
MANY = 2000


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Take a table, show what it would do, and do it.

    Parameters: text or file for a new one; upload (its token), map:<index>, names, adds, `go` for one that waits.
    """
    grid = open_grid(request, team, slug, ref, to_edit=True)
    token = request.POST.get("upload", request.GET.get("upload", ""))
    if not token:
        return _take(request, grid)
    mine = Upload.objects.filter(user=grid.desk.user, team=grid.pack.team, format=TABLE, slug=grid.pack.slug)
    waiting = mine.filter(token=as_uuid(token)).first()
    if waiting is None:
        messages.info(request, "This table does not wait any more. Paste or choose it again.")
        return redirect(grid.table_url)
    return _merge(request, grid, waiting)


def _take(request: HttpRequest, grid: Grid) -> HttpResponse:
    """Keep what was pasted or uploaded, and go on to its preview."""
    file = request.FILES.get("file")
    text = request.POST.get("text", "")
    if request.method != "POST":
        return render(request, "packs/workbench/grid/table.html", _context(grid))
    if file is None and not text.strip():
        context = {**_context(grid), "problem": "Paste rows, or choose a CSV file."}
        return render(request, "packs/workbench/grid/table.html", context, status=422)
    if file is not None and (file.size or 0) > MAX_BYTES:
        context = {**_context(grid), "problem": f"The file is larger than {MAX_BYTES // 1024 // 1024} MB."}
        return render(request, "packs/workbench/grid/table.html", context, status=422)
    blob = blobs.put_stream(file.chunks()) if file is not None else blobs.put(text.encode("utf-8", "replace"))
    name = file.name or "table.csv" if file is not None else "Pasted rows"
    waiting = Upload.objects.create(
        team=grid.pack.team,
        user=grid.desk.user,
        name=name[:300],
        inner_name=name[:300],
        blob=blob,
        format=TABLE,
        slug=grid.pack.slug,
        expires_at=timezone.now() + WAITS,
    )
    return redirect(f"{grid.url('edit-rows-table', asked=False)}?upload={waiting.token}")


def _context(grid: Grid) -> dict[str, Any]:
    return {"grid": grid, "desk": grid.desk, "pack": grid.pack}


def _merge(request: HttpRequest, grid: Grid, waiting: Upload) -> HttpResponse:
    """Show what a table would do under a mapping, or do it."""
    has_names = request.method != "POST" or "names" in request.POST
    text = blobs.read(waiting.blob).decode("utf-8-sig", "replace")
    found = read_table(text, has_names=has_names)
    mapping = _mapping(request, grid, found)
    merge = Merge(grid.pack, grid.input_set, mapping, grid.key, adds_only="adds" in request.POST)
    total = len(found.records)
    if "go" in request.POST and total > MANY:
        _remember(grid, mapping)
        return _later(grid, waiting, merge, has_names=has_names)
    merged = merge.of(Table(found.names, found.records[:MANY]))
    if "go" in request.POST and not merged.is_empty:
        _remember(grid, mapping)
        label = f"Table of {len(found.records)} rows: {waiting.name}"
        change_cases(
            grid.pack,
            grid.desk.user,
            merged.changes,
            input_set=grid.input_set.pk,
            added=merged.added,
            label=label,
        )
        waiting.delete()
        messages.success(request, f"{len(merged.added)} cases were added and {merged.changed} changed.")
        return redirect(grid.plain_url)
    look_ahead(merge, merged)
    context = {
        **_context(grid),
        "waiting": waiting,
        "merged": merged,
        "has_names": has_names,
        "adds_only": merge.adds_only,
        "total": total,
        "worked_out": MANY if total > MANY else 0,
        "mapping": _choices(grid, found, mapping),
    }
    part = "packs/workbench/grid/_merged.html"
    return render(request, part if wants_part(request) else "packs/workbench/grid/table.html", context)


def _later(grid: Grid, waiting: Upload, merge: Merge, *, has_names: bool) -> HttpResponse:
    parameters = {
        "set": grid.input_set.pk,
        "upload": str(waiting.token),
        "mapping": dict(merge.mapping),
        "names": has_names,
        "adds": merge.adds_only,
    }
    columns = {"team": grid.pack.team, "pack": grid.pack, "user": grid.desk.user}
    title = f"Take {waiting.name} into {grid.input_set.key}"[:300]
    return redirect("packs:job", start("table", title=title, parameters=parameters, **columns).pk)


def _mapping(request: HttpRequest, grid: Grid, found: Table) -> dict[str, str]:
    """What the names of a table stand for: as the form says, else as they look."""
    if request.method == "POST" and "map:0" in request.POST:
        given = {name: request.POST.get(f"map:{index}", "") for index, name in enumerate(found.names)}
        return {name: pointer if pointer in grid.columns else "" for name, pointer in given.items()}
    return guessed(found.names, grid.columns, grid.choice.mapping)


def _choices(grid: Grid, found: Table, mapping: dict[str, str]) -> list[dict[str, Any]]:
    """Each name of a table with what it stands for and some of its texts."""
    return [
        {
            "field": f"map:{index}",
            "name": name,
            "pointer": mapping.get(name, ""),
            "samples": [record[index] for _, record in found.records[:SAMPLES] if record[index]],
        }
        for index, name in enumerate(found.names)
    ]


def _remember(grid: Grid, mapping: dict[str, str]) -> None:
    """Keep what names stand for, for the user's next table."""
    kept = {**grid.choice.mapping, **mapping}
    GridChoice.objects.update_or_create(user=grid.desk.user, pack=grid.pack, defaults={"mapping": kept})


@login_required
@require_GET
def as_csv(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponseBase:
    """The cases that match as CSV, read while they are sent. Parameters: those of the grid; `all` for all columns."""
    grid = open_grid(request, team, slug, ref)
    lines = csv_lines(exported(grid, everything="all" in request.GET), grid.matches.rows())
    name = f"{grid.pack.slug}-{grid.input_set.pk}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)


def exported(grid: Grid, *, everything: bool) -> list[Column]:
    """The columns of a CSV file: the key first, then what the user sees, or all that the cases have."""
    key = [grid.columns[grid.key]] if grid.key in grid.columns else []
    shown = [column for column in grid.columns.values() if column.filled] if everything else grid.shown
    return [*key, *(column for column in shown if column.pointer != grid.key)]
