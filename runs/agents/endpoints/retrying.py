"""Asking again after trouble that may pass."""

import random
import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from runs.agents.endpoints.contract import EndpointFailed, Trouble
from runs.agents.endpoints.watch import Watch

T = TypeVar("T")
PASSING = {Trouble.RATE_LIMITED, Trouble.UNREACHABLE, Trouble.TIMEOUT, Trouble.SERVER}
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0
# An endpoint that asks for a longer pause than this is not waited for.
PATIENCE_SECONDS = 120.0


def retry(attempt: Callable[[int], T], watch: Watch, max_retries: int) -> T:
    """The first result of `attempt`, which is given its number from 1. Raises its last EndpointFailed."""
    number = 1
    while True:
        watch.check()
        try:
            return attempt(number)
        except EndpointFailed as error:
            if error.trouble not in PASSING or number > max_retries:
                raise
            wait = pause_after(number, error.retry_after)
            left = watch.left()
            if wait > PATIENCE_SECONDS or (left is not None and wait >= left):
                raise
        watch.sleep(wait)
        number += 1


def pause_after(number: int, asked: float | None) -> float:
    """Seconds before the next attempt: what was asked for, else twice as long each time, with chance spread out."""
    if asked is not None:
        return asked
    return min(FIRST_WAIT_SECONDS * 2.0 ** (number - 1), LONGEST_WAIT_SECONDS) * random.uniform(0.5, 1.0)


def read_retry_after(text: str) -> float | None:
    """Seconds that a Retry-After header asks for (RFC 9110, 10.2.3: a number or a date); None for anything else."""
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text.strip()):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
