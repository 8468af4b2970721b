"""Jobs about proposals of large drafts: beginning and merging one, and taking in what the draft has by now."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from packs.editing import EditRefused
from packs.editing.proposals import merge, propose, take_in
from packs.jobs.progress import Progress
from packs.models import Job, Pack, Proposal

Outcome = dict[str, Any]


def begin(pack: Pack, job: Job, progress: Progress) -> Outcome:
    """Begin a proposal with a copy of the draft. Parameter: title."""
    progress.phase("Copying the draft, in one step")
    return said(propose(pack, job.user, job.parameters["title"]))


def bring(pack: Pack, job: Job, progress: Progress) -> Outcome:
    """Merge a proposal into the draft. Parameters: proposal, seen, chosen."""
    found, given = proposal_of(pack, job), job.parameters
    # A worker that died may have merged it already.
    if found.status != Proposal.Status.MERGED or found.ended_by_id != job.user_id:
        progress.phase("Merging, in one step")
        merge(found, job.user, given["seen"], given["chosen"])
    return said(found)


def renew(pack: Pack, job: Job, progress: Progress) -> Outcome:
    """Take what the draft has by now into a proposal. Parameters: proposal, seen, chosen."""
    found, given = proposal_of(pack, job), job.parameters
    progress.phase("Taking in the draft, in one step")
    take_in(found, job.user, given["seen"], given["chosen"])
    return said(found)


def said(proposal: Proposal) -> Outcome:
    return {"proposal": proposal.pk, "number": proposal.number}


def proposal_of(pack: Pack, job: Job) -> Proposal:
    """Raises EditRefused (no_such_proposal)."""
    found: Proposal | None = pack.proposals.filter(pk=job.parameters["proposal"]).first()
    if found is None:
        raise EditRefused("no_such_proposal", "This proposal is gone.")
    return found


@dataclass(frozen=True, slots=True)
class ProposalAct:
    """A kind of job about a proposal: the beginning of its title, and what it does."""

    title: str
    do: Callable[[Pack, Job, Progress], Outcome]


PROPOSAL_ACTS: Mapping[str, ProposalAct] = {
    "propose": ProposalAct("Begin a proposal for", begin),
    "merge": ProposalAct("Merge a proposal into", bring),
    "take-in": ProposalAct("Take the newer edits into a proposal for", renew),
}
