"""Proofs that were made before, found again by a digest of all that they depend on."""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import orjson

from packs.formats.document import Pack
from packs.formats.task import Task
from runs.proof.author import CaseNotes
from runs.proof.cheap import Neighbour
from runs.proof.document import CaseProof, read_proof
from runs.proof.probes import Code

_ROOT = Path(__file__).resolve().parents[2]
# The code by which a case is judged: when it changes, the same case can come out otherwise.
_JUDGING = ("runs/proof", "runs/engine", "runs/grading", "packs/formats")
# What another machine or setting would find is not kept.
_PASSING = frozenset({Code.NEEDS_SANDBOX, Code.FLAKY})


@cache
def judging_code() -> str:
    """A digest of the programs that judge cases."""
    found = hashlib.sha256()
    for folder in _JUDGING:
        for path in sorted((_ROOT / folder).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def material_of(pack: Pack) -> str:
    """A digest of the files of a pack beside its cases: any of them can be read by a grader."""
    found = hashlib.sha256()
    for path, content in sorted([*((file.path, file.content) for file in pack.files), *_assets(pack)]):
        found.update(f"{len(path)}:{path}:{len(content)}:".encode("utf-8", "surrogatepass"))
        found.update(content)
    return found.hexdigest()


def _assets(pack: Pack) -> Iterable[tuple[str, bytes]]:
    return ((f"asset:{asset.key}", asset.content or b"") for asset in pack.assets)


def digest_of(task: Task, others: Sequence[Neighbour], notes: CaseNotes, material: str) -> str:
    """A digest of all that the proof of a case depends on."""
    # Values are written as they stand: to copy them first takes ten times as long.
    parts = [judging_code(), material, task, others, notes]
    return hashlib.sha256(orjson.dumps(parts, default=str, option=orjson.OPT_NON_STR_KEYS)).hexdigest()


def is_lasting(proof: CaseProof) -> bool:
    """Whether the same case would come out the same again, on another machine too."""
    return not any(reason.code in _PASSING for reason in proof.reasons)


def default_folder() -> Path:
    """Where proofs of the command line are kept: the user's folder for what can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "packwright", "proofs")


def mark_of_files(files: Mapping[str, bytes], *asked: object) -> str:
    """A digest of all files of a pack, of what was asked of it, and of the programs that judge."""
    found = hashlib.sha256(f"{judging_code()}{asked}".encode("utf-8", "surrogatepass"))
    for path, content in sorted(files.items()):
        found.update(f"{len(path)}:{path}:{len(content)}:".encode("utf-8", "surrogatepass"))
        found.update(content)
    return found.hexdigest()


class Kept:
    """The proofs of one pack, in a file named after its path.

    `whole` has, by the mark of all files, the format and the digests of the cases: where nothing changed, the pack need
    not even be read.
    """

    def __init__(self, folder: Path, pack: Path) -> None:
        name = hashlib.sha256(str(pack.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self.file = folder / f"{name}.json"
        self.known: dict[str, CaseProof] = {}
        self.whole: dict[str, tuple[str, list[str]]] = {}
        self._read()
        self.used: dict[str, CaseProof] = {}

    def _read(self) -> None:
        """What an earlier command left. A file that says anything else is as good as none: all can be proven again."""
        try:
            stored = orjson.loads(self.file.read_bytes())
            self.whole = {mark: (name, list(digests)) for mark, (name, digests) in stored["whole"].items()}
            self.known = {digest: read_proof(entry) for digest, entry in stored["proofs"].items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            self.known, self.whole = {}, {}

    def unchanged(self, mark: str) -> tuple[str, list[CaseProof]] | None:
        """The format and the proofs of a pack that is as it was; None where it is not, or a case has to be tried."""
        name, digests = self.whole.get(mark, ("", []))
        if not digests or not all(digest in self.known for digest in digests):
            return None
        return name, [self.known[digest] for digest in digests]

    def get(self, digest: str) -> CaseProof | None:
        found = self.known.get(digest)
        if found is not None:
            self.used[digest] = found
        return found

    def add(self, digest: str, proof: CaseProof) -> None:
        if is_lasting(proof):
            self.used[digest] = proof

    def save(self, mark: str, name: str, digests: Sequence[str]) -> None:
        """Keep what this command used, for the pack of a mark; a folder that cannot be written keeps nothing, and the
        next one proves anew."""
        whole = {mark: (name, digests)}
        data = orjson.dumps(
            {"whole": whole, "proofs": {digest: proof.as_dict() for digest, proof in self.used.items()}}
        )
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            new = self.file.with_suffix(f".{os.getpid()}")
            new.write_bytes(data)
            new.replace(self.file)
        except OSError:
            return
