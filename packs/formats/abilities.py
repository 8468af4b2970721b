"""What some formats can do beyond `Adapter`: modules with agreed names, in one registry for each ability.

`ARRANGERS.get(name)` is the module of a format, None where it has no such ability. Nothing outside of a format imports
what is inside of it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from packs.formats.adapter import Above, Files
from packs.formats.document import Document, InputSet, NodeKind, Pack
from packs.formats.findings import Finding, Path
from packs.formats.registry import Registry

if TYPE_CHECKING:
    from packs.formats.environment import Repository


class Arranger(Protocol):
    """Knows the ways in which the cases of an input set can be kept in files.

    `ARRANGEMENTS` maps each way to its words on screen.
    """

    ARRANGEMENTS: Mapping[str, str]

    def arrangement(self, document: Document) -> str:
        """The way in which the cases of an input set are kept; it may be one that is not offered."""

    def label_of(self, key: str) -> str:
        """The words on screen for any way that `arrangement` gives."""

    def arranged(self, pack: Pack, position: int, how: str) -> Pack:
        """The pack with the cases of one input set kept in another way.

        Raises KeyError for a way that is not offered.
        """

    def advice(self, suite: InputSet) -> list[str]:
        """Why another way would be better, one sentence each."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What a variant of a format cannot say: where it stands, in the format's own words, and what becomes of it."""

    file: str
    field: str
    outcome: str


class Writer(Protocol):
    """Writes a pack in other variants of its format. `VARIANTS` maps each to its words on screen."""

    VARIANTS: Mapping[str, str]

    def write_variant(self, pack: Pack, variant: str) -> tuple[dict[str, bytes], list[Loss]]:
        """The files in a variant, and all that it cannot say. Raises KeyError for a variant that there is not."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a case comes from, as far as it says so."""

    repository: str = ""
    commit: str = ""
    file: str = ""
    row: str = ""
    is_checked_out: bool = False

    @property
    def is_known(self) -> bool:
        return bool(self.repository or self.commit or self.file or self.row)


class Tracer(Protocol):
    """Knows where cases come from."""

    def origin_of(self, input_set: Document, case: Document) -> Origin:
        """The origin that a case states, alone or by its input set."""


class Planner(Protocol):
    """Knows which files of a pack say whom a run will ask."""

    def tells_of_judges(self, name: str) -> bool:
        """Whether the bytes of the file with this path are needed to tell the judges of a run."""


class Keeper(Protocol):
    """Knows which files of a pack single cases keep for graders. `SIGN` stands in the document of every such case."""

    SIGN: str

    def withheld_by(self, case: Document) -> Iterator[str]:
        """The keys of assets that a case keeps for graders."""


class Collector(Protocol):
    """Knows the repositories that the workspaces of a pack are made from."""

    def repositories_in(self, pack: Pack) -> "Iterator[tuple[Path, Repository]]":
        """Each repository that is stated, with the path in the pack at which it is."""


class Refuser(Protocol):
    """Knows the findings that are no errors and that publishing refuses all the same, by their code or their rule."""

    REFUSED_ON_PUBLISHING: frozenset[str]


class Reviser(Protocol):
    """Knows another revision of its format, and turns packs of that into the one which the studio edits."""

    def converted(self, pack: Pack) -> tuple[Pack, list[Finding]]:
        """The pack, and a finding for everything that was converted; none where it was in the right revision."""


class Mover(Protocol):
    """Knows the paths that an input set and its cases write from the place of its file."""

    def moved(self, kind: NodeKind, document: Document, old: str, new: str, files: Collection[str]) -> Document:
        """A document of an input set whose key changed, or of a case of it, which means the same `files` as before."""


class Freezer(Protocol):
    """Knows how a test is written beside its result: as a suite of its own, with the target that answered."""

    def frozen_suite(self, test: Document, target: str | None, threshold: float | None) -> Document:
        """A suite of one test; `threshold` is what it had to reach, None for the usual one."""

    def write_frozen(self, document: Document) -> bytes:
        """A file of such a folder."""

    def read_frozen(self, data: bytes) -> Document:
        """The test of a frozen suite; empty for a file that holds none."""


class CompiledCase(Protocol):
    """What a result says of the case that it belongs to."""

    benchmark_id: str
    task_type: str

    def summary(self) -> list[Document]:
        """The resources of the case, without the values that agents do not see."""

    def withheld(self) -> list[Any]:
        """The values that agents do not see."""


class CaseCompiler(Protocol):
    """Knows how results name their cases. `REDACTED` stands in the place of values that they may not show."""

    REDACTED: str

    def compiled_case(self, pack: Document, case: Document) -> CompiledCase:
        """A case as results of the format's own runner describe it."""


class Namer(Protocol):
    """Knows what fields of a node name (`x-picks`) beside what documents declare: files, and what files list.

    `FILES` are the sorts of names that are files. `files` are those of the pack by path, with their bytes where
    `is_read` wants them.
    """

    FILES: frozenset[str]

    def is_read(self, path: str) -> bool:
        """Whether the bytes of a file are needed to tell names."""

    def names(self, kind: NodeKind, document: Document, above: Above, files: Files) -> Mapping[str, Sequence[str]]:
        """What a node can name, by sort, as it would write it."""

    def path_of(self, sort: str, kind: NodeKind, document: Document, above: Above, name: str, files: Files) -> str:
        """The path of the file that a name means, one that is there if it can; empty for what is no file's name."""


class FileRenamer(Protocol):
    """Knows the files of a pack that declare or name things of some `SORTS`, as `Adapter.REFERRERS` has them."""

    SORTS: frozenset[str]

    def is_read(self, path: str) -> bool:
        """Whether the file of a path may be one of them."""

    def renamed_file(self, path: str, data: bytes, names: Mapping[str, str]) -> bytes:
        """The bytes of such a file in which things have other names; the same where nothing changes."""


# Formats whose checks and tasks look into the files of a pack, so that they need the bytes.
CONTENT_READERS = frozenset({"agentv", "task_suite"})
# Formats that want trials repeated after an infrastructure error.
REPEATS_BROKEN_TRIALS = frozenset({"task_suite"})


def _registry(**places: str) -> Mapping[str, Any]:
    return Registry("packs.formats", places)


ARRANGERS: Mapping[str, Arranger] = _registry(agentv="agentv.arranging")
MOVERS: Mapping[str, Mover] = _registry(agentv="agentv.renaming")
WRITERS: Mapping[str, Writer] = _registry(agentv="agentv.variants")
TRACERS: Mapping[str, Tracer] = _registry(agentv="agentv.origins")
PLANNERS: Mapping[str, Planner] = _registry(agentv="agentv.targets")
KEEPERS: Mapping[str, Keeper] = _registry(challenge_pack="challenge_pack.withheld")
COLLECTORS: Mapping[str, Collector] = _registry(agentv="agentv.repositories")
REFUSERS: Mapping[str, Refuser] = _registry(agentv="agentv.notes", challenge_pack="challenge_pack.checks.case_advice")
REVISERS: Mapping[str, Reviser] = _registry(benchmark_pack="benchmark_pack.later")
FREEZERS: Mapping[str, Freezer] = _registry(agentv="agentv.frozen")
CASE_COMPILERS: Mapping[str, CaseCompiler] = _registry(benchmark_pack="benchmark_pack.results")
NAMERS: Mapping[str, Namer] = _registry(
    agentv="agentv.naming", benchmark_pack="benchmark_pack.naming", task_suite="task_suite.naming"
)
FILE_RENAMERS: Mapping[str, FileRenamer] = _registry(agentv="agentv.retargeting")
