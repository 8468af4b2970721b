"""The turns of a conversation, and the texts that evidence references make of them (challenge-pack d.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runs.grading.graders.values import as_count, compact_json, loose_text


@dataclass(slots=True)
class Turn:
    """One exchange of a conversation."""

    index: int
    phase: str = ""
    user: str = ""
    assistant: str = ""
    mismatch: bool = False


class Turns:
    """Collects turns from events as they come."""

    def __init__(self) -> None:
        self._turns: dict[int, Turn] = {}

    def read(self, event_type: str, payload: Mapping[str, Any]) -> None:
        """Take over what an event says about a turn; events without a numeric turn index say nothing."""
        index = as_count(payload.get("turn_index"))
        if index is None:
            return
        turn = self._turns.setdefault(index, Turn(index))
        turn.phase = _known(payload, "phase_id", turn.phase)
        if event_type == "turn.user.message":
            turn.user = _known(payload, "content", turn.user)
        elif event_type == "turn.assistant.message":
            turn.assistant = _known(payload, "content", turn.assistant)
        elif event_type == "turn.completed" and isinstance(payload.get("mismatch"), bool):
            turn.mismatch = payload["mismatch"]

    def in_order(self) -> list[Turn]:
        return [self._turns[index] for index in sorted(self._turns)]


def _known(payload: Mapping[str, Any], member: str, before: str) -> str:
    text = loose_text(payload.get(member))
    return before if text is None else text


def transcript(turns: Iterable[Turn]) -> str:
    """One line per message, empty messages left out."""
    lines = []
    for turn in turns:
        if turn.user.strip():
            lines.append(f"user[{turn.index}]: {turn.user}")
        if turn.assistant.strip():
            lines.append(f"assistant[{turn.index}]: {turn.assistant}")
    return "\n".join(lines)


def from_mismatch(turns: Sequence[Turn]) -> Sequence[Turn]:
    """The turns from the first mismatching one on; none when no turn mismatches."""
    first = next((position for position, turn in enumerate(turns) if turn.mismatch), len(turns))
    return turns[first:]


def turn_expectations(turns: Iterable[Turn]) -> str:
    """A JSON list that says of each turn whether it met its expectation."""
    rows = []
    for turn in turns:
        row: dict[str, Any] = {"turn_index": turn.index}
        if turn.phase:
            row["phase_id"] = turn.phase
        rows.append(row | {"mismatch": turn.mismatch})
    return compact_json(rows, sort_keys=False)
