"""Addresses of the pages of authoring. A pack's address names its team; `import` and `new` stand before them."""

from django.urls import URLPattern, URLResolver, path

from packs.views import catalogue, overview, versions

PACK = "<slug:team>/<slug:slug>/"

app_name = "packs"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", catalogue.catalogue, name="catalogue"),
    path("import/", catalogue.catalogue, name="import"),
    path("new/", catalogue.catalogue, name="new"),
    path(PACK, overview.overview, name="overview"),
    path(f"{PACK}publish/", overview.overview, name="publish"),
    path(f"{PACK}export/", overview.overview, name="export"),
    path(f"{PACK}source/", overview.source, name="source"),
    path(f"{PACK}archive/", overview.archive, name="archive"),
    path(f"{PACK}restore/", overview.restore, name="restore"),
    path(f"{PACK}versions/", versions.versions, name="versions"),
    path(f"{PACK}versions/<int:number>/", versions.version, name="version"),
    path(f"{PACK}versions/<int:number>/cases/<int:pk>/", versions.version_case, name="version-case"),
]
