"""What went wrong first in the tools that trials called."""

from collections.abc import Mapping, Sequence
from typing import Any

from runs.models import Event
from runs.replay.steps import text_of
from runs.replay.telling import result_of

AT_ONCE = 500


def tool_errors(trials: Sequence[int], most_letters: int) -> dict[int, tuple[str, str]]:
    """The first failed call of each trial that has one: the tool, and the beginning of what was said."""
    found: dict[int, tuple[str, str]] = {}
    for start in range(0, len(trials), AT_ONCE):
        failed = Event.objects.filter(trial__in=trials[start : start + AT_ONCE], event_type="tool.call.failed")
        rows = failed.order_by("trial_id", "sequence").values_list("trial_id", "payload")
        for trial, payload in rows.iterator(chunk_size=AT_ONCE):
            if trial not in found:
                found[trial] = (text_of(payload, "tool_name") or "tool", _said(payload)[:most_letters])
    return found


def _said(payload: Mapping[str, Any]) -> str:
    return text_of(payload, "error", "error_message") or result_of(payload)
