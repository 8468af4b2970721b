"""Comments on the fields of a draft: those of a node, and those of the whole draft."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from packs.access import Permission
from packs.editing import EditRefused
from packs.editing.comments import Thread, answer, begun, comment_on, set_done, threads
from packs.editing.pointers import value_at
from packs.formats.document import NodeKind
from packs.formats.findings import Path, from_pointer, render_path, to_pointer
from packs.models import Comment, Pack
from packs.views.changes.shown import cut, text_of
from packs.views.shared.lookup import Subject, find_pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, node_url, ref_of, url_of
from packs.views.workbench.desk import KIND_NAMES, find_row

PAGE_THREADS = 30
MAX_FIELDS = 400
MAX_VALUE = 300
SHOWS = {"open": "Open", "mine": "That mention me", "done": "Done"}


@dataclass(frozen=True, slots=True)
class ShownThread:
    """A thread as pages show it: what it is about, in words and as a link, and what stands there now."""

    thread: Thread
    node: str
    field: str
    url: str
    value: str


def shown_threads(pack: Pack, comments: Iterable[Comment]) -> list[ShownThread]:
    return [_shown(pack, thread) for thread in threads(pack, comments)]


def _shown(pack: Pack, thread: Thread) -> ShownThread:
    kind, row, path = NodeKind(thread.comment.kind), thread.row, thread.path
    field = render_path(path) if path is not None else thread.comment.pointer
    pointer = to_pointer(path or ())
    return ShownThread(
        thread,
        name_of(kind, row),
        field,
        node_url(pack, ref_of(row), pointer) if row is not None else "",
        cut(text_of(value_at(row.document, from_pointer(pointer))), MAX_VALUE) if path else "",
    )


def name_of(kind: NodeKind, row: Any) -> str:
    if kind is NodeKind.PACK:
        return "Settings"
    return f"{KIND_NAMES[kind]} {row.key if row is not None else 'that was removed'}".strip()


def fields_in(value: Any, path: Path = ()) -> Iterator[tuple[str, str]]:
    """The fields of a document: pointers with what they are called."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in parts:
        yield to_pointer((*path, step)), render_path((*path, step))
        yield from fields_in(part, (*path, step))


def mentions_of(user: Any) -> QuerySet[Comment]:
    """The threads that mention a user and are not done, newest first."""
    rows = Comment.objects.visible_to(user).filter(mentions=user, thread=None, done_at=None)
    return rows.select_related("pack__team", "author").order_by("-id")


@signed_in("GET")
def comments(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """The comments of a draft. Parameters: show (open, mine, done), page."""
    subject = find_pack(request.user, team, slug)
    show = request.GET.get("show", "open")
    page = Paginator(chosen(begun(subject.pack), show, request.user), PAGE_THREADS).get_page(request.GET.get("page"))
    return answered(request, subject, page=page, shows=SHOWS.items(), show=show)


def chosen(found: QuerySet[Comment], show: str, user: Any) -> QuerySet[Comment]:
    if show == "mine":
        found = found.filter(mentions=user)
    return found.filter(done_at__isnull=show != "done")


def answered(request: HttpRequest, subject: Subject, **more: Any) -> HttpResponse:
    shown = shown_threads(subject.pack, more["page"].object_list)
    context = {**subject.context, "threads": shown, "may_comment": Permission.REVIEW in subject.may, **more}
    return render(request, "packs/discussion/page.html", context)


@signed_in("GET", "POST")
def of_node(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """The comments of a node, and a new one. Parameters: at, the pointer of a field; text."""
    needed = Permission.REVIEW if request.method == "POST" else Permission.READ
    subject = find_pack(request.user, team, slug, needed)
    pack, row = subject.pack, find_row(subject.pack, ref)
    if request.method == "POST":
        at = request.POST.get("at", "")
        try:
            comment_on(pack, (ref.kind, row.pk), at, request.POST.get("text", ""), cast(User, request.user))
        except EditRefused as refused:
            messages.error(request, refused.message)
            return redirect(url_of(pack, "edit-comments", ref, at=at, text=request.POST.get("text", "")[:1000]))
        return redirect(url_of(pack, "edit-comments", ref))
    found = begun(pack).filter(kind=ref.kind.value, node=row.pk).order_by("done_at", "id")
    return answered(
        request,
        subject,
        page=Paginator(found, PAGE_THREADS).get_page(request.GET.get("page")),
        ref=ref,
        name=name_of(ref.kind, row),
        fields=[("", "The whole node"), *islice(fields_in(row.document), MAX_FIELDS)],
        at=request.GET.get("at", ""),
        text=request.GET.get("text", ""),
    )


@signed_in("POST")
def respond(request: HttpRequest, team: str, slug: str, pk: int) -> HttpResponse:
    """Answer a thread, close it or open it again. Parameters: act (answer, done, reopen), text."""
    pack = find_pack(request.user, team, slug, Permission.REVIEW).pack
    comment = get_object_or_404(begun(pack), pk=pk)
    act = request.POST.get("act", "")
    if act not in {"answer", "done", "reopen"}:
        raise Http404
    try:
        if act == "answer":
            answer(comment, request.POST.get("text", ""), cast(User, request.user))
        else:
            set_done(comment, cast(User, request.user) if act == "done" else None)
    except EditRefused as refused:
        messages.error(request, refused.message)
    return redirect(f"{back_from(pack, comment, request.POST.get('back', ''))}#comment-{comment.pk}")


def back_from(pack: Pack, comment: Comment, page: str) -> str:
    """The page on which a comment was answered: that of its node, of the proposal, or of all comments."""
    if page == "node":
        ref = NodeRef(NodeKind(comment.kind), 0 if comment.kind == NodeKind.PACK else comment.node)
        return url_of(pack, "edit-comments", ref)
    return proposal_url(pack) if page == "proposal" and hasattr(pack, "proposal") else url_of(pack, "comments")


def proposal_url(pack: Pack) -> str:
    """The page of the proposal whose draft this is."""
    found = pack.proposal
    return reverse("packs:proposal", args=[found.pack.team.slug, found.pack.slug, found.number])
