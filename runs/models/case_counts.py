"""What the cases of a run came to: kept counts, so that pages need not read every trial.

Each row is of one agent entered and of `BLOCK` cases in a row. The database notes in `CaseChange` in which blocks a
trial changed (`runs.models.trial_counting`), and `runs.models.case_counting` counts these again from time to time.
Until then they are counted where they are read, so that nothing old is ever shown.
"""

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from django.db import models

from packs.access import InRunQuerySet
from runs.models.plans import TrialPlan, terms_of
from runs.models.runs import Run, RunAgent
from runs.models.trials import JUDGED, Trial, TrialStatus, joint_state
from runs.statistics.estimates import Verdict, said

# So many cases make a row.
BLOCK = 50
# So many blocks are read at once.
AT_ONCE = 20
USED = ("cost_usd", "judge_cost_usd", "total_tokens")
COLUMNS = ("case_position", "case_id", "challenge_key", "status", "stop_reason", "score", *USED)


class CaseCount(models.Model):
    """The cases of one agent entered at the positions from `block` times `BLOCK` on.

    `passed`, `failed` and `incomplete` count cases by what their trials say together, `flaky` those whose trials
    disagree. US dollars and tokens are sums over trials. `challenge_key` is that of all these cases, None where they
    are of several. `BlockCount` says what `cells` are. The database drops the rows of an agent that is deleted.
    """

    run = models.ForeignKey(Run, models.DO_NOTHING, db_constraint=False, related_name="+")
    run_agent = models.ForeignKey(RunAgent, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+")
    block = models.PositiveIntegerField()
    passed = models.PositiveIntegerField()
    failed = models.PositiveIntegerField()
    incomplete = models.PositiveIntegerField()
    flaky = models.PositiveIntegerField()
    cost_usd = models.FloatField()
    judge_cost_usd = models.FloatField()
    total_tokens = models.BigIntegerField()
    challenge_key = models.CharField(max_length=255, null=True)  # noqa: DJ001 - an empty key is a key
    cells = models.BinaryField()

    objects = InRunQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run_agent", "block"], name="one_count_per_block")]

    def __str__(self) -> str:
        return f"block {self.block} of {self.run_agent_id}"


class CaseChange(models.Model):
    """A block of cases in which a trial changed since its `CaseCount` was made. As there, a transaction has a `slot` of
    its own on PostgreSQL."""

    run = models.ForeignKey(Run, models.DO_NOTHING, db_constraint=False, related_name="+")
    run_agent = models.ForeignKey(RunAgent, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+")
    block = models.PositiveIntegerField()
    slot = models.BigIntegerField(default=0)

    objects = InRunQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run_agent", "block", "slot"], name="one_change_per_block")]

    def __str__(self) -> str:
        return f"block {self.block} of {self.run_agent_id}"


class BlockCount(NamedTuple):
    """The columns of `CaseCount`.

    `cells` are numbers of four bytes: how many trials passed at each position of the block, then how many are judged,
    which is -1 where there are no trials. Backups leave it out, so the order of bytes may be that of the machine.
    """

    run_agent: int
    block: int
    passed: int
    failed: int
    incomplete: int
    flaky: int
    cost_usd: float
    judge_cost_usd: float
    total_tokens: int
    challenge_key: str | None
    cells: bytes

    @property
    def first(self) -> int:
        """The position of its first case."""
        return self.block * BLOCK

    @property
    def columns(self) -> tuple[Sequence[int], Sequence[int]]:
        """How many trials passed at each position, and how many are judged; -1 where there are none."""
        numbers = array("i")
        numbers.frombytes(self.cells)
        return numbers[:BLOCK], numbers[BLOCK:]


def case_counts_of(run_id: int, agents: Collection[int]) -> Iterator[BlockCount]:
    """What is kept of the cases of agents entered, as they are now, in no order."""
    # First what changed: what is counted again meanwhile is then read twice at worst, never missed.
    changes = CaseChange.objects.filter(run=run_id, run_agent__in=agents)
    changed = set(changes.order_by().values_list("run_agent", "block").distinct())
    rows = CaseCount.objects.filter(run=run_id, run_agent__in=agents).order_by().values_list(*BlockCount._fields)
    yield from (found for found in map(BlockCount._make, rows.iterator()) if found[:2] not in changed)
    for agent, pairs in groupby(sorted(changed), key=lambda pair: pair[0]):
        yield from count_cases(run_id, agent, [block for _, block in pairs])


def count_cases(run_id: int, agent: int, blocks: Iterable[int]) -> Iterator[BlockCount]:
    """Count blocks of cases of an agent, in ascending order, from their trials; nothing of those without any."""
    for first, last in _spans(blocks):
        places = {"case_position__gte": first * BLOCK, "case_position__lt": last * BLOCK}
        trials = Trial.objects.filter(run_agent=agent, **places).order_by("case_position", "number")
        rows = list(trials.values_list(*COLUMNS))
        plans = {plan.case_id: plan for plan in TrialPlan.objects.filter(run=run_id, case__in={row[1] for row in rows})}
        for block, found in groupby(rows, key=lambda row: row[0] // BLOCK):
            yield _counted(agent, block, list(found), plans)


def _spans(blocks: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Blocks in a row as the first one and the one behind the last."""
    first = last = -1
    for block in blocks:
        if block != last or last - first == AT_ONCE:
            if last > first:
                yield first, last
            first = block
        last = block + 1
    if last > first:
        yield first, last


def _counted(agent: int, block: int, rows: Sequence[tuple[Any, ...]], plans: dict[int, TrialPlan]) -> BlockCount:
    verdicts: Counter[Verdict] = Counter()
    flaky, passed, judged = 0, array("i", [0]) * BLOCK, array("i", [-1]) * BLOCK
    for position, trials in groupby(rows, key=lambda row: row[0]):
        each = list(trials)
        verdict, is_flaky = said(
            *terms_of(plans.get(each[0][1])), [(joint_state(row[3], row[4]), row[5]) for row in each]
        )
        verdicts[verdict] += 1
        flaky += is_flaky
        statuses = [status for _, _, _, status, *_ in each]
        passed[position % BLOCK] = statuses.count(TrialStatus.PASSED)
        judged[position % BLOCK] = sum(map(statuses.count, JUDGED))
    cost, judge_cost, tokens = (sum(row[at] or 0 for row in rows) for at in range(-len(USED), 0))
    challenges = {row[2] for row in rows}
    challenge = challenges.pop() if len(challenges) == 1 else None
    cases = (verdicts["pass"], verdicts["fail"], verdicts["incomplete"], flaky)
    return BlockCount(agent, block, *cases, cost, judge_cost, tokens, challenge, (passed + judged).tobytes())
