"""The Django application."""

from django.apps import AppConfig
from django.core.checks import register

from studio.proxies import check_proxies


class StudioConfig(AppConfig):
    name = "studio"

    def ready(self) -> None:
        """Have the settings of the site checked at start."""
        register(check_proxies)
