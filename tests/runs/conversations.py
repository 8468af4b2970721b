"""Published packs whose cases are conversations, for tests."""

import json

from runs.jobs.tasks import execute_trials
from runs.launch.launching import launch
from runs.models import HumanTurn, Trial
from tests.runs.studio_packs import pack_text, publish_text

CASE = """\
      - challenge_key: locate
        case_key: talk
        expectations: [{{key: answer, kind: text, value: hub}}]
        user_simulator: {simulator}
"""


def conversation_text(*phases, slug="parcels", max_turns=0):
    """A pack in YAML with one case, whose user says what the phases state."""
    phases = [{**phases[0], "trigger": "always"}, *phases[1:]]
    simulator = {"schema_version": 1, "kind": "hybrid", "max_turns": max_turns, "phases": phases}
    return pack_text({"default": CASE.format(simulator=json.dumps(simulator))}, slug=slug, mode="multi_turn")


def begin(user, team, agent, *phases, slug="parcels", options=None, **more):
    """A run of such a pack, worked off until nothing is left to do without a person."""
    version = publish_text(team, user, conversation_text(*phases, slug=slug, **more), slug=slug)
    run = launch(user, version, [agent], options)
    execute_trials(run.pk)
    run.refresh_from_db()
    return run


def only_trial(run):
    return Trial.objects.get(run=run)


def only_turn(run):
    return HumanTurn.objects.select_related("trial__run").get(trial__run=run)
