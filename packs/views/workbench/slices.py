"""The metadata of a whole draft: which keys its cases use, how many cases have which values, another name for a key."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.access import Permission
from packs.editing import EditRefused
from packs.formats.document import NodeKind
from packs.grid.metadata import Count, KeyUse, Renaming, Slices, has_metadata, keys_in_use, rename, renaming, slices
from packs.grid.queries import IS, LACKS
from packs.jobs import start
from packs.mirror import format_of
from packs.models import InputSet, Pack
from packs.views.shared.lookup import Subject, find_pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, url_of

# Longer values make no address that every browser and server takes.
MAX_LINKED = 800
MAX_SETS = 300
SHOWN_KEYS, SHOWN_VALUES = 100, 4
# More nodes than this are changed by a job.
MANY = 2000


@signed_in("GET")
def slices_page(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Cases counted by metadata. Parameters: row, column (pointers), set (an input set), q (words in keys, values)."""
    subject = find_pack(request.user, team, slug)
    pack, used = subject.pack, keys_in_use(subject.pack)
    sets = dict(InputSet.objects.filter(pack=pack).order_by("position", "pk").values_list("pk", "key")[:MAX_SETS])
    asked = {name: request.GET.get(name, "") for name in ("row", "column")}
    row, column = (pointer if pointer in used else "" for pointer in (asked["row"], asked["column"]))
    chosen = next((pk for pk in sets if str(pk) == request.GET.get("set", "")), None)
    row = row or next(iter(used), "")
    column = column if column != row else ""
    context = {
        **subject.context,
        "has_metadata": has_metadata(format_of(pack)),
        "keys": used.values(),
        "found": found_keys(used, request.GET.get("q", "")),
        "query": request.GET.get("q", "").strip(),
        "sets": sets.items(),
        "chosen": chosen,
        "row": used.get(row),
        "column": used.get(column),
        "table": table(pack, slices(pack, row, column, chosen), row, column, sets) if row else None,
    }
    return render(request, "packs/workbench/slices.html", context)


def found_keys(used: dict[str, KeyUse], query: str) -> list[dict[str, Any]]:
    """The keys that hold all words of a query in their name or in one of their values."""
    words = query.casefold().split()
    found = []
    for use in used.values():
        texts = [use.name.casefold(), *(text.casefold() for text in use.values)]
        if all(any(word in text for text in texts) for word in words):
            most = [text for text, _ in use.values.most_common() if not words or _holds(text, words)] or list(
                use.values
            )
            found.append({"use": use, "kinds": ", ".join(use.kinds), "values": most[:SHOWN_VALUES]})
    return found[:SHOWN_KEYS]


def _holds(text: str, words: Iterable[str]) -> bool:
    return any(word in text.casefold() for word in words)


def table(pack: Pack, found: Slices, row: str, column: str, sets: dict[int, str]) -> dict[str, Any]:
    """The counts as lines of cells; each count leads to the grids of the sets that its cases stand in."""
    lines = []
    for one in found.rows:
        cells = [
            cell(pack, found.counts.get((one, other), Count()), {row: one, **({column: other} if column else {})}, sets)
            for other in found.columns
        ]
        total = sum((count.total for (text, _), count in found.counts.items() if text == one), 0)
        lines.append({"text": one, "cells": cells, "total": total})
    heads = found.columns if column else ()
    return {"lines": lines, "heads": heads, "total": found.total, "hidden": (found.hidden_rows, found.hidden_columns)}


def cell(pack: Pack, count: Count, values: dict[str, str], sets: dict[int, str]) -> dict[str, Any]:
    parts = [
        {"set": sets.get(pk, ""), "count": number, "url": grid_url(pack, pk, values)}
        for pk, number in sorted(count.by_set.items(), key=lambda item: -item[1])
    ]
    return {"total": count.total, "parts": parts}


def grid_url(pack: Pack, input_set: int, values: dict[str, str]) -> str:
    """The grid of an input set with only the cases of these values; empty where a value is too long for an address."""
    if any(len(text) > MAX_LINKED for text in values.values()):
        return ""
    asked = {f"{IS}{pointer}" if text else f"{LACKS}{pointer}": text or "1" for pointer, text in values.items()}
    return f"{url_of(pack, 'edit-rows', NodeRef(NodeKind.INPUT_SET, input_set))}?{urlencode(asked)}"


@signed_in("POST")
def rename_key(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Give a key another name in all cases and input sets. Parameters: key (a pointer), name; `go` once looked at."""
    subject = find_pack(request.user, team, slug, Permission.EDIT)
    if not isinstance(request.user, User) or not has_metadata(format_of(subject.pack)):
        raise Http404
    use = keys_in_use(subject.pack).get(request.POST.get("key", ""))
    if use is None:
        messages.warning(request, "No case has this key any more.")
        return redirect("packs:edit-slices", team, slug)
    try:
        found = renaming(subject.pack, use.steps, request.POST.get("name", ""))
    except EditRefused as refusal:
        messages.warning(request, refusal.message)
        return redirect("packs:edit-slices", team, slug)
    if "go" not in request.POST:
        return render(request, "packs/workbench/rename_key.html", {**subject.context, "found": found, "use": use})
    return carry_out(request, subject, found, request.user)


def carry_out(request: HttpRequest, subject: Subject, found: Renaming, user: User) -> HttpResponse:
    pack = subject.pack
    if len(found.changes) > MANY:
        parameters = {"steps": list(found.steps), "name": found.new}
        columns = {"team": pack.team, "pack": pack, "user": user, "parameters": parameters}
        title = f"Rename metadata {found.old} to {found.new}"[:300]
        return redirect("packs:job", start("rename-metadata", title=title, **columns).pk)
    rename(pack, found, user)
    messages.success(request, f"{len(found.changes)} renamed. Undo in the workbench takes it back.")
    return redirect("packs:edit-slices", pack.team.slug, pack.slug)
