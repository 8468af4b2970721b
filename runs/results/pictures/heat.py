"""The cases of a run by its agents as a picture and as a table, shaded by the share of judged trials that passed."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db.models import Count, Q

from packs.formats.tables.formulas import harmless
from runs.models import Run, RunAgent, Trial, TrialStatus
from runs.models.trials import JUDGED
from runs.results.pictures.svg import LETTER, LIGHT, Paints, box, picture, shade, short, text
from runs.statistics.estimates import is_flaky
from runs.statistics.shares import Shares, shares_of

# A picture of more cases than this nobody reads; the table has all.
MOST_DRAWN = 1000
ROW, HEAD, CELL, NAME, EDGE = 20, 34, 96, 44, 12
FLAKY, TROUBLE, UNDECIDED = "flaky", "error", "undecided"
MARKS = {FLAKY: "≠", TROUBLE: "!", UNDECIDED: "?"}
COUNTED = {status: Count("pk", filter=Q(status=status)) for status in TrialStatus.values}


class HeatCell(NamedTuple):
    """The trials of an agent at a case; None stands for an agent that did not try it."""

    shares: Shares
    marks: tuple[str, ...]

    @property
    def words(self) -> str:
        passed = f"{self.shares.passed} of {self.shares.judged} passed" if self.shares.judged else "not judged"
        return ", ".join((passed, *self.marks))


class HeatRow(NamedTuple):
    challenge: str
    case: str
    cells: tuple[HeatCell | None, ...]


Cells = list[HeatCell | None]


def heat_of(run: Run, agents: Sequence[RunAgent], most: int | None = None) -> Iterator[HeatRow]:
    """The cases of a run in the order of the pack, the first `most` of them, each with a cell an agent."""
    order = {agent.pk: place for place, agent in enumerate(agents)}
    rows = Trial.objects.filter(run=run).order_by("case_position")
    if most is not None:
        last = rows.values_list("case_position", flat=True).distinct()[most - 1 : most].first()
        rows = rows if last is None else rows.filter(case_position__lte=last)
    columns = ("case_position", "challenge_key", "case_key", "run_agent")
    found = rows.values(*columns).annotate(**COUNTED).order_by("case_position", "run_agent_id")
    for (_, challenge, case), members in groupby(found.iterator(chunk_size=2000), key=itemgetter(*columns[:3])):
        cells: Cells = [None] * len(order)
        for row in members:
            cells[order[row["run_agent"]]] = _cell({status: row[status] for status in TrialStatus.values})
        yield HeatRow(challenge, case, tuple(cells))


def _cell(counts: dict[str, int]) -> HeatCell:
    marks = [FLAKY] if is_flaky(status for status in JUDGED if counts[status]) else []
    marks += [mark for mark in (TROUBLE, UNDECIDED) if counts[mark]]
    return HeatCell(shares_of(counts), tuple(marks))


def heat_svg(title: str, agents: Sequence[RunAgent], rows: Sequence[HeatRow], paints: Paints = LIGHT) -> str:
    """The grid as a picture."""
    left = EDGE + LETTER * min(NAME, max((len(row.case) for row in rows), default=4))
    width = left + EDGE + CELL * len(agents) + EDGE
    height = HEAD + ROW * len(rows) + 3 * EDGE
    parts = [box(0, 0, width, height, paints.surface)]
    for place, agent in enumerate(agents):
        parts.append(text(left + EDGE + CELL * (place + 0.5), HEAD - 10, short(agent.name, 13), paints.ink, "middle"))
    for number, row in enumerate(rows):
        y = HEAD + ROW * number
        parts.append(text(left, y + 14, short(row.case, NAME), paints.ink, "end"))
        for place, cell in enumerate(row.cells):
            if cell is not None:
                parts += _drawn(left + EDGE + CELL * place, y, f"{row.case}, {agents[place].name}", cell, paints)
    said = "Passed of judged trials. " + " ".join(f"{sign} {mark}" for mark, sign in MARKS.items())
    parts.append(text(EDGE, height - EDGE, said, paints.muted))
    return picture(width, height, title, parts)


def _drawn(x: float, y: float, named: str, cell: HeatCell, paints: Paints) -> list[str]:
    rate = cell.shares.pass_rate
    fill = paints.unknown if rate is None else shade(paints, rate)
    counted = f"{cell.shares.passed}/{cell.shares.judged}" if cell.shares.judged else ""
    said = " ".join(filter(None, (counted, *(MARKS[mark] for mark in cell.marks))))
    return [
        box(x + 1, y + 1, CELL - 2, ROW - 2, fill, f"{named}: {cell.words}"),
        text(x + CELL / 2, y + 14, said, LIGHT.ink, "middle"),
    ]


def heat_csv(agents: Sequence[RunAgent], rows: Iterator[HeatRow]) -> Iterator[str]:
    """The grid as lines of CSV (RFC 4180): a line a case, with passed and judged trials and marks of each agent."""
    heads = [f"{agent.name}: {what}" for agent in agents for what in ("passed", "judged", "marks")]
    yield _line(["challenge", "case", *heads])
    for row in rows:
        yield _line([row.challenge, row.case, *(value for cell in row.cells for value in _counted(cell))])


def _counted(cell: HeatCell | None) -> tuple[str | int, ...]:
    return (cell.shares.passed, cell.shares.judged, " ".join(cell.marks)) if cell else ("", "", "")


def _line(values: Sequence[str | int]) -> str:
    buffer = StringIO()
    csv.writer(buffer).writerow([harmless(value) if isinstance(value, str) else value for value in values])
    return buffer.getvalue()
