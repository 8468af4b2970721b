"""Addresses of the API of authoring, below `/api/v1/`."""

from django.urls import URLPattern, re_path
from django.urls import path as at

from packs.api import (
    arranging,
    audit,
    comments,
    differences,
    jobs,
    nodes,
    packs,
    points,
    proposals,
    renames,
    repositories,
    tables,
    versions,
)

COLLECTION = "(?P<collection>challenges|input-sets|cases|assets)"

app_name = "packs-api"
urlpatterns: list[URLPattern] = [
    at("teams/", packs.Teams.as_view(), name="teams"),
    at("audit/", audit.AuditLog.as_view(), name="audit"),
    at("packs/", packs.Packs.as_view(), name="packs"),
    at("packs/import/", packs.PackImport.as_view(), name="pack-import"),
    at("packs/import/confirm/", packs.PackImportConfirmation.as_view(), name="pack-import-confirm"),
    at("packs/git/", repositories.PackFromGit.as_view(), name="pack-from-git"),
    at("packs/table/", tables.PackFromTable.as_view(), name="pack-from-table"),
    at("packs/<int:pk>/table/", tables.PackTable.as_view(), name="pack-table"),
    at("packs/<int:pk>/", packs.PackDetail.as_view(), name="pack"),
    at("packs/<int:pk>/findings/", packs.PackFindings.as_view(), name="pack-findings"),
    at("packs/<int:pk>/export/", packs.PackExport.as_view(), name="pack-export"),
    at("packs/<int:pk>/arrangement/", arranging.PackArrangement.as_view(), name="pack-arrangement"),
    at("packs/<int:pk>/source/", packs.PackSource.as_view(), name="pack-source"),
    at("packs/<int:pk>/publish/", packs.PackPublication.as_view(), name="pack-publish"),
    at("packs/<int:pk>/rename/", renames.PackRename.as_view(), name="pack-rename"),
    at("packs/<int:pk>/changes/", nodes.Changes.as_view(), name="pack-changes"),
    at("packs/<int:pk>/cases/changes/", jobs.CaseChanges.as_view(), name="case-changes"),
    at("packs/<int:pk>/history/", nodes.History.as_view(), name="pack-history"),
    at("packs/<int:pk>/difference/", differences.PackDifference.as_view(), name="pack-difference"),
    at("packs/<int:pk>/git/", repositories.PackGit.as_view(), name="pack-git"),
    at("packs/<int:pk>/git/look/", repositories.GitLook.as_view(), name="pack-git-look"),
    at("packs/<int:pk>/git/pull/", repositories.GitPull.as_view(), name="pack-git-pull"),
    at("packs/<int:pk>/git/push/", repositories.GitPush.as_view(), name="pack-git-push"),
    at("packs/<int:pk>/proposals/", proposals.Proposals.as_view(), name="pack-proposals"),
    at("packs/<int:pk>/judge/", proposals.Judgement.as_view(), name="pack-judge"),
    at("proposals/<int:pk>/", proposals.ProposalDetail.as_view(), name="proposal"),
    at("proposals/<int:pk>/ask/", proposals.ProposalAsk.as_view(), name="proposal-ask"),
    at("proposals/<int:pk>/close/", proposals.ProposalClose.as_view(), name="proposal-close"),
    at("proposals/<int:pk>/merge/", proposals.ProposalMerge.as_view(), name="proposal-merge"),
    at("proposals/<int:pk>/take-in/", proposals.ProposalTakeIn.as_view(), name="proposal-take-in"),
    at("packs/<int:pk>/comments/", comments.Comments.as_view(), name="pack-comments"),
    at("comments/<int:pk>/", comments.CommentDetail.as_view(), name="comment"),
    at("packs/<int:pk>/difference/restore/", points.PackRestore.as_view(), name="pack-restore"),
    at("packs/<int:pk>/checkpoints/", points.Checkpoints.as_view(), name="pack-checkpoints"),
    at("checkpoints/<int:pk>/", points.CheckpointDetail.as_view(), name="checkpoint"),
    at("packs/<int:pk>/versions/", versions.Versions.as_view(), name="pack-versions"),
    re_path(r"^packs/(?P<pk>\d{1,18})/(?P<act>undo|redo)/$", nodes.UndoRedo.as_view(), name="pack-undo"),
    re_path(
        r"^packs/(?P<pk>\d{1,18})/(?P<act>archive|deprecate|restore)/$", packs.PackLife.as_view(), name="pack-life"
    ),
    re_path(rf"^packs/(?P<pk>\d{{1,18}})/{COLLECTION}/$", nodes.Nodes.as_view(), name="nodes"),
    re_path(rf"^{COLLECTION}/(?P<pk>\d{{1,18}})/$", nodes.NodeDetail.as_view(), name="node"),
    at("assets/<int:pk>/content/", nodes.AssetContent.as_view(), name="asset-content"),
    at("versions/<int:pk>/", versions.VersionDetail.as_view(), name="version"),
    at("versions/<int:pk>/input-sets/", versions.VersionInputSets.as_view(), name="version-input-sets"),
    at("versions/<int:pk>/cases/", versions.VersionCases.as_view(), name="version-cases"),
    at("versions/<int:pk>/export/", versions.VersionExport.as_view(), name="version-export"),
    re_path(
        r"^versions/(?P<pk>\d{1,18})/(?P<act>deprecate|archive|restore)/$",
        versions.VersionLife.as_view(),
        name="version-life",
    ),
    at("jobs/", jobs.Jobs.as_view(), name="jobs"),
    at("jobs/<int:pk>/", jobs.JobDetail.as_view(), name="job"),
    at("jobs/<int:pk>/cancel/", jobs.JobCancel.as_view(), name="job-cancel"),
    at("jobs/<int:pk>/file/", jobs.JobFile.as_view(), name="job-file"),
    at("version-cases/<int:pk>/", versions.VersionCaseDetail.as_view(), name="version-case"),
]
