"""Messages to the workers. They are hints: whatever gets lost is sent again by the sweeper."""

import logging
from typing import TYPE_CHECKING

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
