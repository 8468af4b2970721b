"""Addresses of the workbench, below the address of a pack."""

from django.urls import URLPattern, path, register_converter

from packs.views.workbench import (
    acts,
    assets,
    editor,
    files,
    lenses,
    live,
    outline,
    past,
    problems,
    sides,
    whole,
    yamls,
)
from packs.views.workbench.addresses import NodeConverter

register_converter(NodeConverter, "node")

urlpatterns: list[URLPattern] = [
    path("", editor.start, name="edit"),
    path("problems/", problems.problems, name="edit-problems"),
    path("history/", past.past, name="edit-history"),
    path("files/", files.files, name="edit-files"),
    path("yaml/", whole.whole, name="edit-whole"),
    path("yaml/lint/", whole.lint_whole, name="edit-whole-lint"),
    path("undo/", acts.take_back, name="edit-undo"),
    path("redo/", acts.make_again, name="edit-redo"),
    path("add/<slug:room>/", acts.add, name="edit-add"),
    path("<node:ref>/", editor.node, name="edit-node"),
    path("<node:ref>/field/", live.field, name="edit-field"),
    path("<node:ref>/act/", acts.act, name="edit-act"),
    path("<node:ref>/lens/", lenses.lens, name="edit-lens"),
    path("<node:ref>/sides/", sides.sides_page, name="edit-sides"),
    path("<node:ref>/yaml/", yamls.save_yaml, name="edit-yaml"),
    path("<node:ref>/lint/", yamls.lint, name="edit-lint"),
    path("<node:ref>/cases/", outline.cases, name="edit-cases"),
    path("<node:ref>/upload/", assets.upload, name="edit-upload"),
    path("<node:ref>/content/", assets.content, name="edit-content"),
]
