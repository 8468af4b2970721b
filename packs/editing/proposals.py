"""Proposals: a draft of its own for edits that others look at before they come into the draft of the pack."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from packs.companion import companion
from packs.editing.approvals import approval_of, approvers_of, authors_of, is_settled, needs_approval
from packs.editing.changes import overlaps
from packs.editing.points import point_at
from packs.editing.rechecking import recheck
from packs.editing.replacing import take_merged
from packs.editing.values import Applied, EditRefused
from packs.formats.characters import storable
from packs.formats.comparing import Merged, NodeConflict, merge_packs
from packs.formats.document import NodeKind
from packs.formats.document import Pack as Tree
from packs.formats.findings import from_pointer, to_pointer
from packs.mirror import MODELS, column_text, format_of, read_tree, write_tree
from packs.models import Assessment, Pack, PackStatus, Proposal
from packs.notices import PROPOSAL_ASKED, REVIEW_ASKED, Notice, those

MAX_TITLE = 200


def propose(pack_row: Pack, author: User, title: str) -> Proposal:
    """Begin a proposal with a copy of the draft as it is. Raises EditRefused (bad_title, nested_proposal)."""
    title = storable(title).strip()
    if not title or len(title) > MAX_TITLE:
        raise EditRefused("bad_title", f"Say in at most {MAX_TITLE} characters what the proposal changes.")
    with transaction.atomic():
        pack = Pack.objects.select_for_update().get(pk=pack_row.pk)
        if Proposal.objects.filter(draft=pack).exists():
            raise EditRefused("nested_proposal", "A proposal cannot have proposals of its own.")
        number = (pack.proposals.aggregate(last=Max("number"))["last"] or 0) + 1
        draft = copy_of(pack, number, author)
        return Proposal.objects.create(
            pack=pack, draft=draft, number=number, title=title, base_revision=pack.revision, author=author
        )


def copy_of(pack: Pack, number: int, author: User) -> Pack:
    """A new draft that says the same, under a name of its own."""
    stem = f"{pack.slug[:90]}-proposal-{number}"
    slugs = (stem if not more else f"{stem}-{more}" for more in count())
    slug = next(slug for slug in slugs if not Pack.objects.filter(team=pack.team_id, slug=slug).exists())
    draft = Pack(team_id=pack.team_id, slug=slug, format=pack.format, created_by=author)
    draft.save(force_insert=True)
    write_tree(draft, read_tree(pack))
    recheck(draft)
    return draft


def base_of(proposal: Proposal) -> Tree:
    """What the proposal was made of."""
    return point_at(proposal.pack, proposal.base_revision).tree()


def merged(proposal: Proposal, chosen: Collection[str] = ()) -> Merged:
    """What the draft of the pack would become. `chosen` are the names of conflicts in which the proposal wins."""
    ours, theirs = read_tree(proposal.pack), read_tree(proposal.draft)
    return merge_packs(format_of(proposal.pack), base_of(proposal), ours, theirs, set(chosen))


def merge(proposal: Proposal, by: User, seen: Collection[str] = (), chosen: Collection[str] = ()) -> Applied:
    """Bring a proposal into the draft of its pack, as one group of edits, which undo takes back, and end it.

    The edits are the proposal's author's, unless `by` had to decide conflicts. `seen` are the conflicts that were
    looked at; where there are others, nothing is changed. Raises EditRefused (proposal_has_ended, approval_needed,
    unseen_conflicts).
    """
    with transaction.atomic():
        pack, found = locked(proposal)
        approval = approval_of(found.draft)
        if needs_approval(pack) and approval is None:
            raise EditRefused("approval_needed", "This proposal has to be approved by somebody else first.")
        result, was_settled = merged(found, chosen), is_settled(pack)
        label = f"Merged proposal {found.number}: {found.title}"[:200]
        author = by if result.conflicts else found.author
        applied = take_merged(pack, result, seen, author, label=label)
        if approval is not None and was_settled and not result.conflicts:
            # All that waits for an approval is what was approved here.
            Assessment.objects.create(pack=pack, revision=pack.revision, approves=True, author=approval.author)
        end(found, by, Proposal.Status.MERGED)
    proposal.refresh_from_db()
    return applied


def take_in(proposal: Proposal, by: User, seen: Collection[str] = (), chosen: Collection[str] = ()) -> Applied:
    """Bring what the draft of the pack has by now into a proposal, as one group of edits; it then begins there.

    `seen` and `chosen` are as in `merge`. Raises EditRefused (proposal_has_ended, nothing_new, unseen_conflicts).
    """
    with transaction.atomic():
        pack, found = locked(proposal)
        if not has_newer_draft(found):
            raise EditRefused("nothing_new", "The draft was not edited since this proposal began.")
        label = f"Took in the draft as of revision {pack.revision}"
        applied = take_merged(found.draft, merged(found, chosen), seen, by, label=label)
        found.base_revision = pack.revision
        found.save(update_fields=["base_revision"])
    proposal.refresh_from_db()
    return applied


def writers_of(proposal: Proposal, conflict: NodeConflict) -> tuple[str, str]:
    """Who last wrote what a conflict is about, in the draft and in the proposal; empty where nobody is known."""
    ours = last_writer(proposal.pack, conflict, proposal.base_revision)
    theirs = last_writer(proposal.draft, conflict, 0)
    return ours, theirs or (proposal.author.get_username() if proposal.author else "")


def last_writer(pack: Pack, conflict: NodeConflict, since: int) -> str:
    """Who last edited the place of a conflict after a revision of a draft; empty for nobody, and for what is gone."""
    if conflict.kind not in set(NodeKind):
        return ""
    kind, steps = NodeKind(conflict.kind), from_pointer(to_pointer(conflict.conflict.path))
    row: Any = pack if kind is NodeKind.PACK else node_of(pack, kind, conflict)
    if row is None:
        return ""
    edits = pack.edits.filter(kind=kind, node=row.pk, touched__gt=since, undone=False).select_related("author")
    written = (edit for edit in edits.order_by("-touched", "-id") if overlaps(edit, steps, row.document))
    last = next(written, None)
    return last.author.get_username() if last is not None and last.author else ""


def node_of(pack: Pack, kind: NodeKind, conflict: NodeConflict) -> Any:
    """The node of a conflict in a draft; None where it is gone."""
    rows = MODELS[kind].objects.filter(pack=pack, key=column_text(conflict.key))
    if kind is NodeKind.CASE:
        rows = rows.filter(input_set__key=column_text(conflict.set_key))
    return rows.order_by("pk").first()


def has_newer_draft(proposal: Proposal) -> bool:
    """Whether the draft of the pack was edited since the proposal began, or took its edits in."""
    return proposal.pack.revision > proposal.base_revision


def locked(proposal: Proposal) -> tuple[Pack, Proposal]:
    """Keep others from editing both drafts until the transaction ends. Raises EditRefused (proposal_has_ended)."""
    pack = Pack.objects.select_for_update(of=("self",)).select_related("team").get(pk=proposal.pack_id)
    draft = Pack.objects.select_for_update().get(pk=proposal.draft_id)
    found = Proposal.objects.select_related("author").get(pk=proposal.pk)
    if not found.is_open:
        raise EditRefused("proposal_has_ended", f"This proposal is {found.get_status_display().lower()} already.")
    found.pack, found.draft = pack, draft
    return pack, found


def close(proposal: Proposal, by: User) -> None:
    """End a proposal without taking anything of it. Raises EditRefused (proposal_has_ended)."""
    with transaction.atomic():
        end(locked(proposal)[1], by, Proposal.Status.CLOSED)
    proposal.refresh_from_db()


def end(proposal: Proposal, by: User, status: Proposal.Status) -> None:
    """From now on the proposal's own draft stays as it is."""
    proposal.status, proposal.ended_by, proposal.ended_at = status, by, timezone.now()
    proposal.save(update_fields=["status", "ended_by", "ended_at"])
    Pack.objects.filter(pk=proposal.draft_id).update(status=PackStatus.ARCHIVED)


def ask(proposal: Proposal) -> None:
    """Ask for a review. Raises EditRefused (proposal_has_ended)."""
    with transaction.atomic():
        _, found = locked(proposal)
        found.status = Proposal.Status.ASKED
        found.save(update_fields=["status"])
        for notice in notices_of(found):
            companion().noticed(notice)
    proposal.refresh_from_db()


def notices_of(proposal: Proposal) -> Iterator[Notice]:
    """What reviewers, and who made the pack, are to know of a proposal that waits for a review."""
    pack = proposal.pack
    owner = those(pack.created_by_id)
    notice = Notice(
        kind=PROPOSAL_ASKED,
        team=pack.team_id,
        title=f"The proposal “{proposal.title}” on {pack} waits for a review.",
        place="packs:proposal",
        args=(pack.team.slug, pack.slug, proposal.number),
        people=owner,
        by=proposal.author_id,
        facts={"pack": pack.slug, "proposal": proposal.number},
    )
    yield notice
    reviewers = frozenset(user.pk for user in approvers_of(proposal.draft, authors_of(proposal.draft)))
    yield replace(notice, kind=REVIEW_ASKED, people=reviewers - owner)
