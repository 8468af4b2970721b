"""A whole pack as one YAML text, with the check of the whole pack; for packs up to a size."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from packs.access import Permission
from packs.editing import replace_tree
from packs.formats.adapter import Adapter
from packs.formats.costs import MAX_VALUES
from packs.formats.document import Pack as Tree
from packs.formats.findings import MAX_FINDINGS, Finding
from packs.jobs import is_large
from packs.mirror import format_of, read_tree
from packs.models import Pack
from packs.views.shared.lookup import Subject
from packs.views.workbench.addresses import url_of
from packs.views.workbench.desk import find_pack, find_subject
from packs.views.workbench.texts import TOO_MUCH, too_long

MAX_TEXT = 1_000_000


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def whole(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Show or replace the text of a whole pack. Parameters: text, seen."""
    found = find_subject(request, team, slug, to_edit=request.method == "POST")
    if request.method == "POST":
        return save(request, found)
    pack = found.pack
    if is_large(pack):
        return render(request, "packs/workbench/whole.html", {"pack": pack, "is_too_long": True})
    files = format_of(pack).dump(read_tree(pack))
    name = main_name(format_of(pack), files)
    text = files[name].decode()
    context = {**context_of(found, text), "name": name, "is_alone": len(files) == 1}
    context["is_too_long"] = bool(too_long(text, MAX_TEXT))
    return render(request, "packs/workbench/whole.html", context)


def context_of(subject: Subject, text: str) -> dict[str, Any]:
    return {
        "pack": subject.pack,
        "text": text,
        "may_edit": Permission.EDIT in subject.may,
        "lint_url": url_of(subject.pack, "edit-whole-lint"),
    }


def save(request: HttpRequest, subject: Subject) -> HttpResponse:
    """Make the draft what the text says, as edits that undo takes back; on any trouble the text stays on screen."""
    pack, text = subject.pack, request.POST.get("text", "").replace("\r\n", "\n")
    # Where somebody else was quicker, the text stays upon the draft that it was made from.
    context = {**context_of(subject, text), "seen": request.POST.get("seen", "")}
    if request.POST.get("seen") != str(pack.revision):
        return render(request, "packs/workbench/whole.html", {**context, "is_outdated": True}, status=409)
    found = too_much(pack, text)
    tree = None
    if not found:
        tree, found, _ = loaded(pack, text)
    if tree is None:
        broken = {"is_broken": True, "findings": [finding.as_dict() for finding in found]}
        return render(request, "packs/workbench/whole.html", {**context, **broken}, status=422)
    replace_tree(pack, tree, request.user, label="Edit the whole pack as YAML")  # type: ignore[arg-type]
    return redirect(url_of(pack, "edit-whole"))


def too_much(pack: Pack, text: str) -> list[Finding]:
    """Why a text cannot be looked at in a request: its own length, or what the draft holds by now."""
    return [TOO_MUCH.at((), limit=MAX_VALUES)] if is_large(pack) else too_long(text, MAX_TEXT)


def loaded(pack: Pack, text: str) -> tuple[Tree | None, list[Finding], str]:
    """The tree that the draft would be with this text in place of its main file; the last is that file's name."""
    adapter = format_of(pack)
    files = adapter.dump(read_tree(pack))
    name = main_name(adapter, files)
    return *adapter.load({**files, name: text.encode("utf-8", "surrogatepass")}), name


def main_name(adapter: Adapter, files: dict[str, bytes]) -> str:
    """The file that makes the files a pack of this format; the first one where none does, as in an unfinished draft."""
    return next((name for name, data in files.items() if adapter.recognises({name: data})), next(iter(files)))


@login_required
@require_POST
def lint_whole(request: HttpRequest, team: str, slug: str) -> JsonResponse:
    """All findings of a whole pack's text with their places; those of other files have none in it. Parameter: text."""
    pack = find_pack(request, team, slug)
    text = request.POST.get("text", "").replace("\r\n", "\n")
    if found := too_much(pack, text):
        return JsonResponse({"findings": [finding.as_dict() for finding in found]})
    adapter = format_of(pack)
    tree, found, name = loaded(pack, text)
    if tree is not None:
        files = {**adapter.dump(tree), name: text.encode("utf-8", "surrogatepass")}
        found = [*found, *adapter.place(files, list(adapter.check(tree))[:MAX_FINDINGS])]
    here = [finding for finding in found if finding.file in ("", name)]
    return JsonResponse({"findings": [finding.as_dict() for finding in here[:MAX_FINDINGS]]})
