"""Packs in folders of Git repositories: what came there since, merged into the draft; and the draft as a commit."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import normpath

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from packs import blobs
from packs.access import Permission, require
from packs.comparing import tree_of_files
from packs.editing import Applied
from packs.editing.replacing import take_merged
from packs.exporting import export_draft, kept_files
from packs.formats.archives import write_zip
from packs.formats.comparing import Merged, merge_packs
from packs.importing import ImportRefused
from packs.importing.previewing import files_of
from packs.importing.reading import read
from packs.importing.writing import keep_source
from packs.mirror import format_of, read_tree
from packs.models import Blob, GitFolder, Pack, Upload
from packs.remotes import Folder, RemoteRefused, Signature, remote

# Names of branches, as strict as git-check-ref-format(1) or stricter.
BRANCH = re.compile(r"(?![/.-])(?!.*(?:\.\.|//|/\.|\.lock(?:/|$)))[\w./+-]{1,200}(?<![/.])")
SHORT = 8


def place_of(row: GitFolder) -> Folder:
    """The address of the repository, for git."""
    return Folder(row.address, row.branch, row.folder, row.user_name, row.secret, row.host_keys)


def checked(place: Folder) -> Folder:
    """A folder as it is kept. Raises RemoteRefused for what cannot be one."""
    if not BRANCH.fullmatch(place.branch):
        raise RemoteRefused("no_branch", f"{place.branch!r} cannot be the name of a branch.")
    folder = normpath(place.folder.strip().strip("/")) if place.folder.strip().strip("/") else ""
    if folder.startswith("..") or not folder.isprintable():
        raise RemoteRefused("no_folder", f"{place.folder!r} is not a folder of a repository.")
    return replace(place, address=remote().checked(place.address.strip()), folder=folder)


def bind(pack: Pack, place: Folder) -> GitFolder:
    """Bind a pack to a folder. Raises RemoteRefused for what cannot be one, and where another address is meant all that
    was known of the former is forgotten."""
    place = checked(place)
    wanted = {"address": place.address, "branch": place.branch, "folder": place.folder}
    row = GitFolder.objects.filter(pack=pack).first()
    if row is None or any(getattr(row, name) != value for name, value in wanted.items()):
        row = GitFolder(pk=row.pk if row else None, pack=pack, **wanted)
    row.user_name, row.secret, row.host_keys = place.user, place.secret, place.host_keys
    row.save()
    return row


def bind_arrived(pack: Pack, author: User, waiting: Upload) -> None:
    """Bind a pack to the folder that the files of its import came from, which is what both say. Nothing happens where
    they came from elsewhere. Raises PermissionDenied, and RemoteRefused as `bind`."""
    if not waiting.repository:
        return
    require(author, waiting.team, Permission.ADMINISTER)
    given = dict(waiting.repository)
    commit = given.pop("commit")
    row, archive = bind(pack, Folder(**given)), blobs.put(write_zip(files_of(waiting)))
    row.fetched_commit, row.fetched, row.fetched_at = commit, archive, timezone.now()
    _synced(row, author, commit, archive)


def fetch(row: GitFolder) -> Sequence[str]:
    """See what the repository has now; gives the paths there that are no files. Raises RemoteRefused."""
    found = remote().fetch(row.pack.team_id, place_of(row))
    archive = blobs.put(write_zip(found.files))
    row.fetched_commit, row.fetched, row.fetched_at = found.commit, archive, timezone.now()
    if (row.base is None and not found.files) or row.base_id == archive.pk:
        # Commits elsewhere in the repository are no news for the pack.
        row.commit, row.base = found.commit, archive
    row.save()
    return found.skipped


@dataclass(frozen=True, slots=True)
class Pull:
    """What a pull would make of a draft: the merged pack, its conflicts, and the files that come."""

    merged: Merged
    files: Mapping[str, bytes]


def prepare(row: GitFolder, chosen: Sequence[str] = (), keeps: str = "") -> Pull:
    """What pulling would do. `chosen` are the conflicts in which the repository wins.

    Where draft and repository had nothing in common yet, `keeps` says which of them is taken whole: `draft`, or
    `repository` as without it. Raises ImportRefused for files that are no pack of the format.
    """
    pack, files = row.pack, kept_files(row.fetched)
    reading = read(pack.team, files, pack.slug, pack.format, pack.slug)
    if reading.tree is None or reading.refused:
        raise ImportRefused(reading.refused or reading.findings)
    ours, theirs = read_tree(pack), reading.tree
    first = theirs if keeps == "draft" else ours
    base = tree_of_files(pack, kept_files(row.base)) if row.base is not None else first
    return Pull(merge_packs(format_of(pack), base, ours, theirs, set(chosen)), files)


def pull(row: GitFolder, author: User, seen: Sequence[str], chosen: Sequence[str] = (), keeps: str = "") -> Applied:
    """Merge what was fetched into the draft, as one group of edits, which undo takes back.

    `seen` are the conflicts that somebody has looked at: where there are others, nothing is changed.
    Raises EditRefused (unseen_conflicts) and ImportRefused.
    """
    pack = row.pack
    with transaction.atomic():
        Pack.objects.select_for_update().get(pk=pack.pk)
        found = prepare(row, chosen, keeps)
        label = f"Pull of {row.fetched_commit[:SHORT]} from {row.branch}"
        source = keep_source(found.files, pack.slug)
        applied = take_merged(pack, found.merged, set(seen), author, source=source, label=label)
        _synced(row, author, row.fetched_commit, row.fetched)
    return applied


def outgoing(row: GitFolder) -> dict[str, bytes | None]:
    """What a push would change in the folder, by path; None for what goes."""
    files, before = export_draft(row.pack, preserve=True).files, kept_files(row.base)
    changed: dict[str, bytes | None] = {name: data for name, data in files.items() if before.get(name) != data}
    return changed | {name: None for name in before if name not in files}


def push(row: GitFolder, author: User, message: str, onto: str = "") -> str:
    """Write the draft as a commit after the last common one, and give its id; `onto` is another branch for it.

    Raises RemoteRefused (behind) where the repository has what was not pulled, and (nothing) where nothing is changed.
    """
    if onto and not BRANCH.fullmatch(onto):
        raise RemoteRefused("no_branch", f"{onto!r} cannot be the name of a branch.")
    changes = outgoing(row)
    if not changes:
        raise RemoteRefused("nothing", "The draft and the repository say the same.")
    by = Signature(author.get_full_name() or author.get_username(), author.email or "packwright@localhost", message)
    made = remote().push(row.pack.team_id, place_of(row), row.commit, changes, by, onto)
    if not onto or onto == row.branch:
        kept = {**kept_files(row.base), **changes}
        archive = blobs.put(write_zip({name: data for name, data in kept.items() if data is not None}))
        row.fetched_commit, row.fetched, row.fetched_at = made, archive, timezone.now()
        _synced(row, author, made, archive)
    return made


def _synced(row: GitFolder, author: User, commit: str, archive: Blob | None) -> None:
    """Draft and repository have a state in common."""
    row.commit, row.base, row.synced_at, row.synced_by = commit, archive, timezone.now(), author
    row.save()
