"""Proving the cases of drafts and versions, with what their author states in `proof.yaml` (docs/proof.md)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import orjson
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from packs.access import Permission, permissions
from packs.editing import EditRefused
from packs.editing.files import file_content, set_file
from packs.formats import adapter_of
from packs.formats.document import PROOF_FILE
from packs.formats.document import Pack as Tree
from packs.formats.findings import Finding
from packs.formats.task import Task
from packs.formats.yamlio import UnwritableError
from packs.jobs import is_large, start_once
from packs.jobs.progress import Progress
from packs.mirror import BATCH, read_tree, read_version
from packs.models import Case, Job, Pack, PackVersion, VersionCase
from runs.grading.judges import Bench
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.jobs.trials.tryouts import needs_worker, task_of
from runs.models.proofs import StoredProof, in_order, standing_of
from runs.models.suggestions import forget_suggestions
from runs.proof.author import (
    Notes,
    Stated,
    read_notes,
    strangers,
    with_acceptance,
    with_answer,
    without_acceptance,
    without_answer,
    write_notes,
)
from runs.proof.canary import new_canary
from runs.proof.document import CaseProof, CaseState, read_proof
from runs.proof.keeping import is_lasting
from runs.proof.packing import Prover, prove_pack
from runs.proof.probes import Code, Work

# The kind of the job in `packs.jobs`.
PROVE = "prove"
# How large an answer that is kept may be at most, in bytes of JSON.
MAX_BYTES = 1024 * 1024


class ProofRefused(EditRefused):
    """Cases that cannot be proven now, or notes that cannot be written. `code` is pack_has_errors, bad_notes,
    has_comments, unwritable, not_stated, answer_too_large, no_estimate or forbidden; the message says what to do."""


@dataclass(frozen=True, slots=True)
class CompiledCase:
    """A case as a row, and the task that it compiles to."""

    node: int
    revision: int
    task: Task


@dataclass(frozen=True, slots=True)
class Subject:
    """What is proven: the cases of a draft, or of a version, with its tree and its author's notes."""

    pack: Pack
    version: PackVersion | None
    tree: Tree
    notes: Notes
    rows: Sequence[CompiledCase]

    @property
    def revision(self) -> int:
        return self.pack.revision if self.version is None else self.version.revision


class Stored:
    """The proofs of the draft, and of the version that is proven, found by their digests."""

    def __init__(self, subject: Subject) -> None:
        ends = Q(version=None) | Q(version=subject.version)
        rows = StoredProof.objects.filter(ends, pack=subject.pack).values_list("digest", "document")
        self.known: dict[str, Any] = {}
        for digest, document in rows.iterator(chunk_size=BATCH):
            # What judges said was paid for: no proof that asked nobody takes its place.
            if digest not in self.known or document.get("spread"):
                self.known[digest] = document

    def get(self, digest: str) -> CaseProof | None:
        """The proof with this digest, unless another machine or time could give another one."""
        found = read_proof(self.known[digest]) if digest in self.known else None
        return found if found is not None and (found.spread is not None or is_lasting(found)) else None

    def add(self, digest: str, proof: CaseProof) -> None:
        """The rows are written with their nodes."""


class Nothing:
    """Knows no proof."""

    def get(self, digest: str) -> CaseProof | None:
        return None

    def add(self, digest: str, proof: CaseProof) -> None:
        """Nothing is kept."""


def start_proving(pack: Pack, user: User, version: PackVersion | None = None) -> Job:
    """The job that proves the cases of a draft as it is when the job begins, or those of a version."""
    columns = {"team": pack.team, "user": user, "title": f"Prove the cases of {version or pack}"[:300]}
    return start_once(PROVE, pack, {"version": version.pk if version else None}, **columns)


def heed_permission(job: Job) -> Pack:
    """The pack of a job whose user may still prove its cases. Raises ProofRefused."""
    if job.pack is None or Permission.RUN not in permissions(job.user, job.team):
        raise ProofRefused("forbidden", "Your role in the team may not prove cases any more.")
    return job.pack


def prove_all(job: Job, progress: Progress) -> dict[str, Any]:
    """Prove all cases of a draft, or of a version (parameter: version). Raises ProofRefused."""
    pack = heed_permission(job)
    progress.phase("Reading the cases")
    pk = job.parameters["version"]
    subject = draft_of(pack) if pk is None else version_of(PackVersion.objects.select_related("pack").get(pk=pk))
    progress.phase("Proving", len(subject.rows))
    proofs = prove_rows(subject, subject.rows, progress.tick)
    return {"cases": Counter(proof.state.value for proof in proofs)}


def prove_case(case: Case) -> StoredProof:
    """Prove one case of a draft in this process, and keep what is found out. Raises ProofRefused."""
    subject = draft_of(case.pack)
    prove_rows(subject, [row for row in subject.rows if row.node == case.pk])
    return StoredProof.objects.get(pack=case.pack, version=None, node=case.pk)


def is_quick(case: Case) -> bool:
    """Whether a request may prove a case: its pack is not large, and no program runs for it."""
    task = None if is_large(case.pack) else task_of(case)
    return task is not None and not needs_worker(task, ())


def stated_answers(case: Case) -> list[Stated]:
    """The answers that `proof.yaml` states for a case; none where the case or that file cannot be read."""
    task = task_of(case)
    notes, _ = read_notes(file_content(case.pack, PROOF_FILE) or b"")
    return notes.stated(task) if task is not None else []


def state_answer(case: Case, name: str, work: Work, user: User | None, origin: str = "", *, instead: str = "") -> None:
    """Add an answer to `proof.yaml`: the `reference` of a case, or one that is `right` or `wrong`, with its origin.

    `instead` is the key of an answer whose place it takes. Raises ProofRefused, EditRefused.
    """
    if len(orjson.dumps([work.text, dict(work.files), list(work.events)])) > MAX_BYTES:
        raise ProofRefused("answer_too_large", "The answer, its files and events are larger than 1 MiB together.")
    _change_notes_of(
        case, user, lambda notes, task: with_answer(notes.document, task, name, work, origin, instead=instead)
    )


def remove_answer(case: Case, key: str, user: User) -> None:
    """Take an answer out of `proof.yaml`. Raises ProofRefused, EditRefused."""
    _change_notes_of(case, user, lambda notes, task: without_answer(notes.document, task, key))


def accept(case: Case, code: Code, reason: str, user: User) -> None:
    """Say in `proof.yaml` that what a reason says of a case is meant. Raises ProofRefused, EditRefused."""
    _change_notes_of(case, user, lambda notes, task: with_acceptance(notes.document, task, code, reason))


def stop_accepting(case: Case, code: Code, user: User) -> None:
    """Take out of `proof.yaml` that what a reason says of a case is meant. Raises ProofRefused, EditRefused."""
    _change_notes_of(case, user, lambda notes, task: without_acceptance(notes.document, task, code))


def stamp_canary(pack: Pack, user: User) -> None:
    """Give a pack a canary in `proof.yaml`; one that it has stays. Raises ProofRefused, EditRefused."""

    def stamped(notes: Notes) -> Mapping[str, Any]:
        return notes.document if notes.canary else {"canary": new_canary(), **notes.document}

    _change_notes(pack, user, stamped, f"Stamp a canary in {PROOF_FILE}")


def _change_notes_of(case: Case, user: User | None, change: Callable[[Notes, Task], Mapping[str, Any]]) -> None:
    task = task_of(case)
    if task is None:
        raise ProofRefused("pack_has_errors", "Errors keep this case from being compiled. Fix them first.")
    label = f"State in {PROOF_FILE} what is right for {case.key}"
    _change_notes(case.pack, user, lambda notes: change(notes, task), label)


def _change_notes(pack: Pack, user: User | None, change: Callable[[Notes], Mapping[str, Any]], label: str) -> None:
    before = file_content(pack, PROOF_FILE) or b""
    notes, found = read_notes(before) if before else (Notes(), [])
    _refuse(found)
    if b"#" in before and write_notes(notes.document) != before:
        message = f"{PROOF_FILE} has comments, which a change here would drop. Change the file by hand and import it."
        raise ProofRefused("has_comments", message)
    try:
        after = write_notes(change(notes))
    except KeyError as error:
        message = (
            f"{PROOF_FILE} does not say this for the case alone. What it says for all cases is changed in the file."
        )
        raise ProofRefused("not_stated", message) from error
    except UnwritableError as error:
        raise ProofRefused("unwritable", f"{PROOF_FILE} cannot hold this answer: {error}") from error
    set_file(pack, PROOF_FILE, after, user, label=label[:200])


def unproven(pack: Pack) -> str:
    """Which cases of a draft are not proven, in a sentence; empty where all are."""
    counts = standing_of(pack).counts
    open_ = [(state, count) for state, count in sorted(counts.items()) if state is not CaseState.PROVEN]
    if not open_:
        return ""
    said = " and ".join(f"{count} {'is' if count == 1 else 'are'} {state}" for state, count in open_)
    return f"All cases have to be proven before this pack is published: of {counts.total()}, {said}."


def draft_of(pack: Pack) -> Subject:
    """A draft as it is now. Raises ProofRefused."""
    with transaction.atomic():
        # Nobody edits between the reading of the rows and of the tree.
        now = Pack.objects.select_for_update().get(pk=pack.pk)
        if now.problem_errors:
            raise ProofRefused("pack_has_errors", "The draft has errors. Fix them, then prove its cases.")
        return _subject(now, None, read_tree(now), list(in_order(now).values_list("pk", "revision")))


def version_of(version: PackVersion) -> Subject:
    """A version. Raises ProofRefused."""
    cases = VersionCase.objects.filter(version=version).order_by("input_set__position", "position")
    rows = [(pk, 0) for pk in cases.values_list("pk", flat=True)]
    return _subject(version.pack, version, read_version(version), rows)


def _subject(pack: Pack, version: PackVersion | None, whole: Tree, rows: Sequence[tuple[int, int]]) -> Subject:
    notes, tree = notes_of(whole)
    tasks = list(adapter_of(pack.format).compile_tasks(tree))
    _refuse(strangers(notes, tasks))
    of_cases = [CompiledCase(*row, task) for row, task in zip(rows, tasks, strict=True)] if rows else []
    return Subject(pack, version, tree, notes, of_cases)


def notes_of(tree: Tree) -> tuple[Notes, Tree]:
    """What the author of a pack states in its `proof.yaml`, and the pack without that file. Raises ProofRefused."""
    held = {file.path: file.content for file in tree.files}
    held |= {asset.path: asset.content for asset in tree.assets if asset.content is not None}
    name = min((path for path in held if path.rpartition("/")[2] == PROOF_FILE), key=len, default=None)
    if name is None:
        return Notes(), tree
    notes, found = read_notes(held[name], name)
    _refuse(found)
    files = tuple(file for file in tree.files if file.path != name)
    return notes, replace(tree, files=files, assets=tuple(asset for asset in tree.assets if asset.path != name))


def _refuse(found: Iterable[Finding]) -> None:
    for finding in found:
        raise ProofRefused("bad_notes", f"{PROOF_FILE}: {finding.message}")


def prove_rows(
    subject: Subject,
    chosen: Sequence[CompiledCase],
    tick: Callable[[int], None] = lambda done: None,
    bench: Bench | None = None,
) -> list[CaseProof]:
    """Prove some cases of a subject, and keep what is found out; what did not change is not tried again.

    With a `bench` their judges are asked, about all answers anew. `tick` gets how many cases are proven; with a bench,
    how many answers are graded.
    """
    graded, tasks = count(1), [row.task for row in subject.rows]
    after = (lambda: tick(next(graded))) if bench is not None else lambda: None
    prover = Prover(subject.tree, subject.notes, chosen_sandbox(), bench, after)
    memory = Stored(subject) if bench is None else Nothing()
    made = prove_pack(prover, tasks, [row.task for row in chosen], memory, alone=True)
    proofs = []
    for number, (row, (digest, proof)) in enumerate(zip(chosen, made, strict=True)):
        proofs.append((row, digest, proof))
        if bench is None:
            tick(number + 1)
    keep(subject, proofs)
    return [proof for _, _, proof in proofs]


def keep(subject: Subject, proofs: Sequence[tuple[CompiledCase, str, CaseProof]]) -> None:
    """Replace what is known of these cases."""
    rows = [
        StoredProof(
            pack=subject.pack,
            version=subject.version,
            node=row.node,
            digest=digest,
            state=proof.state.value,
            strength=proof.strength,
            wrong=proof.wrong,
            refused=proof.refused,
            document=proof.as_dict(),
            revision=subject.revision,
            row_revision=row.revision,
        )
        for row, digest, proof in proofs
    ]
    with transaction.atomic():
        # Two who prove the same draft write one after the other.
        Pack.objects.select_for_update().get(pk=subject.pack.pk)
        known = StoredProof.objects.filter(pack=subject.pack, version=subject.version)
        # Of all cases, those that are gone go as well.
        if len(proofs) < len(subject.rows):
            known = known.filter(node__in=[row.node for row in rows])
        known.delete()
        forget_suggestions(subject.pack)
        StoredProof.objects.bulk_create(rows, BATCH)
