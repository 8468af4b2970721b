"""What all sheets share: how values become a page, and how their pictures are coloured."""

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string

from runs.replay.redaction import Redactor
from runs.results.charts import Chart
from runs.results.drawn import Drawn
from runs.results.pictures.drawings import drawn
from runs.results.pictures.svg import LIGHT, printable

# The colours of the page, which has a light and a dark theme; those of cells stay as they are.
PAGE = LIGHT._replace(
    ink="var(--ink)", muted="var(--muted)", line="var(--line)", accent="var(--accent)", surface="var(--surface)"
)
TEXT = 2000


def sheet(template: str, values: Mapping[str, Any], redactor: Redactor) -> str:
    """A whole page; `values` are plain ones, and the secrets that the redactor knows are cut out of them."""
    return render_to_string(f"runs/sheets/{template}.html", redactor.value(values))


def beginning(redactor: Redactor, text: str, most: int = TEXT) -> str:
    """The beginning of a text, with the size of the rest in its place. Secrets are cut out before it is cut off."""
    text = redactor.text(text)
    kept = printable(text[:most])
    return kept if len(text) <= most else f"{kept}\n… {len(text) - most:,} more characters"


def chart_values(chart: Chart) -> dict[str, Any]:
    """A chart as its picture and its table."""
    read = Drawn(chart)
    return {
        "title": chart.title,
        "about": chart.about,
        "picture": drawn(chart, PAGE),
        "heads": [head for _, head in read.heads],
        "lines": [[text for _, _, text in line] for line in read.lines],
    }
