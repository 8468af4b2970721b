"""A whole pack as one YAML text, with the check of the whole pack; for packs up to a size."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render

from packs.access import Permission
from packs.editing import replace_tree
from packs.editing.points import point_at
from packs.editing.proposals import last_writer
from packs.editing.replacing import take_merged
from packs.formats.adapter import Adapter
from packs.formats.comparing import NodeConflict, conflict_dict, merge_packs
from packs.formats.costs import MAX_VALUES
from packs.formats.document import Pack as Tree
from packs.formats.findings import MAX_FINDINGS, Finding
from packs.jobs import is_large
from packs.mirror import format_of, read_tree
from packs.models import Pack
from packs.views.shared.lookup import Subject
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import PACK, url_of
from packs.views.workbench.answers import is_revision
from packs.views.workbench.desk import find_pack, find_subject
from packs.views.workbench.texts import TOO_MUCH, too_long

MAX_TEXT = 1_000_000
# Of each side of a conflict the page shows so many characters.
MAX_SHOWN = 4_000
LABEL = "Edit the whole pack as YAML"


@signed_in("GET", "HEAD", "POST")
def whole(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Show or replace the text of a whole pack. Parameters: text, seen; decided and sides, as in `save`."""
    found = find_subject(request, team, slug, to_edit=request.method == "POST")
    if request.method == "POST":
        return save(request, found)
    pack = found.pack
    if is_large(pack):
        return render(request, "packs/workbench/whole.html", {"pack": pack, "is_too_long": True})
    files = format_of(pack).dump(read_tree(pack))
    name = main_name(format_of(pack), files)
    text = files[name].decode()
    context = {**context_of(found, text), "name": name, "is_alone": len(files) == 1, "seen": pack.revision}
    context["is_too_long"] = bool(too_long(text, MAX_TEXT))
    return render(request, "packs/workbench/whole.html", context)


def context_of(subject: Subject, text: str) -> dict[str, Any]:
    return {
        "pack": subject.pack,
        "text": text,
        "may_edit": Permission.EDIT in subject.may,
        "lint_url": url_of(subject.pack, "edit-whole-lint"),
        "here_url": url_of(subject.pack, "edit-presence", PACK),
    }


def save(request: HttpRequest, subject: Subject) -> HttpResponse:
    """Make the draft what the text says, as edits that undo takes back; on any trouble the text stays on screen.

    What others changed since the revision `seen` stays. Where both changed the same, nothing is written until every
    conflict was `decided`, with `side:` and its name as `ours` or `theirs`.
    """
    pack, text = subject.pack, request.POST.get("text", "").replace("\r\n", "\n")
    seen = request.POST.get("seen", "")
    # The text stays upon the draft that it was made from.
    context = {**context_of(subject, text), "seen": seen, "is_kept": True}
    found = too_much(pack, text)
    if not found and not (is_revision(seen) and int(seen) <= pack.revision):
        return render(request, "packs/workbench/whole.html", {**context, "is_outdated": True}, status=409)
    conflicts: Sequence[NodeConflict] = ()
    if not found:
        found, conflicts = keep(request, pack, text, int(seen))
    if conflicts:
        asked = {"conflicts": [said(pack, each, int(seen)) for each in conflicts]}
        return render(request, "packs/workbench/whole.html", {**context, **asked}, status=409)
    if found:
        broken = {"is_broken": True, "findings": [finding.as_dict() for finding in found]}
        return render(request, "packs/workbench/whole.html", {**context, **broken}, status=422)
    return redirect(url_of(pack, "edit-whole"))


def keep(request: HttpRequest, pack_row: Pack, text: str, seen: int) -> tuple[list[Finding], Sequence[NodeConflict]]:
    """Write what a text changes of the draft at the revision `seen`; else what is wrong with it, or has to be decided
    first."""
    decided = request.POST.getlist("decided")
    chosen = [name for name in decided if request.POST.get(f"side:{name}") == "theirs"]
    with transaction.atomic():
        pack = Pack.objects.select_for_update(of=("self",)).select_related("team").get(pk=pack_row.pk)
        base = read_tree(pack) if seen == pack.revision else point_at(pack, seen).tree()
        tree, found, _ = loaded(format_of(pack), base, text)
        if tree is None:
            return found, ()
        if seen == pack.revision:
            replace_tree(pack, tree, request.user, label=LABEL)  # type: ignore[arg-type]
            return [], ()
        merged = merge_packs(format_of(pack), base, read_tree(pack), tree, chosen)
        if {conflict.name for conflict in merged.conflicts} <= set(decided):
            take_merged(pack, merged, decided, request.user, label=LABEL)  # type: ignore[arg-type]
            return [], ()
        return [], merged.conflicts


def said(pack: Pack, conflict: NodeConflict, seen: int) -> dict[str, Any]:
    """A conflict with who wrote the side of the draft."""
    return {**conflict_dict(conflict, MAX_SHOWN), "ours_by": last_writer(pack, conflict, seen)}


def too_much(pack: Pack, text: str) -> list[Finding]:
    """Why a text cannot be looked at in a request: its own length, or what the draft holds by now."""
    return [TOO_MUCH.at((), limit=MAX_VALUES)] if is_large(pack) else too_long(text, MAX_TEXT)


def loaded(adapter: Adapter, draft: Tree, text: str) -> tuple[Tree | None, list[Finding], str]:
    """The tree that a draft would be with this text in place of its main file; the last is that file's name."""
    files = adapter.dump(draft)
    name = main_name(adapter, files)
    return *adapter.load({**files, name: text.encode("utf-8", "surrogatepass")}), name


def main_name(adapter: Adapter, files: dict[str, bytes]) -> str:
    """The file that makes the files a pack of this format; the first one where none does, as in an unfinished draft."""
    return next((name for name, data in files.items() if adapter.recognises({name: data})), next(iter(files)))


@signed_in("POST")
def lint_whole(request: HttpRequest, team: str, slug: str) -> JsonResponse:
    """All findings of a whole pack's text with their places; those of other files have none in it. Parameter: text."""
    pack = find_pack(request, team, slug)
    text = request.POST.get("text", "").replace("\r\n", "\n")
    if found := too_much(pack, text):
        return JsonResponse({"findings": [finding.as_dict() for finding in found]})
    adapter = format_of(pack)
    tree, found, name = loaded(adapter, read_tree(pack), text)
    if tree is not None:
        files = {**adapter.dump(tree), name: text.encode("utf-8", "surrogatepass")}
        found = [*found, *adapter.place(files, list(adapter.check(tree))[:MAX_FINDINGS])]
    here = [finding for finding in found if finding.file in ("", name)]
    return JsonResponse({"findings": [finding.as_dict() for finding in here[:MAX_FINDINGS]]})
