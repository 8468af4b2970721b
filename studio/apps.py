"""The Django application."""

from importlib import import_module
from typing import cast

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.core.checks import register
from django.db.models.signals import post_save

from packs.companion import accompany
from packs.remotes import Remote, connect
from runs.apps import OF_SETTINGS
from studio.proxies import check_proxies


class StudioConfig(AppConfig):
    name = "studio"

    def ready(self) -> None:
        """Check the settings of the site at start, show runs on pages of packs, have packs reach repositories, list
        sessions from sign-in on, feed the audit log, and remove the file with the first password at the first sign-in,
        or when another was set."""
        register(check_proxies, OF_SETTINGS)
        register(import_module("studio.oidc.groups").check_oidc, OF_SETTINGS)
        # Only now can modules with models be imported.
        accompany(import_module("studio.pack_runs").PackRuns())
        # Most processes reach none: what runs git is imported by those that do.
        connect(lambda: cast("Remote", import_module("studio.pack_remotes").PackRemotes()))
        user_logged_in.connect(import_module("studio.sessions").begin)
        doors = import_module("studio.audit.doors")
        user_logged_in.connect(doors.signed_in)
        user_logged_out.connect(doors.signed_out)
        import_module("studio.audit.watched").watch()
        post_save.connect(import_module("studio.first_password").forget, sender="auth.User")
