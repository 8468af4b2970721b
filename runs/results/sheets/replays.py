"""A replay as one HTML file: what was asked and answered, the verdict with its reasons, and every step."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from runs.models import Trial
from runs.replay import StepIndex
from runs.replay.index import build_steps
from runs.replay.redaction import Redactor
from runs.replay.steps import Event
from runs.replay.telling import line_of
from runs.results.pictures.svg import box, picture
from runs.results.playback import events_of, index_of
from runs.results.sheets.page import PAGE, beginning, sheet

# Of longer replays the first steps are on the page; the events can be downloaded from the studio.
MOST_STEPS = 2000
MOST_LETTERS = 20_000
WIDE, HIGH, STRIPES = 960, 44, 240
# The colour of a kind of step; those of no colour are like what surrounds them.
COLOURS = {
    "model_call": "#7a5bb5",
    "tool_call": "#0a7d8c",
    "sandbox_command": "#8a5a06",
    "sandbox_file": "#b07a1e",
    "output": "#2c7a4b",
    "scoring": "#4a6fb3",
    "scoring_metric": "#4a6fb3",
}
PLAIN, TROUBLE = "#8d8f94", "#c0392b"


def replay_sheet(trial: Trial, redactor: Redactor) -> str:
    """The page of the replay of a trial."""
    index = index_of(trial)
    reasons = [f"{grade.key}: {grade.verdict or grade.state}. {grade.reason}" for grade in trial.grades.all()]
    values = {
        "title": f"{trial.case_key or 'Trial'} by {trial.run_agent.name}",
        "about": f"Run #{trial.run_id}, {trial.run.version}, trial {trial.number}.",
        "status": trial.status,
        "verdict": trial.get_status_display() + (f" ({trial.fault})" if trial.fault else ""),
        "why": [beginning(redactor, reason) for reason in (trial.error, *reasons) if reason],
        "output": beginning(redactor, trial.final_output, MOST_LETTERS),
        "picture": _stripes(index),
        "legend": [{"name": kind.replace("_", " "), "colour": colour} for kind, colour in COLOURS.items()],
        "steps": list(_steps(trial, index, redactor)),
        "left_out": max(0, len(index) - MOST_STEPS),
    }
    return sheet("replay", values, redactor)


def _stripes(index: StepIndex) -> str:
    """All steps as a band, coloured by their kind; what is in trouble is marked above."""
    total = max(1, len(index))
    parts = [box(0, 0, WIDE, HIGH, PAGE.surface)]
    for stripe in index.minimap(STRIPES):
        x, wide = WIDE * stripe["first"] / total, WIDE * stripe["count"] / total
        parts.append(box(x, 12, wide, HIGH - 12, COLOURS.get(stripe["kind"], PLAIN), stripe["kind"].replace("_", " ")))
        if stripe["error"]:
            parts.append(box(x, 0, max(3, wide), 9, TROUBLE, "trouble"))
    return picture(WIDE, HIGH, f"{len(index)} steps by kind; {len(index.errors)} with trouble", parts)


def _steps(trial: Trial, index: StepIndex, redactor: Redactor) -> Iterator[dict[str, Any]]:
    positions = range(min(len(index), MOST_STEPS))
    events = events_of(trial, index.sequences(positions))
    troubled = set(index.errors)
    for position, step in zip(positions, build_steps(index, positions, events), strict=True):
        own = [redactor.value(events[sequence]) for sequence in sorted(index.sequences([position]))]
        line = line_of(step, own)
        yield {
            "number": position + 1,
            "kind": step["type"].replace("_", " "),
            "done": line.done,
            "answer": line.answer,
            "is_code": line.is_code,
            "is_trouble": position in troubled,
            "recorded": [_recorded(event, redactor) for event in own],
        }


def _recorded(event: Event, redactor: Redactor) -> dict[str, str]:
    payload: Mapping[str, Any] = event["payload"]
    text = json.dumps(payload, indent=2, ensure_ascii=False, default=str)
    return {"type": event["event_type"], "text": beginning(redactor, text, MOST_LETTERS)}
