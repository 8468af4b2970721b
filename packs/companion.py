"""What pages of packs show of runs. This room knows no runs: who runs packs says so here, and alone packs have none."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from django.db.models import BooleanField, DateTimeField, FloatField, QuerySet, Value
from django.db.models.expressions import BaseExpression

from packs.notices import Notice

# What may be known of the proof of a case, from the best to the worst.
PROOFS = ("proven", "stale", "unproven", "refuted")


class Companion(Protocol):
    """Knows the runs of packs. A run has `id`, `name`, `status`, `counts` (its trials by status) and `trial_count`.

    `PAGES` are further pages of a pack: key, label, icon, and the name of an address that takes team and slug.
    """

    PAGES: Sequence[tuple[str, str, str, str]]

    def newest(self, packs: Iterable[int]) -> Mapping[int, Any]:
        """The newest run of each pack, by the ids of the packs; in at most two queries."""

    def latest(self, pack: int, count: int) -> Sequence[Any]:
        """The newest runs of a pack, with `created_at`, the number `of_version` and the key `of_set`."""

    def is_tried(self) -> BaseExpression:
        """Whether an answer was tried on a case of the draft, as a column of packs."""

    def last_share(self) -> BaseExpression:
        """What passed in the newest run, as a column of packs."""

    def last_moment(self) -> BaseExpression:
        """When the newest run was started, as a column of packs."""

    def prove(self, job: Any, progress: Any) -> Mapping[str, Any]:
        """Prove the cases of a pack, as an act of `packs.jobs`."""

    def suggest(self, job: Any, progress: Any) -> Mapping[str, Any]:
        """Have a model suggest probes of a case, as an act of `packs.jobs`."""

    def unproven(self, pack: Any) -> str:
        """Which cases of a draft are not proven, in a sentence; empty where all are."""

    def is_proof_known(self, pack: Any) -> bool:
        """Whether a proof of some case of a draft was tried."""

    def with_proofs(self, pack: Any, cases: QuerySet[Any]) -> QuerySet[Any]:
        """Cases of a draft with `proof`, the state of each, and `proof_strength`, from 0 to 1 or None."""

    def proofs_of(self, packs: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
        """What is known of the cases of each draft together, by its id: `state`, `strength`, and `counts` by state."""

    def proofs_of_versions(self, versions: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
        """The same of each version, by its id."""

    def recorded_bytes(self, team: int) -> int:
        """How many bytes the recordings of runs of a team take, by its id."""

    def published(self, pack: Any, version: Any) -> None:
        """Keep for a new version what is known of the cases of its draft, and let people know of it."""

    def noticed(self, notice: Notice) -> None:
        """Let people and webhooks know what happened."""


class Alone:
    """Packs that nobody runs."""

    PAGES: Sequence[tuple[str, str, str, str]] = ()

    def newest(self, packs: Iterable[int]) -> Mapping[int, Any]:
        return {}

    def latest(self, pack: int, count: int) -> Sequence[Any]:
        return ()

    def is_tried(self) -> BaseExpression:
        return Value(True, BooleanField())

    def last_share(self) -> BaseExpression:
        return Value(None, FloatField())

    def last_moment(self) -> BaseExpression:
        return Value(None, DateTimeField())

    def prove(self, job: Any, progress: Any) -> Mapping[str, Any]:
        return {}

    def suggest(self, job: Any, progress: Any) -> Mapping[str, Any]:
        return {}

    def unproven(self, pack: Any) -> str:
        return "Nothing here can prove its cases."

    def is_proof_known(self, pack: Any) -> bool:
        return False

    def with_proofs(self, pack: Any, cases: QuerySet[Any]) -> QuerySet[Any]:
        found: QuerySet[Any] = cases.annotate(proof=Value("unproven"), proof_strength=self.last_share())
        return found

    def proofs_of(self, packs: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
        return {pk: {"state": "unproven", "strength": None, "counts": {}} for pk in packs}

    def proofs_of_versions(self, versions: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
        return self.proofs_of(versions)

    def recorded_bytes(self, team: int) -> int:
        return 0

    def published(self, pack: Any, version: Any) -> None:
        return

    def noticed(self, notice: Notice) -> None:
        return


_companions: list[Companion] = [Alone()]


def accompany(companion: Companion) -> None:
    """Have pages of packs show what this one knows."""
    _companions[:] = [companion]


def companion() -> Companion:
    return _companions[0]
