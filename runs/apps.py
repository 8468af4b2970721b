"""The Django application."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from runs.endpoints.addresses import AllowList


class RunsConfig(AppConfig):
    name = "runs"

    def ready(self) -> None:
        """Have the settings of running checked at start."""
        register(check_endpoint_hosts)


def check_endpoint_hosts(app_configs: Sequence[AppConfig] | None, **more: Any) -> list[CheckMessage]:
    """Every entry of the list of hosts that may be called must mean something."""
    try:
        AllowList.read(settings.ENDPOINT_HOSTS)
    except ValueError as error:
        return [Error(f"PACKWRIGHT_ENDPOINT_HOSTS: {error}", hint="See docs/connections.md.", id="runs.E001")]
    return []
