"""A comparison of runs as one HTML file: the columns, what differs between them, and the cases that changed first."""

from collections.abc import Sequence
from typing import Any

from runs.models import Run
from runs.replay.redaction import Redactor
from runs.results.comparing import Column, comparison_charts, comparison_of
from runs.results.sheets.page import chart_values, sheet
from runs.results.spelling import dollars, in_digits, spent
from runs.statistics.comparing.choosing import DEFAULT_ORDER, ordered
from runs.statistics.comparing.rows import ComparedCase
from runs.statistics.comparing.totals import Total
from runs.statistics.shares import spelled

MOST_CASES = 5000
HEADS = ("", "Run", "Agent", "Version", "Pass rate of trials", "Difference of cases", "Score", "Cost (USD)")


def comparison_sheet(runs: Sequence[Run], base: str, redactor: Redactor) -> str:
    """The page of runs side by side; `base` names a column as `comparison_of` reads it."""
    comparison = comparison_of(runs, base)
    letters = comparison.letters
    rows = ordered(comparison.rows, DEFAULT_ORDER)
    values = {
        "title": " and ".join(f"run {run.pk}" for run in runs).capitalize() + " compared",
        "about": f"{comparison.shared:,} cases in common. The base is {letters[comparison.base]}." if letters else "",
        "heads": HEADS,
        "letters": letters,
        "columns": [
            _column(letter, column, total, at == comparison.base)
            for at, (letter, column, total) in enumerate(
                zip(letters, comparison.columns, comparison.totals, strict=True)
            )
        ],
        "charts": [chart_values(chart) for chart in comparison_charts(comparison)],
        "differences": [{"name": each.name, "values": list(each.values)} for each in comparison.differences],
        "cases": [_case(row) for row in rows[:MOST_CASES]],
        "left_out": max(0, len(rows) - MOST_CASES),
    }
    return sheet("comparison", values, redactor)


def _column(letter: str, column: Column, total: Total, is_base: bool) -> list[str]:
    pairs = total.pairs
    delta = "base" if is_base else "–"
    if pairs and pairs.delta is not None and pairs.interval:
        low, high = pairs.interval
        delta = f"{100 * pairs.delta:+.1f} points (95 % {100 * low:+.1f} to {100 * high:+.1f}, p {pairs.chance:.3f})"
    shares = total.shares
    return [
        letter,
        f"#{column.run.pk}",
        column.agent.name,
        f"{column.run.version.pack.slug}@{column.run.version.number}",
        f"{spelled(shares.pass_rate, 1)} ({shares.passed} of {shares.judged})",
        delta,
        in_digits(total.score),
        spent(dollars(total.cost.known), total.cost),
    ]


def _case(row: ComparedCase) -> dict[str, Any]:
    cells = [
        "–" if cell is None else f"{cell.state}{'' if cell.score is None else f' {cell.score:.2f}'}"
        for cell in row.cells
    ]
    return {"key": row.key, "challenge": row.challenge, "state": row.state.value, "cells": cells}
