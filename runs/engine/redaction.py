"""Keeps keys and secrets out of everything that a trial leaves behind."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote, quote_plus

from runs.engine.recorder import Recorder

MARK = "[secret]"
# Shorter texts occur by themselves; cutting them out would spoil what is recorded.
SHORTEST = 6


def spellings(secret: str) -> set[str]:
    """How a secret looks in plain text, in JSON and in addresses."""
    return {
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(secret),
        quote_plus(secret),
    }


class Redactor:
    """Cuts known secrets out of texts and JSON values; without any it changes nothing."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = {spelling for secret in secrets if len(secret) >= SHORTEST for spelling in spellings(secret)}
        # A secret that contains another one goes first, so that nothing of it is left.
        self.known = sorted(known, key=len, reverse=True)

    def __repr__(self) -> str:
        return f"Redactor of {len(self.known)} spellings"

    def text(self, text: str) -> str:
        """The text without secrets."""
        for secret in self.known:
            text = text.replace(secret, MARK)
        return text

    def value(self, value: Any) -> Any:
        """A JSON value without secrets, names of members included."""
        if not self.known:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.value(name): self.value(part) for name, part in value.items()}
        return [self.value(part) for part in value] if isinstance(value, list | tuple) else value


@dataclass(slots=True)
class DiscreetRecorder(Recorder):
    """A recorder that keeps secrets out of every event, and so out of the evidence that graders read."""

    redactor: Redactor = field(default_factory=Redactor)

    def tell(self, event_type: str, payload: dict[str, Any], source: str = "", at: datetime | None = None) -> None:
        """Append one event without secrets and hand it on."""
        Recorder.tell(self, event_type, self.redactor.value(payload), source, at)
