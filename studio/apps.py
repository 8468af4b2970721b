"""The Django application."""

from django.apps import AppConfig


class StudioConfig(AppConfig):
    name = "studio"
