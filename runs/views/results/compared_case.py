"""One case of a comparison, opened: outputs side by side, against what is expected and against the base."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runs.models import Grade, Trial
from runs.results.comparing import Comparison
from runs.statistics.comparing.cells import Cell
from runs.statistics.comparing.lines import Difference, difference
from runs.statistics.comparing.rows import ComparedCase
from runs.views.trials.payloads import Shown, show
from runs.views.trials.trials import grade_shown


@dataclass(frozen=True, slots=True)
class Side:
    """A column with the trial that decided it; `against` is what its output says otherwise than that of the base."""

    place: int
    cell: Cell
    trial: Trial
    output: Shown
    against: Difference | None
    is_alike: bool
    failing: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class GradeRow:
    """What one grader said of each side; None where it was not asked."""

    key: str
    kind: str
    said: Sequence[Grade | None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A case with its sides; `expected` are the texts that graders compared with, `same` the number of graders that
    said the same of every side."""

    row: ComparedCase
    sides: Sequence[Side]
    expected: Sequence[Shown]
    grades: Sequence[GradeRow]
    same: int


def find_row(comparison: Comparison, wanted: str) -> ComparedCase | None:
    """The row that has this trial; None where none has. The address names a trial, since keys can be any text."""
    if not (wanted.isascii() and wanted.isdecimal()):
        return None
    pk = int(wanted)
    return next(
        (row for row in comparison.rows for cell in row.cells if cell for one in cell.samples if one.id == pk), None
    )


def opened_case(row: ComparedCase) -> Opened:
    """All that is said of a row, in two queries."""
    cells = {place: cell for place, cell in enumerate(row.cells) if cell}
    keys = {place: cell.deciding.id for place, cell in cells.items()}
    trials = Trial.objects.only("final_output", "scorecard", "run", "number", "error").in_bulk(list(keys.values()))
    base = trials.get(keys.get(row.base, 0))
    found = [(place, cell, trials[keys[place]]) for place, cell in cells.items() if keys[place] in trials]
    sides = [_side(place, cell, trial, base if place != row.base else None) for place, cell, trial in found]
    grades, same = graded([trial.pk for *_, trial in found])
    return Opened(row, sides, expected_of(trial for *_, trial in found), grades, same)


def _side(place: int, cell: Cell, trial: Trial, base: Trial | None) -> Side:
    details = [grade_shown(grade) for grade in trial.scorecard.get("validator_details", ())]
    return Side(
        place=place,
        cell=cell,
        trial=trial,
        output=show(trial.final_output),
        against=difference(base.final_output, trial.final_output) if base else None,
        is_alike=base is not None and base.final_output == trial.final_output,
        failing=[grade for grade in details if grade["status"] != "pass"],
    )


def expected_of(trials: Any) -> list[Shown]:
    """The texts that graders compared outputs with, each once, with the key of the first grader that did."""
    texts: dict[str, str] = {}
    for trial in trials:
        for grade in trial.scorecard.get("validator_details", ()):
            text = grade.get("evidence", {}).get("expected")
            if isinstance(text, str):
                texts.setdefault(text, grade["key"])
    return [show(text, key) for text, key in texts.items()]


def graded(trials: Sequence[int]) -> tuple[list[GradeRow], int]:
    """The graders that do not say the same of all trials, and how many do."""
    rows: dict[tuple[str, str], dict[int, Grade]] = {}
    for grade in Grade.objects.filter(trial__in=trials).defer("detail").order_by("trial", "position"):
        rows.setdefault((grade.key, grade.kind), {})[grade.trial_id] = grade
    listed = [GradeRow(key, kind, [said.get(pk) for pk in trials]) for (key, kind), said in rows.items()]
    differing = [row for row in listed if len({_described(grade) for grade in row.said}) > 1]
    return differing, len(listed) - len(differing)


def _described(grade: Grade | None) -> tuple[Any, ...]:
    return (grade.state, grade.verdict, grade.score) if grade else ()
