"""What some formats can do beyond `Adapter`: modules with agreed names, in one dict for each ability."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from packs.formats.document import Document, InputSet, Pack
from packs.formats.environment import Repository
from packs.formats.findings import Path


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

    def repositories_in(self, pack: Pack) -> Iterator[tuple[Path, Repository]]:
        """Each repository that is stated, with the path in the pack at which it is."""


class Refuser(Protocol):
    """Knows the findings that are no errors, and with which a version would not run as it is written all the same."""

    REFUSED_ON_PUBLISHING: frozenset[str]


# Formats whose checks and tasks look into the files of a pack, so that they need the bytes.
CONTENT_READERS = frozenset({"agentv", "task_suite"})
# Formats that want trials repeated after an infrastructure error.
REPEATS_SPOILT_TRIALS = frozenset({"task_suite"})
ARRANGERS: dict[str, str] = {"agentv": "packs.formats.agentv.arranging"}
WRITERS: dict[str, str] = {"agentv": "packs.formats.agentv.variants"}
TRACERS: dict[str, str] = {"agentv": "packs.formats.agentv.origins"}
PLANNERS: dict[str, str] = {"agentv": "packs.formats.agentv.targets"}
KEEPERS: dict[str, str] = {"challenge_pack": "packs.formats.challenge_pack.withheld"}
COLLECTORS: dict[str, str] = {"agentv": "packs.formats.agentv.repositories"}
REFUSERS: dict[str, str] = {"agentv": "packs.formats.agentv.notes"}


def arranger_of(name: str) -> Arranger | None:
    """What arranges the cases of a format's packs in files; None where there is only one way."""
    return cast("Arranger", import_module(ARRANGERS[name])) if name in ARRANGERS else None


def writer_of(name: str) -> Writer | None:
    """What writes other variants of a format; None where there are none."""
    return cast("Writer", import_module(WRITERS[name])) if name in WRITERS else None


def tracer_of(name: str) -> Tracer | None:
    """What tells where the cases of a format's packs come from; None where they do not say."""
    return cast("Tracer", import_module(TRACERS[name])) if name in TRACERS else None


def planner_of(name: str) -> Planner | None:
    """What knows the files that say whom a run of a format's packs will ask; None where the documents say it all."""
    return cast("Planner", import_module(PLANNERS[name])) if name in PLANNERS else None


def keeper_of(name: str) -> Keeper | None:
    """What knows the files that cases keep for graders; None where the files' places say it."""
    return cast("Keeper", import_module(KEEPERS[name])) if name in KEEPERS else None


def collector_of(name: str) -> Collector | None:
    """What finds the repositories of a format's packs; None where its workspaces have none."""
    return cast("Collector", import_module(COLLECTORS[name])) if name in COLLECTORS else None


def refused_on_publishing(name: str) -> frozenset[str]:
    """The rules whose findings keep a format's packs from being published although they are no errors."""
    if name not in REFUSERS:
        return frozenset()
    return cast("Refuser", import_module(REFUSERS[name])).REFUSED_ON_PUBLISHING
