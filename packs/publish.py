"""From draft to version: check, write the canonical files, freeze them. And the life of packs and versions after it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max

from packs import blobs
from packs.audit import record
from packs.columns import canonical
from packs.companion import companion
from packs.editing import Change, apply, in_order, problems, recheck
from packs.editing.approvals import approval_of, needs_approval
from packs.editing.draft import Author
from packs.editing.pointers import replaced
from packs.editing.rechecking import findings_by_address, store_all
from packs.formats import document
from packs.formats.abilities import CONTENT_READERS
from packs.formats.adapter import Adapter, Files
from packs.formats.archives import write_zip
from packs.formats.document import Address, NodeKind
from packs.formats.findings import MAX_FINDINGS, Finding, from_pointer
from packs.formats.identity import NO_ROOM
from packs.mirror import BATCH, as_uuid, column_text, format_of, read_tree
from packs.models import (
    Artifact,
    Pack,
    PackStatus,
    PackVersion,
    Proposal,
    VersionCase,
    VersionInputSet,
    VersionStatus,
)

# Called with the parts of the work by their names and the trees that they walk through; walks the tree that it gives.
Watch = Callable[[str, document.Pack], document.Pack]


class PublishRefused(Exception):
    """A draft that cannot be published now; `findings` says what to fix.

    `code` is one of pack_has_errors, pack_is_archived, pack_is_being_published, pack_was_published,
    pack_needs_approval, pack_needs_proof, pack_is_a_proposal, challenge_pack_version_exists,
    challenge_pack_metadata_conflict.
    """

    def __init__(self, code: str, message: str, findings: Iterable[Finding] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.findings = list(findings)


def blockers(pack_row: Pack) -> list[Finding]:
    """The errors that keep a draft from being published, found anew; paths start at the file's root."""
    recheck(pack_row)
    tree = read_tree(pack_row, contents=pack_row.format in CONTENT_READERS)
    return errors_of(pack_row, tree, (problem.finding for problem in problems(pack_row)))


def errors_of(pack_row: Pack, tree: document.Pack, found: Iterable[Finding]) -> list[Finding]:
    """The errors among what a check of the draft found, and those that only publishing minds."""
    errors = [finding for finding in found if finding.is_error]
    return [*errors, *missing_artifacts(pack_row, tree)][:MAX_FINDINGS]


def missing_artifacts(pack_row: Pack, tree: document.Pack) -> Iterator[Finding]:
    """Stored files that the pack refers to and its team does not have (challenge-pack e, Z1)."""
    adapter = format_of(pack_row)
    stated = {found for address, node in tree.nodes() for _, found in adapter.stored_files(address.kind, node)}
    by_id = {parsed: text for text in stated if (parsed := as_uuid(text))}
    known = Artifact.objects.filter(team=pack_row.team_id, artifact_id__in=list(by_id)).values_list("artifact_id")
    yield from adapter.check_artifacts(tree, {by_id[artifact] for (artifact,) in known})


def latest_number(pack_row: Pack) -> int | None:
    """The highest published number; None before the first version."""
    highest: int | None = pack_row.versions.aggregate(highest=Max("number"))["highest"]
    return highest


def next_number(pack_row: Pack) -> int:
    """The number after the highest published one; 1 for the first version."""
    highest = latest_number(pack_row)
    return 1 if highest is None else highest + 1


@dataclass(frozen=True, slots=True)
class Ready:
    """All of a version that can be made while others go on editing, so that writing it takes a moment.

    It was made of the draft at `revision` after the version `latest`, with its version number at `number`, where one
    was given. `found` is what the check found by address; `stored` are the stored documents of the cases of each input
    set, with their digests.
    """

    revision: int
    latest: int | None
    number: int | None
    found: dict[Address, list[dict[str, Any]]]
    files: Files
    archive: bytes
    tree: document.Pack
    stored: list[list[tuple[Any, str]]]


def publish(pack_row: Pack, author: Author, notes: str = "", number: int | None = None) -> PackVersion:
    """Publish a draft as it stands now, under the number that it states, or under `number`, which is written into it.

    Raises PublishRefused; then nothing is written, not even the number.
    """
    return write(pack_row, prepare(pack_row, number), author, notes)


def unwatched(part: str, tree: document.Pack) -> document.Pack:
    return tree


def prepare(pack_row: Pack, number: int | None = None, watch: Watch = unwatched) -> Ready:
    """Check a draft and make its canonical files, writing nothing. Raises PublishRefused."""
    pack = Pack.objects.get(pk=pack_row.pk)
    latest = latest_number(pack)
    refuse_archived(pack)
    refuse_unapproved(pack)
    refuse_unproven(pack)
    adapter = format_of(pack)
    if number is not None and adapter.VERSION_POINTER:
        pack.document = replaced(pack.document, from_pointer(adapter.VERSION_POINTER), number)
    draft = read_tree(pack, contents=pack.format in CONTENT_READERS)
    found = findings_by_address(adapter, watch("Checking", draft))
    if errors := errors_of(pack, draft, in_order(adapter, found)):
        raise PublishRefused("pack_has_errors", "The draft has errors.", errors)
    if pack.format not in CONTENT_READERS:
        draft = read_tree(pack)
    files = adapter.dump(watch("Writing the files", draft))
    tree, unread = adapter.load(files)
    if tree is None:
        raise PublishRefused("pack_has_errors", "The files of the draft could not be read again.", unread)
    if lost := list(without_room(adapter, draft, tree)):
        raise PublishRefused("pack_has_errors", "Not all files of the draft can be in one version.", lost)
    stored = [frozen_documents(adapter, input_set) for input_set in watch("Freezing the cases", tree).input_sets]
    return Ready(pack.revision, latest, number, found, files, write_zip(files), tree, stored)


def frozen_documents(adapter: Adapter, input_set: document.InputSet) -> list[tuple[Any, str]]:
    """What the cases of a set are stored as, each with its digest."""
    documents = (adapter.stored_document(case) for case in input_set.cases)
    return [(stored, blobs.digest_of(canonical(stored))) for stored in documents]


def write(pack_row: Pack, ready: Ready, author: Author, notes: str) -> PackVersion:
    """Write a version that was made ready; it is made anew where the draft was changed since. Raises PublishRefused."""
    with transaction.atomic():
        pack = Pack.objects.select_for_update().get(pk=pack_row.pk)
        refuse_archived(pack)
        refuse_unapproved(pack)
        refuse_unproven(pack)
        refuse_overtaken(pack, ready)
        if pack.revision != ready.revision:
            ready = prepare(pack, ready.number)
        adapter = format_of(pack)
        if ready.number is not None and adapter.VERSION_POINTER:
            change = Change(NodeKind.PACK, pack.pk, adapter.VERSION_POINTER, ready.number)
            apply(pack, [change], author, label="Publish")
        store_all(pack, ready.found)
        version = freeze(pack, adapter, ready, author, notes)
        companion().published(pack, version)
        pack.status = PackStatus.ACTIVE
        pack.save(update_fields=["status", "updated_at"])
        record("version.published", f"{pack} {version.number}", team=pack.team, by=author)
    pack_row.refresh_from_db()
    return version


def refuse_archived(pack: Pack) -> None:
    """Raises PublishRefused."""
    if pack.status == PackStatus.ARCHIVED:
        raise PublishRefused("pack_is_archived", "This pack is archived; restore it first.")


def refuse_unapproved(pack: Pack) -> None:
    """Raises PublishRefused for proposals, and where somebody else has to approve the draft as it is now."""
    if Proposal.objects.filter(draft=pack).exists():
        raise PublishRefused("pack_is_a_proposal", "A proposal is not published; merge it, then publish its pack.")
    if needs_approval(pack) and approval_of(pack) is None:
        message = "Somebody who made none of the changes has to approve the draft as it is now."
        raise PublishRefused("pack_needs_approval", message)


def needs_proof(pack: Pack) -> bool:
    """Whether the pack or its team wants the cases of versions to be proven."""
    return bool(pack.needs_proof or pack.team.needs_proof)


def refuse_unproven(pack: Pack) -> None:
    """Raises PublishRefused where all cases have to be proven, and one is not."""
    if needs_proof(pack) and (why := companion().unproven(pack)):
        raise PublishRefused("pack_needs_proof", why)


def refuse_overtaken(pack: Pack, ready: Ready) -> None:
    """Two who publish at the same time without a number mean one version. Raises PublishRefused for the second."""
    latest = latest_number(pack)
    if ready.number is None and latest != ready.latest:
        message = f"Version {latest} of this pack was published a moment ago; publish again if you want another."
        raise PublishRefused("pack_was_published", message)


def freeze(pack: Pack, adapter: Adapter, ready: Ready, author: Author, notes: str) -> PackVersion:
    """Write the rows of a version. They are made from the canonical files, so that both say the same."""
    tree, files = ready.tree, ready.files
    stated = adapter.version_number(tree) or ready.number or next_number(pack)
    lineage = adapter.lineage(tree.document)
    refuse_conflicts(pack, stated, lineage)
    version = PackVersion.objects.create(
        pack=pack,
        number=stated,
        digest=blobs.digest_of_files(files),
        archive=blobs.put(ready.archive),
        document=tree.document,
        challenges=[{"key": node.key, "document": node.document} for node in tree.challenges],
        assets=[frozen_asset(pack, adapter, asset) for asset in tree.assets],
        files=[{"path": file.path, "blob": blobs.put(file.content).digest} for file in tree.files],
        lineage=lineage,
        case_count=sum(len(input_set.cases) for input_set in tree.input_sets),
        notes=notes,
        revision=pack.revision,
        published_by=author,
    )
    for position, (input_set, stored) in enumerate(zip(tree.input_sets, ready.stored, strict=True)):
        freeze_set(version, position, input_set, stored)
    return version


def without_room(adapter: Adapter, draft: document.Pack, tree: document.Pack) -> Iterator[Finding]:
    """Files of a draft whose bytes are not in `tree`, which was read from its canonical files."""
    kept = {asset.path: asset.content for asset in tree.assets} | {file.path: file.content for file in tree.files}
    for position, asset in enumerate(draft.assets):
        if asset.content is not None and kept.get(asset.path) != asset.content:
            place = (*adapter.path_of(Address(NodeKind.ASSET, (position,))), "path")
            yield NO_ROOM.at(place, name=repr(asset.path)[:120])
    for file in draft.files:
        if kept.get(file.path) != file.content:
            yield NO_ROOM.at((), name=repr(file.path)[:120])


def refuse_conflicts(pack: Pack, number: int, lineage: dict[str, str]) -> None:
    """Two versions with one number, or another identity under one slug (challenge-pack f).

    Raises PublishRefused.
    """
    if pack.versions.filter(number=number).exists():
        message = f"Version {number} exists already; the next free number is {next_number(pack)}."
        raise PublishRefused("challenge_pack_version_exists", message)
    latest = pack.versions.order_by("-number").first()
    if latest is None:
        return
    other = [field for field, value in lineage.items() if latest.lineage.get(field) != value]
    if other:
        message = f"{', '.join(other)} must stay as in version {latest.number}, or be another pack."
        raise PublishRefused("challenge_pack_metadata_conflict", message)


def frozen_asset(pack: Pack, adapter: Adapter, asset: document.Asset) -> dict[str, Any]:
    """An asset of a version; bytes that only its `artifact_id` names are looked up among the team's."""
    digest = blobs.put(asset.content).digest if asset.content is not None else None
    if digest is None:
        ids = [found for _, text in adapter.stored_files(NodeKind.ASSET, asset.document) if (found := as_uuid(text))]
        artifacts = Artifact.objects.filter(team=pack.team_id, artifact_id__in=ids)
        digest = artifacts.values_list("blob", flat=True).first()
    return {"key": asset.key, "path": asset.path, "document": asset.document, "blob": digest}


def freeze_set(
    version: PackVersion, position: int, input_set: document.InputSet, stored: list[tuple[Any, str]]
) -> None:
    name = input_set.document.get("name")
    row = VersionInputSet.objects.create(
        version=version,
        position=position,
        key=column_text(input_set.key),
        name=column_text(name.strip() if isinstance(name, str) else ""),
        document=input_set.document,
        case_count=len(input_set.cases),
    )
    cases = enumerate(zip(input_set.cases, stored, strict=True))
    rows = (frozen_case(row, index, case, *documents) for index, (case, documents) in cases)
    VersionCase.objects.bulk_create(rows, BATCH)


def frozen_case(
    input_set: VersionInputSet, position: int, case: document.Case, stored: Any, digest: str
) -> VersionCase:
    return VersionCase(
        version_id=input_set.version_id,
        input_set=input_set,
        position=position,
        key=column_text(case.key),
        challenge_key=column_text(case.challenge_key),
        document=case.document,
        stored=stored,
        digest=digest,
    )


def archive(pack_row: Pack) -> None:
    """Take a pack out of sight; it can be restored."""
    set_status(pack_row, PackStatus.ARCHIVED)


def deprecate(pack_row: Pack) -> None:
    """Advise against a pack; it stays usable."""
    set_status(pack_row, PackStatus.DEPRECATED)


def restore(pack_row: Pack) -> None:
    """Bring a pack back: active where it has versions, a draft otherwise."""
    set_status(pack_row, PackStatus.ACTIVE if pack_row.versions.exists() else PackStatus.DRAFT)


def set_status(pack_row: Pack, status: PackStatus) -> None:
    """Raises PublishRefused for the draft of a proposal, whose life is the proposal's."""
    if Proposal.objects.filter(draft=pack_row).exists():
        raise PublishRefused("pack_is_a_proposal", "This draft belongs to a proposal: merge or close that instead.")
    changes = {"status": [pack_row.status, status]}
    pack_row.status = status
    pack_row.save(update_fields=["status", "updated_at"])
    record("pack.status", pack_row, team=pack_row.team, changes=changes)


def set_version_status(version: PackVersion, status: VersionStatus) -> None:
    """Deprecate, archive or restore (runnable) a version; nothing else of it ever changes."""
    changes = {"status": [version.status, status]}
    version.status = status
    version.save(update_fields=["status"])
    record("version.status", version, team=version.pack.team, changes=changes)
