"""The proof of whole packs: each case by itself, beside the others of its input set and challenge."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from os import cpu_count
from typing import Protocol

from packs.formats.answers import Answer
from packs.formats.document import Pack
from packs.formats.leaks import answers_of, leaks
from packs.formats.offering import is_offered
from packs.formats.task import Task, WorkspaceFile
from runs.engine.given import grade_given
from runs.engine.outcome import Outcome
from runs.engine.rooms import content_of
from runs.grading.judges import Bench
from runs.proof.author import Notes
from runs.proof.canary import places_of
from runs.proof.cheap import Neighbour
from runs.proof.document import CaseProof
from runs.proof.keeping import digest_of, material_of
from runs.proof.probes import Work
from runs.proof.proving import prove, reference_of
from runs.proof.rules import asks_programs, mark_of, reads_costs, works_on_files
from runs.proof.shapes import parsed
from runs.sandbox.contract import Sandbox

# Fewer cases are tried in this process: starting others takes longer. Where programs run, their answers take so long
# that two cases are many. Each answer has a sandbox of its own, since some of them forge and delete on purpose.
MANY, MANY_WITH_PROGRAMS = 100, 2
CHUNK = 25
# How many other cases a case is tried beside.
NEAR = 12
# Limits on time, tokens and money say nothing of an answer: each that is tried keeps them.
COSTS_NOTHING = {"event_type": "grader.evidence.supplied", "payload": {"cost_usd": 0}}
ENDED = {
    "event_type": "system.run.completed",
    "payload": {"latency_ms": 0, "input_tokens": 0, "output_tokens": 0, "total_tokens": 0},
}


class Memory(Protocol):
    """Keeps proofs by their digests."""

    def get(self, digest: str) -> CaseProof | None:
        """The proof with this digest; None where there is none."""

    def add(self, digest: str, proof: CaseProof) -> None:
        """Keep a proof."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A case to prove, with its neighbours."""

    task: Task
    others: Sequence[Neighbour]


@dataclass(slots=True)
class Prover:
    """Proves the cases of one pack. `bench` is how judges are asked; without one nobody is. `after` is called
    after each graded answer."""

    pack: Pack
    notes: Notes
    sandbox: Sandbox
    bench: Bench | None = None
    after: Callable[[], None] = lambda: None
    assets: dict[str, bytes | None] = field(init=False)
    files: dict[str, bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.assets = {asset.key: asset.content for asset in self.pack.assets}
        self.files = {file.path: file.content for file in self.pack.files}

    def read(self, file: WorkspaceFile) -> bytes | None:
        """The bytes of an asset or file of the pack that a task names."""
        return self.assets.get(file.asset_key) if file.asset_key else self.files.get(file.path)

    def read_text(self, file: WorkspaceFile) -> str | None:
        data = self.read(file)
        return None if data is None else data.decode(errors="replace")

    def grade(self, task: Task, work: Work) -> Outcome:
        """The outcome of a trial that ends with this work."""
        # An agent that did nothing left its workspace as it was; without one, programs would have nothing to judge.
        is_kept = works_on_files(task) and not task.environment.materialize_from_image
        left = self.left(task, work) if is_kept or work.files or work.deletes else None
        is_ended = any(event.get("event_type") == ENDED["event_type"] for event in work.events)
        ended = () if is_ended else (COSTS_NOTHING, ENDED) if reads_costs(task) else (ENDED,)
        events = (*work.events, *ended)
        outcome = grade_given(task, work.text, events, self.sandbox, self.read, left, bench=self.bench)
        self.after()
        return outcome

    def left(self, task: Task, work: Work) -> dict[str, bytes]:
        """The files that this work leaves in the workspace."""
        given = [] if work.deletes else [(file.path, content_of(file, self.read)) for file in task.environment.files]
        written = [(path, text.encode()) for path, text in work.files.items()]
        return {path: content for path, content in (*given, *written) if content is not None}

    def prove(self, case: Beside) -> CaseProof:
        notes = self.notes.of(case.task)
        gold = reference_of(case.task, notes) if notes.reference is None else None
        stated = answers_of(case.task)
        # A schema that says the whole answer is not looked for as it stands, but as what it says.
        made = (Answer((), gold.text),) if gold is not None and parsed(gold.text) is not None else ()
        found = leaks(replace(case.task, answers=(*stated, *made)), self.read_text, is_offered)
        given = ((file.path, self.read_text(file) or "") for file in case.task.environment.files)
        canary = list(places_of(case.task, notes.canary, given)) if notes.canary else []
        return prove(case.task, case.others, notes, self.grade, found, canary)


def prove_pack(
    prover: Prover, tasks: Sequence[Task], chosen: Sequence[Task], memory: Memory, *, alone: bool = False
) -> Iterator[tuple[str, CaseProof]]:
    """The proofs of chosen tasks of a pack with their digests, in their order and one by one; what is proven already is
    taken from memory. Where many are missing, other processes help, unless this one works `alone`."""
    cases = list(_beside(prover.notes, tasks, chosen))
    material = material_of(prover.pack)
    digests = [digest_of(case.task, case.others, prover.notes.of(case.task), material) for case in cases]
    found = [memory.get(digest) for digest in digests]
    missing = [case for case, proof in zip(cases, found, strict=True) if proof is None]
    made = map(prover.prove, missing) if alone or not _are_many(missing) else _prove_many(prover, missing)
    for digest, known in zip(digests, found, strict=True):
        proof = known if known is not None else next(made)
        if known is None:
            memory.add(digest, proof)
        yield digest, proof


def _are_many(cases: Sequence[Beside]) -> bool:
    return len(cases) >= (MANY_WITH_PROGRAMS if any(asks_programs(case.task) for case in cases) else MANY)


def _prove_many(prover: Prover, cases: Sequence[Beside]) -> Iterator[CaseProof]:
    size = CHUNK if len(cases) >= MANY else 1
    chunks = [cases[at : at + size] for at in range(0, len(cases), size)]
    # Copies of this process know the pack and its sandbox, which cannot be sent.
    with ProcessPoolExecutor(cpu_count(), get_context("fork"), _use, (prover,)) as pool:
        for proofs in pool.map(_prove_chunk, chunks):
            yield from proofs


_used: list[Prover] = []


def _use(prover: Prover) -> None:
    _used[:] = [prover]


def _prove_chunk(cases: Sequence[Beside]) -> list[CaseProof]:
    return [_used[0].prove(case) for case in cases]


def _beside(notes: Notes, tasks: Sequence[Task], chosen: Sequence[Task]) -> Iterator[Beside]:
    """Chosen tasks, each with the next ones of its input set and challenge, so that its proof does not grow with the
    pack."""
    together: dict[tuple[str, str], list[Neighbour]] = defaultdict(list)
    for task in tasks:
        gold = reference_of(task, notes.of(task))
        text = gold.text if gold is not None and not gold.events else ""
        together[task.input_set_key, task.challenge_key].append(Neighbour(task.case_key, text, mark_of(task)))
    places = {(key, neighbour.key): index for key, group in together.items() for index, neighbour in enumerate(group)}
    for task in chosen:
        key = task.input_set_key, task.challenge_key
        group, at = together[key], places[key, task.case_key]
        near = [group[(at + step) % len(group)] for step in range(1, min(NEAR + 1, len(group)))]
        yield Beside(task, tuple(other for other in near if other.reference))
