"""What the status of an answer, and the words beside it, say of the trouble: for models and for agents alike."""

import re
from collections.abc import Mapping
from typing import Any

import orjson

from runs.agents.endpoints.contract import Trouble

_STATUSES: Mapping[int, Trouble] = {
    401: Trouble.AUTHENTICATION,
    402: Trouble.SPENT,
    403: Trouble.AUTHENTICATION,
    404: Trouble.NOT_FOUND,
    405: Trouble.NOT_FOUND,
    408: Trouble.TIMEOUT,
    409: Trouble.SERVER,
    410: Trouble.NOT_FOUND,
    413: Trouble.TOO_LONG,
    425: Trouble.SERVER,
    429: Trouble.RATE_LIMITED,
}
# Codes and phrases of providers that say more than the status does; the first that is found counts.
_WORDS = tuple(
    (re.compile(pattern, re.IGNORECASE), trouble)
    for pattern, trouble in (
        (r"insufficient_quota|exceeded your current quota|billing", Trouble.SPENT),
        (r"model_not_found|invalid_model|no such model|model\b.{0,200}?does not exist", Trouble.NOT_FOUND),
        (r"context_length|context length|context window|prompt is too long|string_above_max_length", Trouble.TOO_LONG),
        (r"content_filter|content_policy|content management policy", Trouble.FILTERED),
        (r"invalid_api_key|incorrect api key", Trouble.AUTHENTICATION),
        (r"rate_limit", Trouble.RATE_LIMITED),
    )
)


def trouble_of(status: int, words: str = "") -> Trouble | None:
    """The trouble that a status means with what the body says; None for a success."""
    if 200 <= status < 300:
        return None
    if status < 400:
        return Trouble.REDIRECTED
    if status >= 500:
        return Trouble.SERVER
    return reported_by(words) or _STATUSES.get(status, Trouble.REFUSED)


def reported_by(words: str) -> Trouble | None:
    """The trouble that the words of an error name; None where they name none that is known."""
    return next((trouble for pattern, trouble in _WORDS if pattern.search(words)), None)


def trouble_of_error(value: Mapping[str, Any]) -> Trouble:
    """The trouble in an error that came with status 200, or in the middle of a stream."""
    error = value.get("error")
    code = error.get("code") if isinstance(error, Mapping) else None
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    words = orjson.dumps(error, default=str).decode()
    return reported_by(words) or trouble_of(status) or Trouble.SERVER
