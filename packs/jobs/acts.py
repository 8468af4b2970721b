"""What jobs do. Every act takes its job, tells its progress, and gives its outcome as JSON."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction

from packs import blobs
from packs.access import Permission, permissions
from packs.companion import companion
from packs.comparing import find_end, restore_end, restore_node_of
from packs.editing import (
    EditRefused,
    change_cases,
    duplicate_cases,
    duplicate_node,
    fix_all,
    move_cases,
    recheck_aside,
    remove_cases,
    remove_node,
)
from packs.editing.arranging import arrange
from packs.exporting import Export, export_draft, export_variant, zipped
from packs.formats.abilities import Loss
from packs.formats.adapter import Files
from packs.formats.archives import read_uploads
from packs.formats.choosing import choose
from packs.formats.document import NodeKind
from packs.formats.findings import Finding
from packs.formats.names import noun_of
from packs.grid.changing import Act, Wish, plan
from packs.grid.columns import columns_of
from packs.grid.metadata import rename, renaming
from packs.grid.queries import Matches, query_of
from packs.importing.previewing import described, files_of, find_upload, keep_upload
from packs.importing.reading import read
from packs.importing.writing import carry_out, keep_source
from packs.jobs.arriving import CHECKING, READING, SHOWN_FINDINGS, WRITING, forget_unfinished, outcome_of, written
from packs.jobs.comparing import compare
from packs.jobs.edits import edit, rename_thing
from packs.jobs.progress import Progress, Stopped, watched
from packs.jobs.proposals import PROPOSAL_ACTS, ProposalAct
from packs.jobs.repositories import NEW, REPOSITORY_ACTS, RepositoryAct, look_for_new
from packs.jobs.tables import begin, foresee, look_at_beginning, merge, write_table
from packs.jobs.travels import travel
from packs.mirror import format_of, read_tree
from packs.models import InputSet, Job, JobStatus, Pack, Upload
from packs.publish import prepare, write
from packs.repositories import bind_arrived


def look(job: Job, progress: Progress) -> dict[str, Any]:
    """Say what an import would do. Parameters: files (name to digest), name, format, slug, chosen.

    The outcome is the preview; the files wait under its token for the import.
    """
    progress.phase(READING)
    name = job.parameters["name"]
    files, before = unpacked(job.parameters)
    wanted = job.parameters.get("format"), job.parameters.get("slug")
    reading = read(job.team, files, name, *wanted, before, lambda tree: watched(tree, progress, CHECKING))
    found = described(reading, files)
    if found.can_import or found.packs:
        progress.phase("Keeping the files")
        found.token = keep_upload(job.team, job.user, name, reading, source_of(job.parameters, files)).token
    return outcome_of(found)


def unpacked(given: dict[str, Any]) -> tuple[Files, list[Finding]]:
    """Uploaded files by name, archives unpacked and one pack of several chosen, and what reading them found."""
    files, before = read_uploads((name, blobs.read(digest)) for name, digest in given["files"].items())
    chosen, missing = choose(files, given.get("chosen", ""))
    return chosen, [*before, *missing]


def source_of(given: dict[str, Any], files: Files) -> dict[str, Any]:
    """The files as they were given, stored as one: an uploaded archive itself, else a new one."""
    if len(given["files"]) == 1 and not given.get("chosen"):
        ((only, digest),) = given["files"].items()
        return {"blob": digest, "name": only[:300], "is_archive": list(files) != [only]}
    return keep_source(files, given["name"])


def take_in(job: Job, progress: Progress) -> dict[str, Any]:
    """Import the files of a preview (parameter: token), or files that nobody looked at (parameters: those of `look`).

    Nobody sees a new draft before it is written whole.
    """
    progress.phase(READING)
    given = job.parameters
    forget_unfinished(job)
    waiting = find_upload(job.user, given["token"]) if "token" in given else None
    name, wanted, files, before, source = arrived(job, waiting)
    reading = read(job.team, files, name, *wanted, before, lambda tree: watched(tree, progress, CHECKING))
    reading.in_tree()
    if reading.pack is not None:
        progress.phase(f"{WRITING}, in one step")
        job.pack = carry_out(job.team, job.user, files, name, reading)
    else:
        del files
        job.pack = written(job, progress, reading, source)
    if waiting is not None:
        bind_arrived(job.pack, job.user, waiting)
        waiting.delete()
    return {"slug": job.pack.slug}


def arrived(job: Job, waiting: Upload | None) -> tuple[str, tuple[str, str], Files, list[Finding], dict[str, Any]]:
    """What an import is of, a preview's upload or the job's own files: name, format and slug, files with what reading
    them found, and the source to keep."""
    if waiting is not None:
        source = {"blob": waiting.blob_id, "name": waiting.inner_name, "is_archive": waiting.is_archive}
        return waiting.name, (waiting.format, waiting.slug), files_of(waiting), [], source
    if Permission.EDIT not in permissions(job.user, job.team):
        raise PermissionDenied
    given = job.parameters
    files, before = unpacked(given)
    return (
        given["name"],
        (given["format"], given["slug"]),
        files,
        before,
        source_of(given, files),
    )


def write_out(job: Job, progress: Progress) -> dict[str, Any]:
    """Write the files of a draft; the job's blob is the file, or an archive of all.

    Parameters: variant (of the format), preserve (the imported bytes of what was not edited); canonical files without.
    With `table` it is a table of cases (`write_table`).
    """
    pack, given = pack_of(job, Permission.READ), job.parameters
    if "table" in given:
        return write_table(job, pack, progress)
    progress.phase(WRITING)
    losses: list[Loss] = []
    if given.get("variant"):
        export, losses = export_variant(pack, given["variant"])
    elif given.get("preserve"):
        export = export_draft(pack, preserve=True)
    else:
        tree = watched(read_tree(pack, walks=True), progress, WRITING)
        files = format_of(pack).dump(tree)
        export = Export(files, blobs.digest_of_files(files))
    progress.phase("Packing")
    name, data = next(iter(export.files.items())) if export.is_single else ("pack.zip", zipped(export))
    job.blob = blobs.put(data)
    return {
        "name": f"{pack.slug}.{name.rpartition('.')[2]}",
        "digest": export.digest,
        "size": len(data),
        "losses": [asdict(loss) for loss in losses[:SHOWN_FINDINGS]],
        "loss_count": len(losses),
    }


def check(job: Job, progress: Progress) -> dict[str, Any]:
    """Check the whole draft while others go on editing it, until a check is of the draft as it is then.

    It changes nothing but findings, so who could begin it is not asked again: curators need not be members.
    """
    pack = job.pack
    if pack is None:
        raise PermissionDenied
    progress.phase(CHECKING)
    while not recheck_aside(pack):
        progress.phase(CHECKING)
    return {"errors": pack.problem_errors, "warnings": pack.problem_warnings}


def publish(job: Job, progress: Progress) -> dict[str, Any]:
    """Publish the draft as it stands when the job begins. Parameters: notes, number.

    The version and the outcome are written together, so that a job whose worker died then publishes no second one.
    """
    pack, given = pack_of(job, Permission.CURATE), job.parameters
    if job.outcome:
        return dict(job.outcome)
    ready = prepare(pack, given["number"], lambda part, tree: watched(tree, progress, part))
    progress.phase(f"{WRITING}, in one step")
    with transaction.atomic():
        mine = Job.objects.select_for_update().get(pk=job.pk)
        if mine.status != JobStatus.RUNNING or mine.outcome:
            raise Stopped
        version = write(pack, ready, job.user, given["notes"])
        mine.outcome = {"version": version.pk, "number": version.number}
        mine.save(update_fields=["outcome"])
    return dict(mine.outcome)


def pack_of(job: Job, needed: Permission) -> Pack:
    """The pack of a job, while its user may still do what the job does."""
    if job.pack is None or needed not in permissions(job.user, job.team):
        raise PermissionDenied
    return job.pack


def change(job: Job, progress: Progress) -> dict[str, Any]:
    """A bulk act on all cases that match. Parameters: set, asked, act, wish, target, first."""
    pack, given = pack_of(job, Permission.EDIT), job.parameters
    input_set = InputSet.objects.select_related("pack").get(pack=pack, pk=given["set"])
    progress.phase("Finding the cases")
    columns = columns_of(format_of(pack), input_set)
    matches = Matches(input_set, query_of(given["asked"]), columns)
    progress.phase("Working it out", len(matches))
    count = len(matches)
    if given["act"] == "edit":
        wish = Wish(Act(given["wish"]["act"]), *(given["wish"][name] for name in ("pointer", "text", "find")))
        found = plan(pack, matches.rows(), wish, progress.tick)
        progress.phase(f"{WRITING}, in one step")
        name = columns[wish.pointer].name if wish.pointer in columns else wish.pointer
        applied = change_cases(pack, job.user, found.changes, label=f"Change {name} of {len(found.changes)} cases")
        counts = {"changed": len(found.changes), "unchanged": found.unchanged, "refused": found.refused}
        return {**counts, "renamed": list(map(str, applied.renamed))}
    progress.phase(f"{WRITING}, in one step")
    label = f"{given['act'].capitalize()} {count} cases"
    if given["act"] == "move":
        move_cases(pack, matches.ids(), job.user, input_set=given["target"], first=given["first"], label=label)
    else:
        act = {"remove": remove_cases, "duplicate": duplicate_cases}[given["act"]]
        act(pack, matches.ids(), job.user, label=label)
    return {"changed": count, "unchanged": 0, "refused": 0}


def rename_metadata(job: Job, progress: Progress) -> dict[str, Any]:
    """Give a key of metadata another name everywhere. Parameters: steps, name."""
    pack, given = pack_of(job, Permission.EDIT), job.parameters
    progress.phase("Working it out")
    found = renaming(pack, given["steps"], given["name"])
    progress.phase(f"{WRITING}, in one step")
    rename(pack, found, job.user)
    return {"changed": len(found.changes), "refused": found.taken}


def fix(job: Job, progress: Progress) -> dict[str, Any]:
    """Fix every finding of a kind for which a fix is known. Parameter: code."""
    pack = pack_of(job, Permission.EDIT)
    progress.phase("Trying fixes")
    return {"changed": fix_all(pack, job.parameters["code"], job.user, progress.tick).count}


def make_edits(job: Job, progress: Progress) -> dict[str, Any]:
    """Edits in which many nodes follow a new key. Parameters: changes, seen, label."""
    return edit(job, pack_of(job, Permission.EDIT), progress)


def rename_named(job: Job, progress: Progress) -> dict[str, Any]:
    """Give a thing another name, wherever the draft names it. Parameters: those of `rename_thing`."""
    return rename_thing(job, pack_of(job, Permission.EDIT), progress)


def duplicate(job: Job, progress: Progress) -> dict[str, Any]:
    """Put a copy of a node behind it, an input set with all its cases. Parameters: kind, node."""
    pack, kind = pack_of(job, Permission.EDIT), NodeKind(job.parameters["kind"])
    progress.phase(f"{WRITING}, in one step")
    applied = duplicate_node(pack, kind, job.parameters["node"], job.user, label=f"Duplicate {noun_of(kind)}")
    return {"added": pack.cases.filter(input_set=applied.node).count() if kind is NodeKind.INPUT_SET else 1}


def remove(job: Job, progress: Progress) -> dict[str, Any]:
    """Remove a node, an input set with all its cases. Parameters: kind, node."""
    pack, kind = pack_of(job, Permission.EDIT), NodeKind(job.parameters["kind"])
    node = job.parameters["node"]
    count = pack.cases.filter(input_set=node).count() if kind is NodeKind.INPUT_SET else 1
    progress.phase(f"{WRITING}, in one step")
    remove_node(pack, kind, node, job.user, label=f"Remove {noun_of(kind)}")
    return {"removed": count}


def rearrange(job: Job, progress: Progress) -> dict[str, Any]:
    """Keep the cases of an input set in files another way. Parameters: set, how."""
    pack, given = pack_of(job, Permission.EDIT), job.parameters
    progress.phase(f"{WRITING}, in one step")
    arrange(pack, given["set"], given["how"], job.user)
    return {}


def restore(job: Job, progress: Progress) -> dict[str, Any]:
    """Make the draft what a state was, or one node of it. Parameters: from; node, its place in the difference between
    the state and the draft at the revision."""
    pack, given = pack_of(job, Permission.EDIT), job.parameters
    progress.phase(f"{WRITING}, in one step")
    old = find_end(pack, given["from"])
    if old is None:
        raise EditRefused("no_such_state", "The state that was to be restored is gone.")
    if "node" in given:
        if pack.revision != given["revision"]:
            raise EditRefused("outdated", "The draft was changed in the meantime. Look at the changes again.")
        return {"written": restore_node_of(pack, old, given["node"], job.user).is_written}
    return {"written": restore_end(pack, old, job.user).is_written}


def take_back(job: Job, progress: Progress) -> dict[str, Any]:
    """Undo or redo a large edit. Parameter: group."""
    return travel(pack_of(job, Permission.EDIT), job, progress)


def proposal_act(act: ProposalAct) -> Callable[[Job, Progress], dict[str, Any]]:
    """Something about a proposal of a pack, while the user of the job may edit that."""
    return lambda job, progress: act.do(pack_of(job, Permission.EDIT), job, progress)


def repository_act(act: RepositoryAct) -> Callable[[Job, Progress], dict[str, Any]]:
    """Something about the repository of a pack, while the user of the job may do it."""
    return lambda job, progress: act.do(pack_of(job, act.needed), job, progress)


ACTS: dict[str, Callable[[Job, Progress], dict[str, Any]]] = {
    "look": look,
    NEW: look_for_new,
    "import": take_in,
    "export": write_out,
    "check": check,
    "publish": publish,
    "change": change,
    "table": lambda job, progress: merge(job, pack_of(job, Permission.EDIT), progress),
    "table-look": lambda job, progress: foresee(job, pack_of(job, Permission.EDIT), progress),
    "table-pack": begin,
    "table-pack-look": look_at_beginning,
    "rename-metadata": rename_metadata,
    "fix": fix,
    "edit": make_edits,
    "rename": rename_named,
    "duplicate": duplicate,
    "remove": remove,
    "arrange": rearrange,
    "restore": restore,
    "compare": lambda job, progress: compare(pack_of(job, Permission.READ), job, progress),
    "undo": take_back,
    "redo": take_back,
    "prove": lambda job, progress: dict(companion().prove(job, progress)),
    "suggest": lambda job, progress: dict(companion().suggest(job, progress)),
    **{kind: proposal_act(act) for kind, act in PROPOSAL_ACTS.items()},
    **{kind: repository_act(act) for kind, act in REPOSITORY_ACTS.items()},
}
