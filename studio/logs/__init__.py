"""One log line per event, on standard error: readable on a terminal, JSON for machines."""

import logging
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from packs.formats.registry import Registry

_FORMATTERS: Mapping[str, Callable[..., logging.Formatter]] = Registry(__name__, {"lines": "lines:formatter"})


class Lines(logging.Formatter):
    """Makes lines of records. What does so is loaded with the first record: most commands write none."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    @cached_property
    def _formatter(self) -> logging.Formatter:
        return _FORMATTERS["lines"](as_json=self._as_json)

    def format(self, record: logging.LogRecord) -> str:
        return self._formatter.format(record)


def configuration(level: str, as_json: bool) -> dict[str, Any]:
    """The value of Django's LOGGING setting."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": Lines, "as_json": as_json},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # At finer levels it writes the headers of answers down, and hosts can repeat what they were sent.
            "httpcore": {"level": "WARNING"},
            "django.server": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        },
    }
