"""The Django application."""

from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class PacksConfig(AppConfig):
    name = "packs"

    def ready(self) -> None:
        """Keep the index of words in order after migrations."""
        post_migrate.connect(prepare_search)


def prepare_search(app_config: AppConfig, **more: Any) -> None:
    """Make what migrations left out of the index, or dropped of it."""
    # Only now can modules with models be imported.
    import_module("packs.models.reindexing").prepare(app_config)
