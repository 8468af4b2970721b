"""Addresses of the API of running, below `/api/v1/`."""

from django.urls import URLPattern
from django.urls import path as at

from runs.api import actions, agents, connections, failures, imports, runs, secrets, trials, tryouts, turns

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
    at("runs/", runs.Runs.as_view(), name="runs"),
    at("runs/import/", imports.RunImport.as_view(), name="run-import"),
    at("runs/<int:pk>/", runs.RunDetail.as_view(), name="run"),
    at("runs/<int:pk>/agents/", runs.RunAgents.as_view(), name="run-agents"),
    at("runs/<int:pk>/trials/", trials.Trials.as_view(), name="trials"),
    at("runs/<int:pk>/cancel/", runs.RunCancel.as_view(), name="run-cancel"),
    at("runs/<int:pk>/pause/", actions.RunPause.as_view(), name="run-pause"),
    at("runs/<int:pk>/resume/", actions.RunResume.as_view(), name="run-resume"),
    at("runs/<int:pk>/retry/", actions.RunRetry.as_view(), name="run-retry"),
    at("runs/<int:pk>/more/", actions.RunMore.as_view(), name="run-more"),
    at("runs/<int:pk>/rescores/", actions.Rescores.as_view(), name="run-rescores"),
    at("rescores/<int:pk>/", actions.RescoreDetail.as_view(), name="rescore"),
    at("rescores/<int:pk>/results/", actions.RescoreResults.as_view(), name="rescore-results"),
    at("runs/<int:pk>/export/", runs.RunExport.as_view(), name="run-export"),
    at("run-agents/<int:pk>/", runs.RunAgentDetail.as_view(), name="run-agent"),
    at("trials/<int:pk>/", trials.TrialDetail.as_view(), name="trial"),
    at("trials/<int:pk>/trace/", imports.TrialTrace.as_view(), name="trial-trace"),
    at("trials/<int:pk>/case/", failures.TrialCase.as_view(), name="trial-case"),
    at("trials/<int:pk>/attempts/", actions.TrialAttempts.as_view(), name="trial-attempts"),
    at("trials/<int:pk>/events/", trials.TrialEvents.as_view(), name="trial-events"),
    at("trials/<int:pk>/replay/", trials.TrialReplay.as_view(), name="trial-replay"),
    at("trials/<int:pk>/transcript/", trials.TrialTranscript.as_view(), name="trial-transcript"),
    at("trials/<int:pk>/scorecard/", trials.TrialScorecard.as_view(), name="trial-scorecard"),
    at("cases/<int:pk>/tryouts/", tryouts.CaseTryouts.as_view(), name="case-tryouts"),
    at("tryouts/<int:pk>/", tryouts.TryoutDetail.as_view(), name="tryout"),
    at("turns/", turns.Turns.as_view(), name="turns"),
    at("turns/<int:pk>/", turns.TurnDetail.as_view(), name="turn"),
    at("turns/<int:pk>/answer/", turns.TurnAnswer.as_view(), name="turn-answer"),
    at("trials/<int:pk>/stored/", trials.TrialStored.as_view(), name="trial-stored"),
]
