"""Telling of a model's answer while it is being written (challenge-pack h.3, `model.output.delta`)."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from runs.agents.chat.passing import Passing
from runs.agents.contract import Record
from runs.agents.endpoints.contract import Delta
from runs.replay.redaction import Redactor

DELTA = "model.output.delta"
# One event a second at first, fewer the longer the answer takes: a hundred in ten minutes.
SECONDS = 1.0
SHARE = 20
# How much longer a secret can be in the spelling of JSON than it is.
SPELLING = 12


@dataclass(slots=True)
class Telling:
    """Records what came of one answer: its first words at once, then batches; of each call of a tool its beginning.

    `secrets` are cut out, also where they come in pieces.
    """

    record: Record
    provider: str
    model: str
    secrets: Redactor
    clock: Callable[[], float] = time.monotonic
    words: list[str] = field(default_factory=list)
    passing: Passing = field(init=False)
    began: float = field(init=False)
    reported: float | None = None

    def __post_init__(self) -> None:
        self.passing = Passing(self.secrets.text, self.secrets.longest * SPELLING)
        self.began = self.clock()

    def take(self, delta: Delta) -> None:
        """Take in the next part of the answer. Raises what `record` raises."""
        if delta.tool_call is not None:
            fragment = {"id": delta.tool_call.id, "name": delta.tool_call.name}
            self._tell("tool_call", tool_call_fragment=fragment)
            return
        self.words.append(self.passing.take(delta.text))
        if self._is_time():
            self.flush()

    def end(self) -> None:
        """Tell the rest. Raises what `record` raises."""
        self.words.append(self.passing.rest())
        self.flush()

    def flush(self) -> None:
        """Tell what has come since the last time."""
        text = "".join(self.words)
        self.words.clear()
        if text:
            self.reported = self.clock()
            self._tell("output", text_delta=text)

    def _is_time(self) -> bool:
        now = self.clock()
        return self.reported is None or now - self.reported >= max(SECONDS, (now - self.began) / SHARE)

    def _tell(self, kind: str, **part: Any) -> None:
        self.record(
            DELTA, {"provider_key": self.provider, "provider_model_id": self.model, "stream_kind": kind, **part}
        )
