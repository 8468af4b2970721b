"""The page of a grid: a page of cases in the columns that the user has chosen, and the choice of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import time_ns
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from packs.companion import PROOFS, companion
from packs.formats.document import NodeKind
from packs.formats.findings import from_pointer, to_pointer
from packs.forms.encoding import encode_pointer
from packs.grid.cells import glimpse, shown
from packs.grid.columns import Column, place, value_in
from packs.grid.queries import IS, PAGE, Matches
from packs.models import Case, GridChoice, InputSet, Pack
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, node_url, url_of
from packs.views.workbench.answers import travel_context
from packs.views.workbench.grid.asking import Grid, open_grid, page_start
from packs.views.workbench.rename_links import rename_node_url

# The state and the strength of proofs, by the ids of cases.
Proofs = Mapping[int, tuple[str, float | None]]
MAX_SHOWN = 240
MAX_SETS = 100
PROBLEM_WORDS = {
    "": "All cases",
    "any": "With problems",
    "error": "With errors",
    "warning": "With warnings",
    "none": "Without problems",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A value in its column. `trouble` is error or warning where a finding is about it; `notes` are the findings.
    `place` is the encoded pointer of the value in its document."""

    pointer: str
    place: str
    text: str
    column: Column
    trouble: str = ""
    notes: str = ""
    is_cut: bool = False
    inherited: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A case of the grid."""

    pk: int
    key: str
    node: str
    url: str
    cell_url: str
    errors: int
    warnings: int
    notes: str
    cells: tuple[Cell, ...]
    rename_url: str
    proof: str = ""
    strength: float | None = None


def page_from(matches: Matches, start: int) -> Page[Case]:
    """The page of matching cases that begins at an index, the last one where there are fewer."""
    pages = Paginator(range(len(matches)), PAGE)
    number = min(start // PAGE + 1, pages.num_pages)
    return Page(matches.page((number - 1) * PAGE), number, pages)  # type: ignore[arg-type]


@signed_in("GET")
def rows(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """The cases of a set. Parameters: q, problems, is:<pointer>, column with value, sort, page."""
    grid = open_grid(request, team, slug, ref)
    context = grid_context(grid, page_start(request))
    return render_page(request, "packs/workbench/grid/page.html", "packs/workbench/grid/_rows.html", context)


def grid_context(grid: Grid, start: int) -> dict[str, Any]:
    desk = grid.desk
    page = page_from(grid.matches, start)
    has_proofs = companion().is_proof_known(desk.pack)
    proofs = proofs_of(desk.pack, [case.pk for case in page]) if has_proofs else {}
    return {
        "grid": grid,
        "desk": desk,
        "pack": desk.pack,
        "page": page,
        "lines": [line_of(grid, case, proofs) for case in page],
        "drawn": time_ns(),
        "has_findings": any(case.findings for case in page),
        "has_proofs": has_proofs,
        "proof_choices": proof_choices(grid) if has_proofs else (),
        "sort": f"{'-' if grid.query.descending else ''}{grid.query.sort}" if grid.query.sort else "",
        "problem_choices": PROBLEM_WORDS.items(),
        "facets": facets(grid),
        "sets": sets_of(grid),
        **travel_context(desk),
    }


def proofs_of(pack: Pack, cases: Sequence[int]) -> Proofs:
    """What is known of the proof of some cases: the state and the strength of each, by its id."""
    rows = companion().with_proofs(pack, Case.objects.filter(pk__in=cases)).values_list("pk", "proof", "proof_strength")
    return {pk: (state, strength) for pk, state, strength in rows}


def proof_choices(grid: Grid) -> list[tuple[str, str]]:
    """The states of cases of the set as filters, each with its number of cases."""
    cases = companion().with_proofs(grid.pack, Case.objects.filter(input_set=grid.input_set)).order_by()
    counts = dict(cases.values("proof").annotate(count=Count("pk")).values_list("proof", "count"))
    return [("", "Any proof"), *((state, f"{state.capitalize()} ({counts.get(state, 0)})") for state in PROOFS)]


def line_of(grid: Grid, case: Case, proofs: Proofs) -> Line:
    ref = NodeRef(NodeKind.CASE, case.pk)
    proof, strength = proofs.get(case.pk, ("", None))
    return Line(
        pk=case.pk,
        key=case.key,
        node=ref.path,
        url=node_url(grid.pack, ref),
        cell_url=url_of(grid.pack, "edit-cell", ref),
        errors=case.error_count,
        warnings=case.warning_count,
        notes=notes_of(case.findings),
        cells=tuple(cell_of(grid.pack, case, column) for column in grid.shown),
        rename_url=rename_node_url(grid.pack, ref, case.key, f"{grid.desk.ref.path}/rows"),
        proof=proof,
        strength=strength,
    )


def cell_of(pack: Pack, case: Case, column: Column) -> Cell:
    """A cell with what was found about its value; where it leaves the value to the pack, with that of the pack."""
    text = glimpse(value_in(case.document, column.pointer))
    steps = place(case.document, column.pointer) or tuple(from_pointer(column.pointer))
    about = [item for item in case.findings if is_about(item["path"], steps)]
    severities = {item["severity"] for item in about}
    trouble = next((word for word in ("error", "warning") if word in severities), "")
    inherits = "" if text else column.schema.get("x-inherits", "")
    inherited = shown(value_in(pack.document, inherits)) if inherits else ""
    at, is_cut = encode_pointer(to_pointer(steps)), len(text) > MAX_SHOWN
    return Cell(column.pointer, at, text[:MAX_SHOWN], column, trouble, notes_of(about), is_cut, inherited)


def is_about(path: Iterable[Any], steps: tuple[str, ...]) -> bool:
    """Whether a finding's path leads to a value or into it."""
    return tuple(map(str, path))[: len(steps)] == steps


def notes_of(findings: Iterable[dict[str, Any]]) -> str:
    return "\n".join(item["message"] for item in findings)


def facets(grid: Grid) -> list[dict[str, Any]]:
    """The columns whose values are offered as filters: those that govern other fields, and challenges."""
    found = []
    for pointer, column in grid.columns.items():
        options = column.choices if column.governs else ()
        if column.schema.get("x-picks") == "challenges":
            options = grid.desk.declared.names.get("challenges", ())
        if len(options) > 1:
            name = f"{IS}{pointer}"
            found.append({"name": name, "column": column, "options": options, "chosen": grid.asked.get(name, "")})
    return found


def sets_of(grid: Grid) -> list[dict[str, Any]]:
    """The sets of the pack, to change between."""
    rows = InputSet.objects.filter(pack=grid.pack).order_by("position", "pk").values_list("pk", "key")[:MAX_SETS]
    return [
        {
            "key": key or "(no key)",
            "url": url_of(grid.pack, "edit-rows", NodeRef(NodeKind.INPUT_SET, pk)),
            "is_current": pk == grid.input_set.pk,
        }
        for pk, key in rows
    ]


@signed_in("POST")
def choose_columns(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Keep which columns the user sees in grids of this pack. Parameters: columns (pointers); none for the first ones.

    Who may read may choose: it changes nothing for anybody else.
    """
    grid = open_grid(request, team, slug, ref)
    wanted = [pointer for pointer in dict.fromkeys(request.POST.getlist("columns")) if pointer in grid.columns]
    if "reset" in request.POST:
        wanted = []
    values = {"columns": wanted}
    GridChoice.objects.update_or_create(user=grid.desk.user, pack=grid.pack, defaults=values)
    return redirect(grid.url())
