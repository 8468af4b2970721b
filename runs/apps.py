"""The Django application."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.db.models.signals import post_migrate

from runs.agents.endpoints.addresses import AllowList

# The tag of checks of settings: a start makes no others, which look at code.
OF_SETTINGS = "settings"


class RunsConfig(AppConfig):
    name = "runs"

    def ready(self) -> None:
        """Have the settings of running checked at start, and the database count after migrations."""
        register(check_endpoint_hosts, OF_SETTINGS)
        register(check_shared_paths, OF_SETTINGS)
        post_migrate.connect(prepare_counts, sender=self)


def prepare_counts(app_config: AppConfig, **more: Any) -> None:
    """Have the database count trials, and calls of judges that were removed."""
    # Only now can modules with models be imported.
    for counting in ("trial_counting", "judge_calls"):
        import_module(f"runs.models.{counting}").prepare()


def check_endpoint_hosts(app_configs: Sequence[AppConfig] | None, **more: Any) -> list[CheckMessage]:
    """Every entry of the list of hosts that may be called must mean something."""
    try:
        AllowList.read(settings.ENDPOINT_HOSTS)
    except ValueError as error:
        return [Error(f"PACKWRIGHT_ENDPOINT_HOSTS: {error}", hint="See docs/connections.md.", id="runs.E001")]
    return []


def check_shared_paths(app_configs: Sequence[AppConfig] | None, **more: Any) -> list[CheckMessage]:
    """What confined programs may read is named in full, and the studio's own data does not lie in it."""
    return [
        Error(f"PACKWRIGHT_SANDBOX_READ_ONLY_PATHS: {trouble}", hint="See docs/sandboxes.md.", id="runs.E002")
        for path in settings.SANDBOX_READ_ONLY_PATHS
        if (trouble := trouble_of_path(Path(path)))
    ]


def trouble_of_path(path: Path) -> str:
    """Why programs may not be shown a folder; empty when they may."""
    if not path.is_absolute():
        return f"{path} is no absolute path."
    if Path(settings.VAR_DIR).resolve().is_relative_to(path.resolve()):
        return f"{path} holds the studio's own data ({settings.VAR_DIR})."
    return ""
