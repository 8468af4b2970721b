"""Addresses of the workbench, below the address of a pack."""

from django.urls import URLPattern, path, register_converter

from packs.views.discussion import comments
from packs.views.workbench import (
    acts,
    assets,
    editor,
    files,
    fixes,
    gallery,
    lenses,
    live,
    metadata,
    outline,
    past,
    presence,
    problems,
    renames,
    sides,
    slices,
    whole,
    yamls,
)
from packs.views.workbench.addresses import NodeConverter
from packs.views.workbench.grid import bulk, cell, page, tables
from packs.views.workbench.grid import fixes as grid_fixes

register_converter(NodeConverter, "node")

urlpatterns: list[URLPattern] = [
    path("", editor.start, name="edit"),
    path("problems/", problems.problems, name="edit-problems"),
    path("problems/fixes/", fixes.fixes_of_page, name="edit-problems-fixes"),
    path("problems/fix/", fixes.fix_kind, name="edit-fix-kind"),
    path("history/", past.past, name="edit-history"),
    path("history/checkpoint/", past.checkpoint, name="edit-checkpoint"),
    path("files/", files.files, name="edit-files"),
    path("metadata/", slices.slices_page, name="edit-slices"),
    path("metadata/rename/", slices.rename_key, name="edit-slices-rename"),
    path("yaml/", whole.whole, name="edit-whole"),
    path("yaml/lint/", whole.lint_whole, name="edit-whole-lint"),
    path("rename/", renames.rename, name="edit-rename"),
    path("undo/", acts.take_back, name="edit-undo"),
    path("redo/", acts.make_again, name="edit-redo"),
    path("add/<slug:room>/", acts.add, name="edit-add"),
    path("<node:ref>/", editor.node, name="edit-node"),
    path("<node:ref>/comments/", comments.of_node, name="edit-comments"),
    path("<node:ref>/field/", live.field, name="edit-field"),
    path("<node:ref>/recheck/", live.recheck, name="edit-recheck"),
    path("<node:ref>/presence/", presence.presence, name="edit-presence"),
    path("<node:ref>/act/", acts.act, name="edit-act"),
    path("<node:ref>/gallery/", gallery.gallery, name="edit-gallery"),
    path("<node:ref>/fixes/", fixes.fixes, name="edit-fixes"),
    path("<node:ref>/fix/", fixes.fix, name="edit-fix"),
    path("<node:ref>/lens/", lenses.lens, name="edit-lens"),
    path("<node:ref>/sides/", sides.sides_page, name="edit-sides"),
    path("<node:ref>/metadata/", metadata.metadata, name="edit-metadata"),
    path("<node:ref>/yaml/", yamls.save_yaml, name="edit-yaml"),
    path("<node:ref>/lint/", yamls.lint, name="edit-lint"),
    path("<node:ref>/cases/", outline.cases, name="edit-cases"),
    path("<node:ref>/rows/", page.rows, name="edit-rows"),
    path("<node:ref>/rows/columns/", page.choose_columns, name="edit-rows-columns"),
    path("<node:ref>/rows/fixes/", grid_fixes.fixes, name="edit-rows-fixes"),
    path("<node:ref>/rows/bulk/", bulk.bulk, name="edit-rows-bulk"),
    path("<node:ref>/rows/table/", tables.table, name="edit-rows-table"),
    path("<node:ref>/rows/csv/", tables.as_csv, name="edit-rows-csv"),
    path("<node:ref>/cell/", cell.show, name="edit-cell"),
    path("<node:ref>/cell/check/", cell.check, name="edit-cell-check"),
    path("<node:ref>/cell/save/", cell.save, name="edit-cell-save"),
    path("<node:ref>/upload/", assets.upload, name="edit-upload"),
    path("<node:ref>/content/", assets.content, name="edit-content"),
]
