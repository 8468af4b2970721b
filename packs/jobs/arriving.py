"""New drafts that a job writes in portions, and what the phases of such work are called."""

from dataclasses import asdict
from typing import Any

from packs.editing.rechecking import findings_by_address
from packs.formats.findings import foremost
from packs.importing import Preview
from packs.importing.reading import Reading
from packs.importing.writing import arriving
from packs.jobs.progress import Progress
from packs.mirror import format_of, write_tree
from packs.models import Job, Pack, PackStatus

READING, CHECKING, WRITING = "Reading", "Checking", "Writing"
SHOWN_FINDINGS = 100
# What the preview of an import lists.
LISTS = ("created", "changed", "removed", "ignored")


def outcome_of(found: Preview) -> dict[str, Any]:
    """What a job that looked at files says of them."""
    findings = [finding.as_dict() for finding in foremost(found.findings, SHOWN_FINDINGS)]
    return {
        **{
            key: getattr(found, key) for key in ("format", "slug", "title", "counts", "totals", "has_comments", "packs")
        },
        **{key: [asdict(item) for item in getattr(found, key)] for key in (*LISTS, "kinds")},
        "token": str(found.token or ""),
        "pack": found.pack.pk if found.pack else None,
        "findings": findings,
        "finding_count": found.finding_count,
        "refused": [finding.as_dict() for finding in found.refused[:SHOWN_FINDINGS]],
    }


def forget_unfinished(job: Job) -> None:
    """Remove the draft that a worker began for the job and did not finish."""
    Pack.objects.filter(pk=job.parameters.get("pack"), status=PackStatus.IMPORTING).delete()


def written(job: Job, progress: Progress, reading: Reading, source: dict[str, Any]) -> Pack:
    """The new draft of a pack that was read, which nobody sees before it is written whole.

    Raises ImportRefused where it has no tree.
    """
    tree = reading.in_tree()
    with arriving(job.team, job.user, reading, source) as row:
        job.parameters = {**job.parameters, "pack": row.pk}
        Job.objects.filter(pk=job.pk).update(parameters=job.parameters)
        found = findings_by_address(format_of(row), tree, reading.content)
        progress.phase(WRITING, sum(len(input_set.cases) for input_set in tree.input_sets))
        write_tree(row, tree, found, progress.tick)
    return row
