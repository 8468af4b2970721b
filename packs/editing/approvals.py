"""Approvals by somebody else: of a draft at a revision, by a person who made none of its changes."""

from django.contrib.auth.models import User
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from packs.access import AnyUser, Permission, roles_with
from packs.editing.values import EditRefused
from packs.formats.characters import storable
from packs.models import Assessment, Edit, Pack, PackStatus, PackVersion, Proposal

MAX_TEXT = 10_000


def judge(pack_row: Pack, by: User, *, approves: bool, text: str = "") -> Assessment:
    """Approve a draft as it is, or send it back; a proposal that waited for a review is then being written again.

    Raises EditRefused (own_work) where somebody approves changes of their own, and (bad_text) for too long a text.
    """
    if approves and by.pk in authors_of(pack_row):
        raise EditRefused("own_work", "Somebody else has to approve this: some of the changes are yours.")
    text = storable(text).strip()
    if len(text) > MAX_TEXT:
        raise EditRefused("bad_text", f"Write at most {MAX_TEXT:,} characters.")
    if not approves:
        Proposal.objects.filter(draft=pack_row, status=Proposal.Status.ASKED).update(status=Proposal.Status.DRAFT)
    return Assessment.objects.create(pack=pack_row, revision=pack_row.revision, approves=approves, text=text, author=by)


def authors_of(pack_row: Pack) -> set[int]:
    """The users who made changes since the last version; before the first one, who began the draft too."""
    last = pack_row.versions.order_by("-revision").values_list("revision", flat=True).first()
    edits = pack_row.edits.filter(undone=False, revision__gt=last or 0).order_by()
    found = [*edits.values_list("author", flat=True).distinct(), pack_row.created_by_id if last is None else None]
    return {author for author in found if author is not None}


def approvers_of(pack_row: Pack, authors: set[int]) -> list[User]:
    """The members of the team who may approve a draft with changes of these authors, by name."""
    members = User.objects.filter(
        is_active=True, memberships__team=pack_row.team_id, memberships__role__in=roles_with(Permission.REVIEW)
    )
    return list(members.exclude(pk__in=authors).order_by("username"))


def approval_of(pack_row: Pack) -> Assessment | None:
    """The approval of a draft as it is now; None where the last word is another, or the draft was changed since."""
    last: Assessment | None = pack_row.assessments.filter(revision=pack_row.revision).select_related("author").first()
    return last if last is not None and last.approves else None


def needs_approval(pack_row: Pack) -> bool:
    """Whether the pack or its team wants versions to be approved by somebody else."""
    return bool(pack_row.needs_approval or pack_row.team.needs_approval)


def is_settled(pack_row: Pack) -> bool:
    """Whether nothing in a draft waits for an approval: it is approved, or is what was published last."""
    last = pack_row.versions.order_by("-revision").values_list("revision", flat=True).first()
    return last == pack_row.revision or approval_of(pack_row) is not None


def waiting_for_approval(user: AnyUser) -> QuerySet[Pack]:
    """The drafts without errors that wait for an approval which a user may give, newest first.

    One that was approved or sent back as it is waits no more, and neither does one that is the last version.
    """
    last = PackVersion.objects.filter(pack=OuterRef("pk")).order_by("-revision").values("revision")[:1]
    said = Assessment.objects.filter(pack=OuterRef("pk"), revision=OuterRef("revision"))
    own = Edit.objects.filter(pack=OuterRef("pk"), author=user.pk, undone=False, revision__gt=OuterRef("published"))
    drafts = Pack.objects.allowed_to(user, Permission.REVIEW).annotate(published=Coalesce(Subquery(last), 0))
    asking = drafts.filter(Q(needs_approval=True) | Q(team__needs_approval=True), problem_errors=0)
    unsettled = asking.exclude(status=PackStatus.ARCHIVED).exclude(published=F("revision")).filter(~Exists(said))
    others: QuerySet[Pack] = unsettled.filter(~Exists(own)).exclude(published=0, created_by=user.pk)
    return others.select_related("team").defer("document", "findings").order_by("-updated_at")
