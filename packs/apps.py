"""The Django application."""

from django.apps import AppConfig


class PacksConfig(AppConfig):
    name = "packs"
