"""What the cases of a version are to gates: their suites, trials and fingerprints, compiled once a version."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from packs.formats.task import Task
from packs.mirror import read_frozen_set
from packs.models import PackVersion, VersionCase
from runs.jobs.trials.frozen import frozen_version
from runs.statistics.estimates import FIRST, MEANS, METRICS

CACHED_VERSIONS = 8


@dataclass(frozen=True, slots=True)
class Standing:
    """One case of a version as gates see it. The id is its key, with set and challenge where keys repeat.

    Where the format has no rule for several trials, the first valid one decides. The `threshold` is that of a rule
    about scores.
    """

    task_id: str
    suite: str
    k: int = 1
    metric: str = FIRST
    fingerprint: str = ""
    flags: Mapping[str, bool] = field(default_factory=dict)
    forbidden: frozenset[str] = frozenset()
    threshold: float | None = None


@lru_cache(maxsize=CACHED_VERSIONS)
def standings_of(version_id: int) -> Mapping[int | None, Standing]:
    """The standing of every case of a version by the id of its row; under None that of a run without cases."""
    version = PackVersion.objects.select_related("pack").only("pack__slug").get(pk=version_id)
    found: dict[int | None, Standing] = {None: Standing(version.pack.slug, "")}
    rows = list(VersionCase.objects.filter(version=version_id).order_by("input_set__position", "position"))
    repeated = {key for key, count in Counter(row.key for row in rows).items() if count > 1}
    for row, suite, task in _compiled(version_id, rows):
        task_id = f"{suite}/{row.challenge_key}/{row.key}" if row.key in repeated else row.key
        found[row.pk] = standing_of(task_id, suite, row.digest, task)
    return found


def _compiled(version_id: int, rows: list[VersionCase]) -> Iterator[tuple[VersionCase, str, Task]]:
    """Each case with the key of its input set and its task."""
    frozen = frozen_version(version_id)
    sets = {row.pk: row for row in PackVersion.objects.get(pk=version_id).input_sets.all()}
    for input_set in sets.values():
        mine = [row for row in rows if row.input_set_id == input_set.pk]
        tasks = frozen.compile(read_frozen_set(frozen.adapter, input_set, mine))
        yield from ((row, input_set.key, task) for row, task in zip(mine, tasks, strict=True))


def standing_of(task_id: str, suite: str, digest: str, task: Task) -> Standing:
    trials, gating, threshold = task.trials, task.gating, task.scoring.pass_threshold
    joins_scores = trials.rule in MEANS and threshold is not None
    is_ruled = joins_scores or trials.rule in METRICS
    return Standing(
        task_id=task_id,
        suite=suite,
        k=trials.count if is_ruled else 1,
        metric=trials.rule if is_ruled else FIRST,
        fingerprint=gating.fingerprint or digest,
        flags=gating.flags,
        forbidden=frozenset(gating.forbidden_tools),
        threshold=threshold if joins_scores else None,
    )


def sets_of(version_id: int) -> list[str]:
    """The keys of the input sets of a version, in order."""
    return list(PackVersion.objects.get(pk=version_id).input_sets.order_by("position").values_list("key", flat=True))
