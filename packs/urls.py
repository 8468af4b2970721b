"""Addresses of the pages of authoring. A pack's address names its team; `import` and `new` stand before them."""

from django.urls import URLPattern, URLResolver, include, path

from packs.views.changes import page as changes
from packs.views.changes import restoring
from packs.views.creation import imports, repositories, starts, tables, thread
from packs.views.discussion import comments, proposals
from packs.views.library import arranging, catalogue, jobs, origins, overview, repository
from packs.views.releases import exports, publishing, variants, versions

PACK = "<slug:team>/<slug:slug>/"

app_name = "packs"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", catalogue.catalogue, name="catalogue"),
    path("import/", imports.import_files, name="import"),
    path("import/confirm/", imports.import_confirm, name="import-confirm"),
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("jobs/<int:pk>/cancel/", jobs.job_cancel, name="job-cancel"),
    path("jobs/<int:pk>/file/", jobs.job_file, name="job-file"),
    path("new/", starts.new_pack, name="new"),
    path("new/table/", tables.new_table, name="new-table"),
    path("new/git/", repositories.new_from_repository, name="new-git"),
    path(PACK, overview.overview, name="overview"),
    path(f"{PACK}edit/", include("packs.views.workbench.urls")),
    path(f"{PACK}thread/", thread.thread, name="thread"),
    path(f"{PACK}publish/", publishing.publish_draft, name="publish"),
    path(f"{PACK}export/", exports.exports, name="export"),
    path(f"{PACK}export/prepare/", jobs.prepare_export, name="export-prepare"),
    path(f"{PACK}export/<slug:shape>/", exports.export_as, name="export-as"),
    path(f"{PACK}export/for/<slug:variant>/", variants.variant_export, name="export-variant"),
    path(f"{PACK}arrangement/", arranging.arrangement, name="arrangement"),
    path(f"{PACK}origins/", origins.origins, name="origins"),
    path(f"{PACK}git/", repository.repository, name="git"),
    path(f"{PACK}git/<slug:what>/", repository.act, name="git-act"),
    path(f"{PACK}source/", overview.source, name="source"),
    path(f"{PACK}life/<slug:act>/", overview.life, name="life"),
    path(f"{PACK}changes/", changes.changes, name="changes"),
    path(f"{PACK}changes/restore/", restoring.restore, name="restore"),
    path(f"{PACK}proposals/", proposals.proposals, name="proposals"),
    path(f"{PACK}proposals/<int:number>/", proposals.proposal, name="proposal"),
    path(f"{PACK}proposals/<int:number>/<slug:what>/", proposals.act, name="proposal-act"),
    path(f"{PACK}judge/", proposals.judge_draft, name="judge"),
    path(f"{PACK}approval/", proposals.rule, name="approval-rule"),
    path(f"{PACK}comments/", comments.comments, name="comments"),
    path(f"{PACK}comments/<int:pk>/", comments.respond, name="comment"),
    path(f"{PACK}versions/", versions.versions, name="versions"),
    path(f"{PACK}versions/<int:number>/", versions.version, name="version"),
    path(f"{PACK}versions/<int:number>/status/", publishing.version_status, name="version-status"),
    path(f"{PACK}versions/<int:number>/cases/<int:pk>/", versions.version_case, name="version-case"),
]
