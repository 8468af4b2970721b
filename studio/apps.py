"""The Django application."""

from importlib import import_module

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.core.checks import register
from django.db.models.signals import post_save

from studio.proxies import check_proxies


class StudioConfig(AppConfig):
    name = "studio"

    def ready(self) -> None:
        """Have the settings of the site checked at start, sessions listed from their sign-in on, and the file with the
        first password removed at the first, or when another was set."""
        register(check_proxies)
        # Only now can modules with models be imported.
        user_logged_in.connect(import_module("studio.sessions").begin)
        post_save.connect(import_module("studio.first_password").forget, sender="auth.User")
