"""The editor of metadata: the free mapping of a case or an input set as rows of keys and typed values."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.editing import EditRefused
from packs.formats.document import Document, NodeKind
from packs.forms.rows import LABELS, MetadataRow, RowKind, mapping_of, read_rows, row_of, rows_of
from packs.grid.metadata import FIELD, KeyUse, has_metadata, keys_in_use, metadata_of
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, ref_of, url_of
from packs.views.workbench.answers import disputes
from packs.views.workbench.desk import Desk, open_desk
from packs.views.workbench.editor import keep, revision_of
from packs.views.workbench.neighbours import neighbours

# Rows that wait for new keys, and how many cases are looked into for suggestions.
BLANK_ROWS = 3
SAMPLES = 2000
# Only short values are worth suggesting, and only so many of them.
MAX_SUGGESTED, MAX_LENGTH = 30, 120


@signed_in("GET", "HEAD", "POST")
def metadata(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """The metadata of a node as rows, or save them. Parameters: seen, and key, kind, text, was, drop of each row."""
    is_act = request.method == "POST"
    desk = open_desk(request, team, slug, ref, to_edit=is_act)
    if not has_metadata(desk.adapter, desk.kind):
        raise Http404
    return save(request, desk) if is_act else show(request, desk, rows_of(metadata_of(desk.row.document)))


def save(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Write what differs from the rows that the user saw; rows that cannot be read are shown again, all of them."""
    seen = desk.state_seen(revision_of(request)).document
    found, rows = mapping_of(read_rows(request.POST), metadata_of(seen))
    if any(row.trouble for row in rows):
        return show(request, desk, rows, status=422)
    try:
        applied = keep(desk, seen, with_metadata(seen, found), revision_of(request), f"Change metadata of {desk.name}")
    except EditRefused as refusal:
        messages.warning(request, refusal.message)
        return show(request, desk, rows, status=422)
    if applied.conflicts:
        desk = open_desk(request, desk.pack.team.slug, desk.pack.slug, desk.ref, to_edit=True)
        more = {"disputes": disputes(desk, applied.conflicts)}
        return show(request, desk, rows_of(metadata_of(desk.row.document)), 409, **more)
    messages.success(request, "Saved." if applied.is_written else "Nothing was changed.")
    following = neighbours(desk).after if "then" in request.POST else ""
    return redirect(f"{following}metadata/" if following else desk.act_url("edit-metadata"))


def with_metadata(document: Document, found: Document) -> Document:
    """The document with other metadata; without any where no row is left, so that no empty mapping is written."""
    if FIELD in document and not isinstance(document[FIELD], dict) and not found:
        return document
    if found or document.get(FIELD) == {}:
        return {**document, FIELD: found}
    return {name: value for name, value in document.items() if name != FIELD}


def show(request: HttpRequest, desk: Desk, rows: list[MetadataRow], status: int = 200, **more: Any) -> HttpResponse:
    used = keys_in_use(desk.pack, SAMPLES)
    stated = desk.row.document.get(FIELD)
    blank = [MetadataRow("", RowKind.TEXT, "", is_new=True)] * BLANK_ROWS if desk.may_edit else []
    values = suggestions(used)
    lists = {key: f"values-{at}" for at, key in enumerate(values)}
    context = {
        "desk": desk,
        "pack": desk.pack,
        "rows": [(row, lists.get(row.key, "")) for row in (*rows, *blank)],
        "kinds": LABELS.items(),
        "keys": top_keys(used),
        "values": [(lists[key], key, texts) for key, texts in values.items()],
        "shared": shared(desk),
        "is_other": stated is not None and not isinstance(stated, dict),
        "around": around(desk),
        "slices_url": url_of(desk.pack, "edit-slices"),
        "save_url": desk.act_url("edit-metadata"),
        **more,
    }
    return render(request, "packs/workbench/metadata.html", context, status=status)


def around(desk: Desk) -> dict[str, str]:
    """The editors of the cases before and after this one."""
    found = neighbours(desk) if desk.is_case else None
    sides = {"before": found.before, "after": found.after} if found else {}
    return {side: f"{url}metadata/" for side, url in sides.items() if url}


def top_keys(used: dict[str, KeyUse]) -> list[str]:
    """The keys at the top of mappings, the most frequent ones first."""
    return list(dict.fromkeys(use.steps[0] for use in used.values()))


def suggestions(used: dict[str, KeyUse]) -> dict[str, list[str]]:
    """Short values that other cases have, by key."""
    found = {}
    for use in used.values():
        texts = [text for text, _ in use.values.most_common(MAX_SUGGESTED) if is_short(text)]
        if len(use.steps) == 1 and texts:
            found[use.steps[0]] = texts
    return found


def is_short(text: str) -> bool:
    return 0 < len(text) <= MAX_LENGTH and "\n" not in text


def shared(desk: Desk) -> dict[str, Any]:
    """What the input set of a case states for all its cases, where the format knows such metadata."""
    if not desk.is_case or not has_metadata(desk.adapter, NodeKind.INPUT_SET):
        return {}
    input_set = desk.row.input_set
    rows = [row_of(key, value) for key, value in metadata_of(input_set.document).items()]
    return {"rows": rows, "key": input_set.key, "url": url_of(desk.pack, "edit-metadata", ref_of(input_set))}
