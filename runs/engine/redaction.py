"""Keeps keys and secrets out of everything that a trial leaves behind."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from runs.engine.recorder import Recorder
from runs.tools.redaction import Redactor


@dataclass(slots=True)
class DiscreetRecorder(Recorder):
    """A recorder that keeps secrets out of every event, and so out of the evidence that graders read."""

    redactor: Redactor = field(default_factory=Redactor)

    def tell(self, event_type: str, payload: dict[str, Any], source: str = "", at: datetime | None = None) -> None:
        """Append one event without secrets and hand it on."""
        Recorder.tell(self, event_type, self.redactor.value(payload), source, at)
