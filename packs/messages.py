"""Messages to the workers, and what a job says that breaks.

Messages are hints: whatever gets lost is sent again by the sweeper."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import InterfaceError, OperationalError

from packs.formats.later import Later

if TYPE_CHECKING:
    from packs import celery
else:
    celery = Later("packs.celery")

log = logging.getLogger(__name__)


def send_job(name: str, key: int) -> bool:
    """Send a job by its name, with the id that it is about. False when the broker cannot be reached."""
    try:
        celery.app.send_task(name, (key,), retry=False, ignore_result=True)
    except celery.UNREACHABLE as error:
        log.warning("broker-unreachable", extra={"job": name, "key": key, "error": str(error)})
        return False
    return True


def own_mistake(error: Exception) -> str:
    """What people read where a mistake of ours ended the work."""
    return f"Error in the studio: {type(error).__name__}: {error}"


@contextmanager
def reporting_mistakes(event: str, keep: Callable[[str], object], **about: object) -> Iterator[None]:
    """Log a mistake of ours as `event`, and keep what people read of it. A database that is away comes through."""
    try:
        yield
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        log.exception(event, extra=about)
        keep(own_mistake(error))
