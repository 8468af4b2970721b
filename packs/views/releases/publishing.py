"""From draft to version: what blocks it, and the one button that does it."""

from itertools import islice
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.access import Permission
from packs.companion import companion
from packs.comparing import since_last_version
from packs.editing import problems
from packs.editing.approvals import needs_approval
from packs.formats import document
from packs.formats.comparing import Difference, notes, summary
from packs.formats.findings import MAX_FINDINGS, Finding
from packs.jobs import is_large, publishing, start_publishing
from packs.mirror import format_of
from packs.models import Pack, VersionStatus
from packs.publish import PublishRefused, blockers, needs_proof, next_number, publish, set_version_status
from packs.views.changes.shown import shown_nodes
from packs.views.discussion.comments import proposal_url
from packs.views.discussion.proposals import approving
from packs.views.shared.lookup import Subject, find_pack, find_version
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import workbench_url

SHOWN_FINDINGS = 50
SHOWN_CHANGES = 5
MAX_NUMBER = 2**31 - 1
MAX_NOTES = 10_000
CONFLICT_CODES = frozenset(
    {
        "challenge_pack_version_exists",
        "challenge_pack_metadata_conflict",
        "pack_is_archived",
        "pack_needs_approval",
        "pack_needs_proof",
        "pack_is_being_published",
    }
)


class PublishForm(forms.Form):
    """What is said when a draft becomes a version."""

    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER, label="Version number")
    notes = forms.CharField(
        required=False,
        max_length=MAX_NOTES,
        label="Notes",
        help_text="What changed, for those who compare runs later.",
        widget=forms.Textarea(attrs={"rows": 6}),
    )


def stated_number(pack: Pack) -> int | None:
    """The version number that the draft states, if its format has one."""
    adapter = format_of(pack)
    return adapter.version_number(document.Pack(pack.format, pack.slug, pack.document))


def free_number(pack: Pack) -> int:
    """The stated number where it is free, else the next one."""
    stated = stated_number(pack)
    taken = stated is None or pack.versions.filter(number=stated).exists()
    return next_number(pack) if stated is None or taken else stated


def known_blockers(pack: Pack, *, is_long: bool) -> list[Finding]:
    """What keeps a draft from being published. A large one is not checked for it: its job does so."""
    if not is_long:
        return blockers(pack)
    if pack.checked_revision != pack.revision:
        return []
    return [problem.finding for problem in islice(problems(pack, only_errors=True), MAX_FINDINGS)]


def known_changes(pack: Pack, *, is_long: bool) -> Difference | None:
    """What publishing would change; None before the first version, and for a large draft: comparing it takes longer
    than a page may."""
    return None if is_long else since_last_version(pack)


def linked(pack: Pack, findings: list[Finding]) -> list[dict[str, Any]]:
    """Findings as the list on screen shows them, each with the address where it is fixed."""
    return [finding.as_dict() | {"url": workbench_url(pack, finding)} for finding in findings[:SHOWN_FINDINGS]]


@signed_in("GET", "POST")
def publish_draft(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Show what blocks publishing, or publish. Answers 422 to a draft with errors and 409 to a conflict."""
    needed = Permission.CURATE if request.method == "POST" else Permission.REVIEW
    subject = find_pack(request.user, team, slug, needed)
    pack = subject.pack
    if hasattr(pack, "proposal"):
        return redirect(proposal_url(pack))
    if request.method == "POST":
        return publish_now(request, subject)
    is_long = is_large(pack)
    since = known_changes(pack, is_long=is_long)
    proposed = notes(since.nodes)[:MAX_NOTES] if since is not None else ""
    form = PublishForm(initial={"number": free_number(pack), "notes": proposed})
    return show(request, subject, form, known_blockers(pack, is_long=is_long), since=since, is_long=is_long)


def publish_now(request: HttpRequest, subject: Subject) -> HttpResponse:
    pack = subject.pack
    form = PublishForm(request.POST)
    if not form.is_valid():
        return show(request, subject, form, known_blockers(pack, is_long=is_large(pack)), 422)
    number, user = form.cleaned_data["number"], cast(User, request.user)
    given = None if number == stated_number(pack) else number
    try:
        if is_large(pack):
            return redirect("packs:job", start_publishing(pack, user, form.cleaned_data["notes"], given).pk)
        version = publish(pack, user, form.cleaned_data["notes"], given)
    except PublishRefused as refused:
        status = 409 if refused.code in CONFLICT_CODES else 422
        return show(request, subject, form, refused.findings, status, refused=refused)
    messages.success(request, f"Version {version.number} of {pack} is published.")
    return redirect("packs:version", pack.team.slug, pack.slug, version.number)


def show(
    request: HttpRequest, subject: Subject, form: PublishForm, found: list[Finding], status: int = 200, **more: Any
) -> HttpResponse:
    """The page; `since` is what is different from the last version, found anew where it is not given."""
    pack = subject.pack
    is_long = more.pop("is_long") if "is_long" in more else is_large(pack)
    since = more.pop("since") if "since" in more else known_changes(pack, is_long=is_long)
    pack.refresh_from_db(fields=["problem_errors", "problem_warnings"])
    unproven = companion().unproven(pack) if needs_proof(pack) else ""
    judged = approving(pack, cast(User, request.user))
    context = {
        **subject.context,
        "form": form,
        "findings": linked(pack, found),
        "hidden": max(0, len(found) - SHOWN_FINDINGS),
        "needs_approval": needs_approval(pack),
        "needs_proof": needs_proof(pack),
        "unproven": unproven,
        "is_ready": not unproven and bool(judged["approval"] or not needs_approval(pack)),
        **judged,
        "is_long": is_long,
        "job": publishing(pack),
        "latest": pack.versions.only("number", "revision").first(),
        "changes": list(shown_nodes(pack, list(enumerate(since.nodes[:SHOWN_CHANGES])), links=True)) if since else [],
        "more_changes": max(0, len(since.nodes) - SHOWN_CHANGES) if since else 0,
        "summary": summary(since.nodes) if since else "",
        **more,
    }
    return render(request, "packs/publish.html", context, status=status)


@signed_in("POST")
def version_status(request: HttpRequest, team: str, slug: str, number: int) -> HttpResponse:
    """Deprecate, archive or restore a version."""
    pack = find_pack(request.user, team, slug, Permission.CURATE).pack
    version = find_version(pack, number)
    status = VersionStatus(request.POST["status"]) if request.POST.get("status") in VersionStatus.values else None
    if status is None:
        return HttpResponse("status must be runnable, deprecated or archived", status=400, content_type="text/plain")
    set_version_status(version, status)
    messages.success(request, f"Version {number} is {status.label.lower()} now.")
    return redirect("packs:version", team, slug, number)
