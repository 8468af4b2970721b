"""Jobs about the repository of a pack: what came there since, a pull, a push."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import PermissionDenied

from packs.access import Permission, permissions
from packs.comparing import DRAFT, FETCHED, GIT, difference_of, find_end
from packs.formats.comparing import conflict_dict, summary
from packs.formats.identity import TAKEN
from packs.importing.previewing import described, keep_upload
from packs.importing.reading import numbered, read
from packs.importing.writing import keep_source
from packs.jobs.arriving import CHECKING, outcome_of
from packs.jobs.progress import Progress, watched
from packs.models import GitFolder, Job, Pack
from packs.remotes import Folder, RemoteRefused, remote
from packs.repositories import fetch, prepare, pull, push

# Of each side of a conflict a page shows the beginning.
SHOWN_CHARACTERS, SHOWN_CONFLICTS = 4_000, 200
# The kind of the job that looks for a new pack; it has no pack yet.
NEW = "git-new"
FETCHING, MERGING = "Asking the repository", "Merging"


def look(pack: Pack, job: Job, progress: Progress) -> dict[str, Any]:
    """See what the repository has, and what a pull would do with the draft as it stands."""
    row = folder_of(pack)
    progress.phase(FETCHING)
    skipped = fetch(row)
    outcome = {"commit": row.fetched_commit, "revision": pack.revision, "skipped": list(skipped[:SHOWN_CONFLICTS])}
    if not row.is_behind:
        return outcome
    progress.phase(MERGING)
    found = prepare(row).merged
    conflicts = [conflict_dict(each, SHOWN_CHARACTERS) for each in found.conflicts[:SHOWN_CONFLICTS]]
    return {
        **outcome,
        "incoming": said(pack, GIT if row.base else DRAFT, FETCHED),
        "outgoing": said(pack, GIT, DRAFT) if row.base else "",
        "conflicts": conflicts,
        "conflict_count": len(found.conflicts),
    }


def look_for_new(job: Job, progress: Progress) -> dict[str, Any]:
    """Say what a folder would be as a new pack. Parameters: repository (as `Folder`) and slug.

    The outcome is the preview of an import, which also binds the pack; the files wait under its token. Raises
    RemoteRefused (no_folder) where the folder holds no pack, or several.
    """
    if Permission.ADMINISTER not in permissions(job.user, job.team):
        raise PermissionDenied
    given, progress_of = job.parameters["repository"], lambda tree: watched(tree, progress, CHECKING)
    progress.phase(FETCHING)
    fetched = remote().fetch(job.team_id, Folder(**given))
    name = given["folder"].rpartition("/")[2] or given["address"].rstrip("/").rpartition("/")[2].removesuffix(".git")
    if not fetched.files:
        raise RemoteRefused("no_folder", f"The branch {given['branch']} has no files in this folder.")
    reading = read(job.team, fetched.files, name, None, job.parameters["slug"] or None, (), progress_of)
    if reading.pack is not None and job.parameters["slug"]:
        reading = replace(reading, refused=[TAKEN.at((), slug=reading.slug)])
    elif reading.pack is not None:
        reading = replace(reading, slug=numbered(job.team, reading.slug), pack=None)
    found = described(reading, fetched.files)
    if found.packs:
        names = ", ".join(sorted(found.packs)[:5])
        raise RemoteRefused(
            "no_folder", f"There are {len(found.packs)} packs in this folder: {names}. Name one of them."
        )
    if found.can_import:
        more = {"repository": {**given, "commit": fetched.commit}}
        source = keep_source(fetched.files, name)
        found.token = keep_upload(job.team, job.user, name, reading, source, **more).token
    return outcome_of(found)


def said(pack: Pack, old: str, new: str) -> str:
    """What is different between two states, in a sentence."""
    left, right = find_end(pack, old), find_end(pack, new)
    return summary(difference_of(left, right).nodes) if left and right else ""


def take(pack: Pack, job: Job, progress: Progress) -> dict[str, Any]:
    """Merge what was fetched into the draft. Parameters: commit, seen, chosen, keeps."""
    row, given = folder_of(pack), job.parameters
    if row.fetched_commit != given["commit"]:
        raise RemoteRefused("changed", "The repository has changed meanwhile. Check it again.")
    progress.phase(f"{MERGING}, in one step")
    applied = pull(row, job.user, given["seen"], given["chosen"], given["keeps"])
    return {"commit": row.commit, "revision": applied.revision}


def give(pack: Pack, job: Job, progress: Progress) -> dict[str, Any]:
    """Push the draft as a commit. Parameters: message, branch."""
    row, given = folder_of(pack), job.parameters
    progress.phase("Pushing")
    return {"commit": push(row, job.user, given["message"], given["branch"]), "branch": given["branch"] or row.branch}


def folder_of(pack: Pack) -> GitFolder:
    """The folder that a pack is bound to. Raises RemoteRefused."""
    row: GitFolder | None = GitFolder.objects.filter(pack=pack).select_related("base", "fetched", "pack__team").first()
    if row is None:
        raise RemoteRefused("not_bound", "This pack is not bound to a repository.")
    return row


@dataclass(frozen=True, slots=True)
class RepositoryAct:
    """A kind of job: the beginning of its title, what it does, and what its user must be allowed to do."""

    title: str
    do: Callable[[Pack, Job, Progress], dict[str, Any]]
    needed: Permission


REPOSITORY_ACTS: Mapping[str, RepositoryAct] = {
    "git-look": RepositoryAct("Look at the repository of", look, Permission.EDIT),
    "git-pull": RepositoryAct("Pull into", take, Permission.EDIT),
    "git-push": RepositoryAct("Push", give, Permission.CURATE),
}
