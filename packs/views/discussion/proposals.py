"""Proposals of a pack: the list, one with its difference, comments and conflicts, and what is done with them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from packs.access import Permission
from packs.editing import EditRefused
from packs.editing.approvals import approval_of, approvers_of, authors_of, judge, needs_approval
from packs.editing.comments import begun
from packs.editing.proposals import (
    ask,
    base_of,
    close,
    has_newer_draft,
    merge,
    merged,
    propose,
    take_in,
)
from packs.formats.comparing import NodeChange, compare_packs, heads_of, summary
from packs.jobs import is_large, start_comparing, start_proposing
from packs.jobs.comparing import compared, kept, parameters_for, said
from packs.mirror import format_of, read_tree
from packs.models import Assessment, Job, JobStatus, Pack, Proposal
from packs.views.changes.page import part_of
from packs.views.changes.shown import shown_nodes
from packs.views.discussion.comments import proposal_url, shown_threads
from packs.views.shared.lookup import Subject, find_pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import url_of

PAGE_PROPOSALS = 30
PAGE_NODES = 20
# What each act needs; merging changes the draft of the pack.
ACTS = dict.fromkeys(("ask", "merge", "take-in", "close"), Permission.EDIT)


@signed_in("GET", "POST")
def proposals(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """The proposals of a pack; POST begins one and leads to its draft. Parameters: title."""
    subject = find_pack(request.user, team, slug, Permission.EDIT if request.method == "POST" else Permission.READ)
    if request.method == "POST":
        if is_large(subject.pack):
            begun_later = start_proposing(
                "propose", subject.pack, cast(User, request.user), {"title": request.POST.get("title", "")}
            )
            return redirect("packs:job", begun_later.pk)
        try:
            made = propose(subject.pack, cast(User, request.user), request.POST.get("title", ""))
        except EditRefused as refused:
            messages.error(request, refused.message)
            return redirect("packs:proposals", team, slug)
        return redirect(url_of(made.draft, "edit"))
    rows = subject.pack.proposals.select_related("author", "draft")
    page = Paginator(rows, PAGE_PROPOSALS).get_page(request.GET.get("page"))
    return render(request, "packs/discussion/proposals.html", {**subject.context, "page": page})


def find_proposal(subject: Subject, number: int) -> Proposal:
    rows = subject.pack.proposals.select_related("author", "ended_by", "draft__team")
    found: Proposal = get_object_or_404(rows, number=number)
    found.pack = subject.pack
    return found


def waiting_for(user: Any) -> QuerySet[Proposal]:
    """The proposals of others that wait for a review and that a user has not judged as they are, newest first."""
    said = Assessment.objects.filter(pack=OuterRef("draft"), revision=OuterRef("draft__revision"), author=user.pk)
    rows = Proposal.objects.allowed_to(user, Permission.REVIEW).filter(~Exists(said), status=Proposal.Status.ASKED)
    return rows.exclude(author=user.pk).select_related("pack__team", "author").order_by("-id")


@signed_in("GET")
def proposal(request: HttpRequest, team: str, slug: str, number: int) -> HttpResponse:
    """A proposal: what it changes, what is said of it, and what stands against merging it.

    Of large drafts a job finds that. Parameters: page; look, the job whose findings are shown.
    """
    subject = find_pack(request.user, team, slug)
    found = find_proposal(subject, number)
    draft, user = found.draft, cast(User, request.user)
    job = looked(request, found) if is_large(subject.pack) or is_large(draft) else None
    if job is not None and job.status != JobStatus.COMPLETED:
        return redirect("packs:job", job.pk)
    nodes, conflicts = content_of(found) if job is None else content_found(job)
    page = Paginator(range(len(nodes)), PAGE_NODES).get_page(request.GET.get("page"))
    context = {
        **subject.context,
        "proposal": found,
        "page": page,
        "nodes": list(shown_nodes(draft, part_of(nodes, page), links=True)),
        "summary": summary(heads_of(nodes)),
        "conflicts": conflicts,
        "is_outdated": job is not None and job.parameters != parameters_for(found),
        "threads": shown_threads(draft, begun(draft).order_by("done_at", "id")),
        "may_comment": Permission.REVIEW in subject.may and found.is_open,
        **approving(draft, user),
        "needs_approval": needs_approval(subject.pack),
        "has_newer_draft": has_newer_draft(found),
    }
    return render(request, "packs/discussion/proposal.html", context)


def looked(request: HttpRequest, found: Proposal) -> Job:
    """The job that has found what a large proposal changes, or is to find it."""
    wanted = request.GET.get("look", "")
    jobs = Job.objects.filter(kind="compare", pack=found.pack, status=JobStatus.COMPLETED)
    asked: Job | None = jobs.filter(pk=int(wanted)).first() if wanted.isdecimal() and len(wanted) < 19 else None
    if asked is not None and asked.parameters.get("proposal") == found.pk:
        return asked
    parameters = parameters_for(found)
    return compared(found.pack, parameters) or start_comparing(found.pack, cast(User, request.user), parameters)


def content_of(found: Proposal) -> tuple[Sequence[NodeChange], list[dict[str, Any]]]:
    """What a proposal changes, and what stands against merging it."""
    difference = compare_packs(format_of(found.draft), base_of(found), read_tree(found.draft))
    return difference.nodes, said(found, merged(found).conflicts if found.is_open else ())


def content_found(job: Job) -> tuple[Sequence[NodeChange], list[dict[str, Any]]]:
    nodes = kept(job)
    return nodes, nodes.more["conflicts"]


def approving(draft: Pack, user: User) -> dict[str, Any]:
    """What pages say about the approval of a draft."""
    authors = authors_of(draft)
    able = approvers_of(draft, authors)
    return {
        "judged": draft,
        "approval": approval_of(draft),
        "is_own": user.pk in authors,
        "may_approve": user in able,
        "approvers": [person for person in able if person != user],
        "assessments": draft.assessments.select_related("author"),
    }


@signed_in("POST")
def act(request: HttpRequest, team: str, slug: str, number: int, what: str) -> HttpResponse:
    """Ask for a review of a proposal, merge it, take in what the draft has by now, or close it.

    Merging and taking in need `seen`, the names of the conflicts that were shown, with `side:` and the name as `ours`
    or `theirs`; in large drafts a job does it.
    """
    if what not in ACTS:
        raise Http404
    subject = find_pack(request.user, team, slug, ACTS[what])
    found, user = find_proposal(subject, number), cast(User, request.user)
    try:
        if what in BRINGS:
            return bring(request, subject.pack, found, what)
        if what == "ask":
            ask(found)
            messages.success(request, "A review is asked for.")
        else:
            close(found, user)
            messages.success(request, f"{found} is closed.")
    except EditRefused as refused:
        messages.error(request, refused.message)
    return redirect("packs:proposal", team, slug, number)


BRINGS: Mapping[str, tuple[Callable[..., Any], str]] = {
    "merge": (merge, "{} is merged into the draft. Undo takes it back."),
    "take-in": (take_in, "{} has what the draft has by now. Undo in its workbench takes it back."),
}


def bring(request: HttpRequest, pack: Pack, found: Proposal, what: str) -> HttpResponse:
    """Merge one draft into the other, as its conflicts were decided. Raises EditRefused."""
    seen, user = request.POST.getlist("seen"), cast(User, request.user)
    chosen = [name for name in seen if request.POST.get(f"side:{name}") == "theirs"]
    if is_large(pack) or is_large(found.draft):
        given = {"proposal": found.pk, "seen": seen, "chosen": chosen}
        return redirect("packs:job", start_proposing(what, pack, user, given).pk)
    act, sentence = BRINGS[what]
    act(found, user, seen, chosen)
    messages.success(request, sentence.format(found))
    return redirect("packs:proposal", pack.team.slug, pack.slug, found.number)


@signed_in("POST")
def judge_draft(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Approve a draft, of a pack or a proposal, or send it back. Parameters: act (approve, return), text; revision, the
    one that was looked at."""
    pack = find_pack(request.user, team, slug, Permission.REVIEW).pack
    given = request.POST
    if given.get("act") not in {"approve", "return"}:
        raise Http404
    if given.get("revision") != str(pack.revision):
        messages.error(request, "The draft was changed in the meantime. Look at the changes again.")
        return redirect(home_of(pack))
    try:
        judge(pack, cast(User, request.user), approves=given["act"] == "approve", text=given.get("text", ""))
    except EditRefused as refused:
        messages.error(request, refused.message)
        return redirect(home_of(pack))
    messages.success(request, "Approved." if given["act"] == "approve" else "Sent back.")
    return redirect(home_of(pack))


@signed_in("POST")
def rule(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Say whether versions of the pack need an approval by somebody else. Parameters: needed (true or nothing)."""
    pack = find_pack(request.user, team, slug, Permission.CURATE).pack
    pack.needs_approval = request.POST.get("needed") == "true"
    pack.save(update_fields=["needs_approval"])
    word = "needs" if pack.needs_approval else "does not need"
    messages.success(request, f"Publishing this pack {word} an approval by somebody else now.")
    return redirect("packs:publish", team, slug)


def home_of(pack: Pack) -> str:
    """Where a draft is judged: the page that publishes it, or that of its proposal."""
    return proposal_url(pack) if hasattr(pack, "proposal") else url_of(pack, "publish")
