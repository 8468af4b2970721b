"""Bringing back what was, from the page of changes and from the history: ordinary edits of the draft."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from packs.access import Permission
from packs.comparing import DRAFT, End, difference_of, restore_end
from packs.editing import Applied, EditRefused
from packs.editing.restoring import restore_field, restore_node
from packs.formats.comparing import inverted
from packs.formats.document import NodeKind
from packs.jobs import is_large, start_restoring
from packs.models import Pack
from packs.views.changes.page import changes_url, ends_of
from packs.views.changes.shown import Rows
from packs.views.shared.lookup import find_pack

OUTDATED = "The draft was changed in the meantime. Look at the changes again before you restore."


@login_required
@require_POST
def restore(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Make the draft, a node of it or a field what it was.

    Parameters: from, the state that is brought back; what, the place of a node in the difference between it and the
    draft, or that and of a field of the node (`3.2`); seen, the revision of the draft when its changes were shown.
    """
    pack = find_pack(request.user, team, slug, Permission.EDIT).pack
    old, _ = ends_of(request, pack)
    node, _, field = request.POST.get("what", "").partition(".")
    if not node and is_large(pack):
        return redirect("packs:job", start_restoring(pack, cast(User, request.user), old.name).pk)
    if node and request.POST.get("seen") != str(pack.revision):
        messages.error(request, OUTDATED)
        return redirect(changes_url(pack, old.name))
    try:
        applied = restored(pack, old, node, field, cast(User, request.user))
    except EditRefused as refused:
        messages.error(request, refused.message)
        return redirect(changes_url(pack, old.name))
    said = "Restored. Undo takes it back." if applied.is_written else "The draft says this already."
    messages.success(request, said)
    return redirect(changes_url(pack, old.name))


def restored(pack: Pack, old: End, node: str, field: str, user: User) -> Applied:
    """Bring back a field, a node, or all of a state. Raises EditRefused, Http404."""
    if node:
        return restored_part(pack, old, node, field, user)
    return restore_end(pack, old, user)


def restored_part(pack: Pack, old: End, node: str, field: str, user: User) -> Applied:
    found = difference_of(old, End(pack, DRAFT))
    at = number_of(node, len(found.nodes))
    change = found.nodes[at]
    if not field:
        back = inverted(found)
        label = f"Restored {change.key} from {str(old).lower()}"
        return restore_node(pack, back, back.nodes[at], user, label=label)
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
