"""One log line per event, on standard error: readable on a terminal, JSON for machines."""

from collections.abc import MutableMapping
from typing import Any

import structlog

from packs.formats.terminal import plain

SHARED = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def escaped(logger: Any, name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The texts of an event as a terminal may show them: a name in them can fake no line of the log."""
    return {key: plain(value) if isinstance(value, str) else value for key, value in event.items()}


def configuration(level: str, as_json: bool) -> dict[str, Any]:
    """The value of Django's LOGGING setting."""
    # Where a fancier formatter is installed it would show the values of local variables, keys among them.
    console = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    renderer = structlog.processors.JSONRenderer() if as_json else console
    before = [structlog.processors.format_exc_info] if as_json else [escaped]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *before, renderer],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # At finer levels it writes the headers of answers down, and hosts can repeat what they were sent.
            "httpcore": {"level": "WARNING"},
            "django.server": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        },
    }
