"""Addresses of the API of running, below `/api/v1/`."""

from django.urls import URLPattern, re_path
from django.urls import path as at

from runs.api.agents import agents, connections, secrets
from runs.api.deleting import bin as binned
from runs.api.gates import gates, schedules
from runs.api.launches import actions, quotas, runs
from runs.api.packs import causes as pack_causes
from runs.api.packs import items as pack_items
from runs.api.packs import judges as pack_judges
from runs.api.packs import proofs as pack_proofs
from runs.api.packs import suggestions
from runs.api.packs import trends as pack_trends
from runs.api.results import comparison, judgings, metrics, rescores, scores
from runs.api.reviews import agreement, queues, reviews, turns
from runs.api.sharing import shares
from runs.api.trials import failures, imports, keeping, overruling, trials, tryouts

KIND = r"(?P<kind>pack|run|agent)"

app_name = "runs-api"
urlpatterns: list[URLPattern] = [
    at("agents/", agents.Agents.as_view(), name="agents"),
    at("agents/kinds/", agents.AgentKinds.as_view(), name="agent-kinds"),
    at("agents/<int:pk>/", agents.AgentDetail.as_view(), name="agent"),
    at("connections/", connections.Connections.as_view(), name="connections"),
    at("connections/<int:pk>/", connections.ConnectionDetail.as_view(), name="connection"),
    at("connections/<int:pk>/test/", connections.ConnectionTest.as_view(), name="connection-test"),
    at("secrets/", secrets.Secrets.as_view(), name="secrets"),
    at("secrets/<int:pk>/", secrets.SecretDetail.as_view(), name="secret"),
    re_path(rf"^{KIND}s/(?P<pk>\d{{1,18}})/deletion/$", binned.Deletion.as_view(), name="deletion"),
    re_path(rf"^teams/(?P<team>[\w-]+)/bin/{KIND}s/$", binned.Bin.as_view(), name="bin"),
    re_path(
        rf"^teams/(?P<team>[\w-]+)/bin/{KIND}s/(?P<pk>\d{{1,18}})/(?P<act>restore|purge)/$",
        binned.BinAct.as_view(),
        name="bin-act",
    ),
    at("teams/<slug:team>/quotas/", quotas.TeamQuotas.as_view(), name="team-quotas"),
    at("runs/", runs.Runs.as_view(), name="runs"),
    at("runs/compare/", comparison.RunComparison.as_view(), name="run-comparison"),
    at("runs/import/", imports.RunImport.as_view(), name="run-import"),
    at("runs/<int:pk>/", runs.RunDetail.as_view(), name="run"),
    at("runs/<int:pk>/agents/", runs.RunAgents.as_view(), name="run-agents"),
    at("runs/<int:pk>/metrics/", metrics.RunMetrics.as_view(), name="run-metrics"),
    at("runs/<int:pk>/agreement/", agreement.RunAgreement.as_view(), name="run-agreement"),
    at("runs/<int:pk>/gold/", agreement.RunGold.as_view(), name="run-gold"),
    at("runs/<int:pk>/summary/", scores.RunSummary.as_view(), name="run-summary"),
    at("runs/<int:pk>/cases/", scores.RunCases.as_view(), name="run-cases"),
    at("runs/<int:pk>/trials/", trials.Trials.as_view(), name="trials"),
    at("runs/<int:pk>/cancel/", runs.RunCancel.as_view(), name="run-cancel"),
    at("runs/<int:pk>/pause/", actions.RunPause.as_view(), name="run-pause"),
    at("runs/<int:pk>/resume/", actions.RunResume.as_view(), name="run-resume"),
    at("runs/<int:pk>/retry/", actions.RunRetry.as_view(), name="run-retry"),
    at("runs/<int:pk>/more/", actions.RunMore.as_view(), name="run-more"),
    at("runs/<int:pk>/rescores/", rescores.Rescores.as_view(), name="run-rescores"),
    at("runs/<int:pk>/rescores/estimate/", rescores.RescoreEstimate.as_view(), name="run-rescore-estimate"),
    at("rescores/<int:pk>/", rescores.RescoreDetail.as_view(), name="rescore"),
    at("rescores/<int:pk>/results/", rescores.RescoreResults.as_view(), name="rescore-results"),
    at("rescores/<int:pk>/comparison/", judgings.RescoreComparison.as_view(), name="rescore-comparison"),
    at("rescores/<int:pk>/cancel/", rescores.RescoreCancel.as_view(), name="rescore-cancel"),
    at("rescores/<int:pk>/adopt/", rescores.RescoreAdopt.as_view(), name="rescore-adopt"),
    at("runs/<int:pk>/export/", runs.RunExport.as_view(), name="run-export"),
    at("gate-runs/", gates.GateRuns.as_view(), name="gate-runs"),
    at("gate-runs/<int:pk>/", gates.GateRunDetail.as_view(), name="gate-run"),
    at("gate-runs/<int:pk>/junit/", gates.GateRunJunit.as_view(), name="gate-run-junit"),
    at("gate-checks/", gates.GateChecks.as_view(), name="gate-checks"),
    at("gate-checks/<int:pk>/", gates.GateCheckDetail.as_view(), name="gate-check"),
    at("gate-checks/<int:pk>/junit/", gates.GateCheckJunit.as_view(), name="gate-check-junit"),
    at("gate-schedules/", schedules.Schedules.as_view(), name="gate-schedules"),
    at("gate-schedules/<int:pk>/", schedules.ScheduleDetail.as_view(), name="gate-schedule"),
    at("packs/<int:pk>/results/", pack_trends.PackTrends.as_view(), name="pack-results"),
    at("packs/<int:pk>/case-analysis/", pack_items.PackItems.as_view(), name="pack-items"),
    at("packs/<int:pk>/judges/", pack_judges.PackJudges.as_view(), name="pack-judges"),
    at("packs/<int:pk>/proof/", pack_proofs.PackProof.as_view(), name="pack-proof"),
    at("packs/<int:pk>/proof/cases/", pack_proofs.PackProofCases.as_view(), name="pack-proof-cases"),
    at("packs/<int:pk>/proof/junit/", pack_proofs.PackProofJunit.as_view(), name="pack-proof-junit"),
    at("packs/<int:pk>/proof/strengths/", pack_proofs.PackStrengths.as_view(), name="pack-proof-strengths"),
    at("cases/<int:pk>/proof/", pack_proofs.CaseProof.as_view(), name="case-proof"),
    at("packs/<int:pk>/failures/", pack_causes.PackFailures.as_view(), name="pack-failures"),
    at("packs/<int:pk>/gates/<slug:gate>/", gates.PackGate.as_view(), name="pack-gate"),
    at("runs/<int:pk>/gate-checks/", gates.RunGateChecks.as_view(), name="run-gate-checks"),
    at("versions/<int:pk>/proof/", pack_proofs.VersionProof.as_view(), name="version-proof"),
    at("versions/<int:pk>/targets/", runs.VersionTargets.as_view(), name="version-targets"),
    at("runs/<int:pk>/releases/", gates.RunReleases.as_view(), name="run-releases"),
    at("runs/<int:pk>/releases/<int:release>/", gates.RunReleaseDetail.as_view(), name="run-release"),
    at("run-agents/<int:pk>/", runs.RunAgentDetail.as_view(), name="run-agent"),
    at("trials/<int:pk>/", trials.TrialDetail.as_view(), name="trial"),
    at("trials/<int:pk>/trace/", imports.TrialTrace.as_view(), name="trial-trace"),
    at("trials/<int:pk>/case/", failures.TrialCase.as_view(), name="trial-case"),
    at("trials/<int:pk>/attempts/", actions.TrialAttempts.as_view(), name="trial-attempts"),
    at("trials/<int:pk>/overrule/", overruling.TrialOverrule.as_view(), name="trial-overrule"),
    at("trials/<int:pk>/proof/", keeping.TrialProof.as_view(), name="trial-proof"),
    at("trials/<int:pk>/events/", trials.TrialEvents.as_view(), name="trial-events"),
    at("trials/<int:pk>/replay/", trials.TrialReplay.as_view(), name="trial-replay"),
    at("trials/<int:pk>/transcript/", trials.TrialTranscript.as_view(), name="trial-transcript"),
    at("trials/<int:pk>/scorecard/", trials.TrialScorecard.as_view(), name="trial-scorecard"),
    at("cases/<int:pk>/tryouts/", tryouts.CaseTryouts.as_view(), name="case-tryouts"),
    at("cases/<int:pk>/suggestions/", suggestions.CaseSuggestions.as_view(), name="case-suggestions"),
    at("suggestions/<int:pk>/", suggestions.SuggestionDetail.as_view(), name="suggestion"),
    at("tryouts/<int:pk>/", tryouts.TryoutDetail.as_view(), name="tryout"),
    at("turns/", turns.Turns.as_view(), name="turns"),
    at("turns/<int:pk>/", turns.TurnDetail.as_view(), name="turn"),
    at("turns/<int:pk>/answer/", turns.TurnAnswer.as_view(), name="turn-answer"),
    at("reviews/", reviews.Reviews.as_view(), name="reviews"),
    at("reviews/<int:pk>/", reviews.ReviewDetail.as_view(), name="review"),
    at("reviews/<int:pk>/review/", reviews.ReviewGive.as_view(), name="review-give"),
    at("shares/", shares.Shares.as_view(), name="shares"),
    at("shares/file/", shares.ShareFile.as_view(), name="share-file"),
    at("shares/<int:pk>/", shares.ShareDetail.as_view(), name="share"),
    at("reviews/<int:pk>/adjudicate/", reviews.ReviewAdjudicate.as_view(), name="review-adjudicate"),
    at("reviews/<int:pk>/skip/", reviews.ReviewSkip.as_view(), name="review-skip"),
    at("runs/<int:pk>/review-queues/", queues.RunQueues.as_view(), name="run-queues"),
    at("review-queues/<int:pk>/", queues.QueueDetail.as_view(), name="queue"),
    at("review-queues/<int:pk>/next/", queues.QueueNext.as_view(), name="queue-next"),
    at("review-queues/<int:pk>/close/", queues.QueueClose.as_view(), name="queue-close"),
    at("trials/<int:pk>/stored/", trials.TrialStored.as_view(), name="trial-stored"),
]
