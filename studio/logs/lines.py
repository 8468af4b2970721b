"""How a record of the log is written as a line. Loaded with the first line that a process writes."""

import logging
from collections.abc import MutableMapping
from typing import Any

import structlog

from packs.formats.terminal import plain
from studio.logs.requests import with_request

OWN = ("packs.", "runs.", "studio.")
_FIELDS = structlog.stdlib.ExtraAdder()


def with_fields(logger: Any, name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """An event with what `extra` gave it, where a logger of ours did: libraries put requests and arguments there."""
    return _FIELDS(logger, name, event) if event["_record"].name.startswith(OWN) else event


SHARED: list[structlog.typing.Processor] = [
    with_fields,
    with_request,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def escaped(logger: Any, name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The texts of an event as a terminal may show them: a name in them can fake no line of the log."""
    return {key: plain(value) if isinstance(value, str) else value for key, value in event.items()}


def formatter(*, as_json: bool) -> logging.Formatter:
    """What makes lines of records: JSON for machines, or text for a terminal."""
    # Where a fancier formatter is installed it would show the values of local variables, keys among them.
    console = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    renderer = structlog.processors.JSONRenderer() if as_json else console
    before = [structlog.processors.format_exc_info] if as_json else [escaped]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=SHARED,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *before, renderer],
    )
