"""Comparing states of a large pack: a job finds what is different, and pages read of that what they show."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from packs import blobs
from packs.comparing import DRAFT, End, FileDifference, difference_of, file_differences, find_end
from packs.editing import EditRefused
from packs.editing.points import is_far, point_at
from packs.editing.proposals import writers_of
from packs.editing.sizes import is_large
from packs.formats import jsonio
from packs.formats.comparing import Act, Hunk, Kept, compare_packs, conflict_dict, merge_packs, write_kept
from packs.formats.costs import MANY_CASES
from packs.jobs.progress import Progress
from packs.mirror import format_of
from packs.models import Job, JobStatus, Pack, Proposal

MAX_SHOWN = 2_000


def is_long(*ends: End) -> bool:
    """Whether comparing states takes longer than a request may."""
    versions = (end.version for end in ends if end.version is not None)
    if is_large(ends[0].pack) or any(version.case_count > MANY_CASES for version in versions):
        return True
    return any(is_far(end.pack, end.revision) for end in ends if end.revision is not None)


def parameters_of(old: End, new: End, *, files: bool = False) -> dict[str, Any]:
    """The parameters of the job that compares two states; the draft is named as it is now, and stays that."""
    return {**{name: fixed(end) for name, end in (("from", old), ("to", new))}, "files": files}


def fixed(end: End) -> Any:
    if end.archive is not None:
        return [end.name, end.archive.digest]
    return f"r{end.pack.revision}" if end.is_draft else end.name


def parameters_for(proposal: Proposal) -> dict[str, Any]:
    """The parameters of the job that compares a proposal with what it was made of, and with the draft."""
    ours = proposal.pack.revision if proposal.is_open else None
    revisions = {"base": proposal.base_revision, "ours": ours, "theirs": proposal.draft.revision}
    return {"proposal": proposal.pk, **revisions}


def compared(pack: Pack, parameters: dict[str, Any]) -> Job | None:
    """The job that has found what is asked for."""
    found: Job | None = Job.objects.filter(
        kind="compare", pack=pack, parameters=parameters, status=JobStatus.COMPLETED
    ).first()
    return found


def kept(job: Job) -> Kept:
    """What a job found different between nodes."""
    return Kept(partial(blobs.open_stream, str(job.blob_id)))


def kept_files(job: Job) -> list[FileDifference]:
    """What a job found different between files."""
    found, _ = jsonio.read(blobs.read(str(job.blob_id)))
    return [
        FileDifference(**{**each, "act": Act(each["act"]), "hunks": [Hunk(**hunk) for hunk in each["hunks"]]})
        for each in found
    ]


def compare(pack: Pack, job: Job, progress: Progress) -> dict[str, Any]:
    """Find what is different between two states, or what a proposal changes. Its blob is what was found."""
    given = job.parameters
    if "proposal" in given:
        return compare_proposal(pack, job, progress)
    old, new = (find_fixed(pack, given[name]) for name in ("from", "to"))
    if given["files"]:
        progress.phase("Comparing the files, in one step")
        files = list(file_differences(old, new))
        job.blob = blobs.put(jsonio.write([asdict(each) for each in files]))
        return {"count": len(files)}
    progress.phase("Comparing the cases, in one step")
    found = difference_of(old, new)
    job.blob = blobs.put_stream(write_kept(found, {}))
    return {"count": len(found.nodes)}


def find_fixed(pack: Pack, name: Any) -> End:
    """Raises EditRefused (no_such_state)."""
    wanted, digest = name if isinstance(name, list) else (name, None)
    found = find_end(pack, wanted)
    if found is None or (found.archive and found.archive.digest) != digest:
        raise EditRefused("no_such_state", "A state that was to be compared is gone.")
    return found


def compare_proposal(pack: Pack, job: Job, progress: Progress) -> dict[str, Any]:
    """Find what a proposal changes, and what stands against merging it while it is open."""
    given = job.parameters
    proposal: Proposal | None = pack.proposals.select_related("draft").filter(pk=given["proposal"]).first()
    if proposal is None:
        raise EditRefused("no_such_proposal", "This proposal is gone.")
    adapter = format_of(pack)
    progress.phase("Comparing the cases, in one step")
    base, theirs = point_at(pack, given["base"]).tree(), point_at(proposal.draft, given["theirs"]).tree()
    found = compare_packs(adapter, base, theirs)
    conflicts: Sequence[Any] = ()
    if given["ours"] is not None:
        progress.phase("Looking for conflicts, in one step")
        conflicts = merge_packs(adapter, base, point_at(pack, given["ours"]).tree(), theirs, set()).conflicts
    job.blob = blobs.put_stream(write_kept(found, {"conflicts": said(proposal, conflicts)}))
    return {"count": len(found.nodes), "number": proposal.number}


def said(proposal: Proposal, conflicts: Iterable[Any]) -> list[dict[str, Any]]:
    """Conflicts as pages show them, with who wrote each side."""
    found = ((conflict_dict(each, MAX_SHOWN), writers_of(proposal, each)) for each in conflicts)
    return [{**shown, "ours_by": ours, "theirs_by": theirs} for shown, (ours, theirs) in found]


def name_now(job: Job, which: str) -> str:
    """How pages name a state that a job compared: the draft while nobody has edited it since."""
    name = job.parameters[which]
    if isinstance(name, list):
        return str(name[0])
    return DRAFT if job.pack and name == f"r{job.pack.revision}" else str(name)
