"""Addresses of the pages of authoring."""

from django.urls import URLPattern, URLResolver, path

from packs.views import catalogue

app_name = "packs"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", catalogue.catalogue, name="catalogue"),
]
