"""Addresses of the pages of running."""

from django.urls import URLPattern, path

from runs.views import actions, agents, connections, launch, replays, rescores, results, runs, secrets, trials, turns

app_name = "runs"
urlpatterns: list[URLPattern] = [
    path("runs/", runs.run_list, name="list"),
    path("runs/new/", launch.new_run, name="new"),
    path("runs/<int:pk>/", results.run_page, name="show"),
    path("runs/<int:pk>/configuration/", results.configuration, name="configuration"),
    path("runs/<int:pk>/cancel/", results.cancel_run, name="cancel"),
    path("runs/<int:pk>/pause/", actions.pause_run, name="pause"),
    path("runs/<int:pk>/resume/", actions.resume_run, name="resume"),
    path("runs/<int:pk>/retry/", actions.retry_trials, name="retry"),
    path("runs/<int:pk>/more/", actions.more_trials, name="more"),
    path("runs/<int:pk>/rescores/", rescores.rescores, name="rescores"),
    path("runs/rescores/<int:pk>/", rescores.rescore, name="rescore"),
    path("runs/<int:pk>/again/", results.run_again, name="again"),
    path("runs/<int:pk>/export/<slug:kind>/", results.export_run, name="export"),
    path("runs/trials/<int:pk>/", trials.trial, name="trial"),
    path("runs/trials/<int:pk>/attempts/<int:number>/", actions.attempt, name="attempt"),
    path("runs/trials/<int:pk>/output/", trials.output, name="output"),
    path("runs/trials/<int:pk>/stored/", trials.stored, name="stored"),
    path("turns/", turns.turn_list, name="turns"),
    path("turns/<int:pk>/", turns.turn, name="turn"),
    path("replays/<int:pk>/", replays.replay, name="replay"),
    path("replays/<int:pk>/events/", replays.events, name="events"),
    path("replays/<int:pk>/events/<int:sequence>/", replays.event, name="event"),
    path("agents/", agents.agent_list, name="agents"),
    path("agents/new/<slug:kind>/", agents.new_agent, name="agent-new"),
    path("agents/<int:pk>/", agents.agent_page, name="agent"),
    path("agents/<int:pk>/state/", agents.agent_state, name="agent-state"),
    path("agents/<int:pk>/test/", agents.test_agent, name="agent-test"),
    path("connections/", connections.connection_list, name="connections"),
    path("connections/new/", connections.new_connection, name="connection-new"),
    path("connections/<int:pk>/", connections.connection_page, name="connection"),
    path("connections/<int:pk>/state/", connections.connection_state, name="connection-state"),
    path("connections/<int:pk>/test/", connections.test_connection, name="connection-test"),
    path("secrets/", secrets.secret_list, name="secrets"),
    path("secrets/<int:pk>/delete/", secrets.delete_secret, name="secret-delete"),
]
