"""Addresses of the pages of running."""

from django.urls import URLPattern, path

from runs.views.agents import agents, connections, secrets
from runs.views.gates import checks, gates, schedules
from runs.views.launches import launch
from runs.views.packs import badges, causes, items, trends
from runs.views.results import actions, cells, charts, compare, failures, imports, metrics, rescores, results, runs
from runs.views.reviews import agreement, reviews, tried_checks, tryouts, turns
from runs.views.sharing import public, shares
from runs.views.trials import artifacts, conversations, replay_pairs, replays, trials

# The gates of a pack; `checks`, `trials` and `schedules` stand before a team's name.
GATES = "gates/<slug:team>/<slug:slug>/"
# What the runs of a pack say together.
RESULTS = "results/<slug:team>/<slug:slug>/"

app_name = "runs"
urlpatterns: list[URLPattern] = [
    path("runs/", runs.run_list, name="list"),
    path("runs/new/", launch.new_run, name="new"),
    path("runs/compare/", compare.compare_runs, name="compare"),
    path("runs/import/", imports.import_traces, name="import"),
    path("runs/import/confirm/", imports.confirm_traces, name="import-confirm"),
    path("runs/<int:pk>/", results.run_page, name="show"),
    path("runs/<int:pk>/configuration/", results.configuration, name="configuration"),
    path("runs/<int:pk>/metrics/", metrics.metrics, name="metrics"),
    path("runs/<int:pk>/cells/<int:agent>/<int:position>/", cells.run_cell, name="cell"),
    path("runs/<int:pk>/map/", cells.run_map, name="map"),
    path("runs/<int:pk>/grid.svg", cells.grid_picture, name="grid-svg"),
    path("runs/<int:pk>/grid.csv", cells.grid_table, name="grid-csv"),
    path("runs/<int:pk>/charts/", charts.run_charts, name="charts"),
    path("runs/<int:pk>/cancel/", results.cancel_run, name="cancel"),
    path("runs/<int:pk>/pause/", actions.pause_run, name="pause"),
    path("runs/<int:pk>/resume/", actions.resume_run, name="resume"),
    path("runs/<int:pk>/retry/", actions.retry_trials, name="retry"),
    path("runs/<int:pk>/more/", actions.more_trials, name="more"),
    path("runs/<int:pk>/rescores/", rescores.rescores, name="rescores"),
    path("runs/rescores/<int:pk>/", rescores.rescore, name="rescore"),
    path("runs/rescores/<int:pk>/cancel/", rescores.stop_rescore, name="rescore-cancel"),
    path("runs/rescores/<int:pk>/adopt/", rescores.adopt_rescore, name="rescore-adopt"),
    path("runs/rescores/<int:pk>/trials/<int:trial>/", rescores.rescored_trial, name="rescored-trial"),
    path("runs/<int:pk>/reviews/", agreement.agreement_page, name="agreement"),
    path("runs/<int:pk>/gates/", checks.run_gates, name="run-gates"),
    path("runs/<int:pk>/again/", results.run_again, name="again"),
    path("runs/<int:pk>/export/<slug:kind>/", results.export_run, name="export"),
    path("runs/trials/<int:pk>/", trials.trial, name="trial"),
    path("runs/trials/<int:pk>/attempts/<int:number>/", actions.attempt, name="attempt"),
    path("runs/trials/<int:pk>/conversation/", conversations.conversation, name="conversation"),
    path("runs/trials/<int:pk>/output/", trials.output, name="output"),
    path("runs/trials/<int:pk>/stored/", trials.stored, name="stored"),
    path("runs/trials/<int:pk>/files/", artifacts.artifacts, name="artifacts"),
    path("runs/trials/<int:pk>/files/file/", artifacts.artifact_file, name="artifact"),
    path("runs/trials/<int:pk>/trace/", imports.trace, name="trace"),
    path("runs/trials/<int:pk>/case/", failures.new_case, name="case"),
    path("tryouts/cases/<int:pk>/", tryouts.try_case, name="try"),
    path("tryouts/checks/<int:pk>/", tried_checks.check, name="try-check"),
    path("tryouts/<int:pk>/", tryouts.tryout, name="tryout"),
    path("reviews/", reviews.review_list, name="reviews"),
    path("reviews/<int:pk>/", reviews.review_page, name="review"),
    path("turns/", turns.turn_list, name="turns"),
    path("turns/<int:pk>/", turns.turn, name="turn"),
    path("gates/checks/<int:pk>/", checks.check_page, name="gate-check"),
    path("gates/checks/<int:pk>/junit/", checks.check_junit, name="gate-junit"),
    path("gates/checks/<int:pk>/preview/", checks.preview, name="gate-preview"),
    path("gates/checks/<int:pk>/release/", checks.release_run, name="gate-release"),
    path("gates/trials/<int:pk>/", checks.failing_step, name="failing-step"),
    path("gates/schedules/<int:pk>/", schedules.schedule, name="gate-schedule"),
    path("gates/schedules/<int:pk>/delete/", schedules.delete_schedule, name="gate-schedule-delete"),
    path("shares/", shares.shares, name="shares"),
    path("shares/file/", shares.shared_file, name="share-file"),
    path("shares/new/", shares.new_share, name="share-new"),
    path("shares/<int:pk>/delete/", shares.end_share, name="share-end"),
    path("shared/<slug:token>/", public.shared_page, name="shared"),
    path("badges/<slug:token>.svg", badges.badge_picture, name="badge"),
    path("badges/<slug:token>/trend.svg", badges.trend_picture, name="badge-trend"),
    path(RESULTS, trends.pack_trends, name="trends"),
    path(f"{RESULTS}cases/", items.pack_items, name="items"),
    path(f"{RESULTS}failures/", causes.pack_causes, name="causes"),
    path(f"{RESULTS}failures/<slug:digest>/", causes.cause_page, name="cause"),
    path(f"{RESULTS}failures/<slug:digest>/name/", causes.name_cause, name="cause-name"),
    path(f"{RESULTS}failures/<slug:digest>/cases/", causes.make_cases_of, name="cause-cases"),
    path(f"{RESULTS}badges/", badges.new_badge, name="badge-new"),
    path(f"{RESULTS}badges/<int:pk>/delete/", badges.delete_badge, name="badge-delete"),
    path(GATES, gates.pack_gates, name="gates"),
    path(f"{GATES}<slug:gate>/", gates.gate_page, name="gate"),
    path(f"{GATES}<slug:gate>/policy/", gates.gate_policy, name="gate-policy"),
    path(f"{GATES}<slug:gate>/start/", gates.start_run, name="gate-start"),
    path(f"{GATES}<slug:gate>/schedule/", schedules.new_schedule, name="gate-schedule-new"),
    path("replays/compare/", replay_pairs.compare_replays, name="replay-compare"),
    path("replays/<int:pk>/", replays.replay, name="replay"),
    path("replays/<int:pk>/events/", replays.events, name="events"),
    path("replays/<int:pk>/events/<int:sequence>/", replays.event, name="event"),
    path("agents/", agents.agent_list, name="agents"),
    path("agents/new/", agents.choose_kind, name="agent-kinds"),
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
