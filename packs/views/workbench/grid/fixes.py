"""Fixes of findings in a grid: beside each case, and for all of a kind."""

from django.http import HttpRequest, HttpResponse

from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef
from packs.views.workbench.fixes import render_fixes
from packs.views.workbench.grid.asking import open_grid, page_start
from packs.views.workbench.grid.page import page_from


@signed_in("GET")
def fixes(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """The fixes of the cases that a page of the grid lists. Parameters: those of the page."""
    grid = open_grid(request, team, slug, ref, to_edit=True)
    rows = [case for case in page_from(grid.matches, page_start(request)) if case.findings]
    for case in rows:
        case.input_set = grid.input_set
    return render_fixes(request, grid.pack, rows, grid.back)
