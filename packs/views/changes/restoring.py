"""Bringing back what was, from the page of changes and from the history: ordinary edits of the draft."""

from collections.abc import Sequence
from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from packs.access import Permission
from packs.comparing import DRAFT, End, difference_of, restore_end, restore_node_of
from packs.editing import Applied, EditRefused
from packs.editing.restoring import restore_field
from packs.formats.comparing import NodeChange
from packs.formats.document import NodeKind
from packs.jobs import start_restoring
from packs.jobs.comparing import compared, is_long, kept, parameters_of
from packs.models import Pack
from packs.views.changes.page import changes_url, ends_of
from packs.views.changes.shown import Rows
from packs.views.shared.lookup import find_pack
from packs.views.shared.signed_in import signed_in

OUTDATED = "The draft was changed in the meantime. Look at the changes again before you restore."


@signed_in("POST")
def restore(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Make the draft, a node of it or a field what it was.

    Parameters: from, the state that is brought back; what, the place of a node in the difference between it and the
    draft, or that and of a field of the node (`3.2`); seen, the revision of the draft when its changes were shown.
    """
    pack = find_pack(request.user, team, slug, Permission.EDIT).pack
    old, _ = ends_of(request, pack)
    node, _, field = request.POST.get("what", "").partition(".")
    user, is_job = cast(User, request.user), is_long(old, End(pack, DRAFT)) and not field
    if is_job and not node:
        return redirect("packs:job", start_restoring(pack, user, old.name).pk)
    nodes = nodes_of(pack, old) if node else ()
    if node and (nodes is None or request.POST.get("seen") != str(pack.revision)):
        messages.error(request, OUTDATED)
        return redirect(changes_url(pack, old.name))
    if is_job and nodes is not None:
        return redirect("packs:job", start_restoring(pack, user, old.name, number_of(node, len(nodes))).pk)
    try:
        applied = restored_part(pack, old, nodes or (), (node, field), user) if node else restore_end(pack, old, user)
    except EditRefused as refused:
        messages.error(request, refused.message)
        return redirect(changes_url(pack, old.name))
    said = "Restored. Undo takes it back." if applied.is_written else "The draft already says this."
    messages.success(request, said)
    return redirect(changes_url(pack, old.name))


def nodes_of(pack: Pack, old: End) -> Sequence[NodeChange] | None:
    """What is different between a state and the draft; None where a job had to find it, and none has."""
    new = End(pack, DRAFT)
    if not is_long(old, new):
        return difference_of(old, new).nodes
    job = compared(pack, parameters_of(old, new))
    return None if job is None else kept(job)


def restored_part(pack: Pack, old: End, nodes: Sequence[NodeChange], place: tuple[str, str], user: User) -> Applied:
    """Bring back a node, or a field of one, by its place. Raises EditRefused, Http404."""
    node, field = place
    at = number_of(node, len(nodes))
    if not field:
        return restore_node_of(pack, old, at, user)
    change = nodes[at]
    fields = list(change.fields)
    ref = Rows(pack).ref(change.kind, change.after)
    if ref is None:
        raise Http404
    pk = pack.pk if ref.kind is NodeKind.PACK else ref.id
    return restore_field(pack, ref.kind, pk, change.new.document, fields[number_of(field, len(fields))], user)


def number_of(text: str, count: int) -> int:
    """A place in a list. Raises Http404 where there is none."""
    if not text.isdecimal() or len(text) > 9 or int(text) >= count:
        raise Http404
    return int(text)
