"""Faults that a task wants in its tools: the first calls of a tool fail, later ones work (task-suite 2.5)."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from packs.formats.faults import ToolFault

# What the agent is told in place of a result. Broken JSON is what a broken tool sends.
FAULT_TEXTS = {
    "timeout": '{"error": "the tool did not answer within its time limit"}',
    "error": '{"error": "the tool broke with an internal error"}',
    "denied": '{"error": "the tool refused the call: access denied"}',
    "malformed": '{"result": [{"id": 1, "sta',
}


@dataclass(slots=True)
class Faults:
    """The faults of one trial that are still to come: tool -> how often it fails, and in which of the modes."""

    left: dict[str, tuple[int, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, faults: Iterable[ToolFault]) -> "Faults":
        return cls({fault.tool: (fault.count, fault.mode) for fault in faults})

    def take(self, tool: str) -> str:
        """The mode in which a call of this tool fails now; empty when it works."""
        count, mode = self.left.get(tool, (0, ""))
        if count <= 0:
            return ""
        self.left[tool] = (count - 1, mode)
        return mode
