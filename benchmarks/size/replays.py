"""What a replay of 100,000 events and 200 MB costs: opening it, jumping within it, searching it."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

from benchmarks.size.measures import measured
from benchmarks.size.rows import publish_cases, write_run
from benchmarks.workbench import PLAIN_FILES
from packs.access import Role
from packs.models import Membership, Team
from runs.jobs.trials.statements import Statements
from runs.models import Event, Replay, Trial
from runs.replay import index_steps

EVENTS, CHARACTERS = 100_000, 4_000
CHUNK = 10_000
# Milliseconds of processor time.
TARGETS = {"opens": 800.0, "jumps": 200.0, "searches": 400.0}
COLUMNS = ("trial_id", "sequence", "event_type", "source", "occurred_at", "payload")


def run() -> int:
    """Print the table; 1 when a target is missed."""
    team, user = Team.objects.create(slug="bench", name="Bench"), User.objects.create_user("bench")
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    trial = write_run(user, publish_cases(team, user, 1), 1, 1).trials.get()
    write_events(trial)
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    base, missed = f"/replays/{trial.pk}/", 0
    acts = {
        "opens": base,
        "jumps": f"{base}?step={EVENTS // 3}",
        "searches": f"{base}?q=answer+{EVENTS // 4 + 1}+",
        "searches in vain": f"{base}?q=nowhere",
    }
    print(f"replay of {EVENTS:,} events\n  {'':28}{'wall ms':>10}{'cpu ms':>10}{'target':>10}{'queries':>9}")
    with override_settings(STORAGES={**settings.STORAGES, **PLAIN_FILES}):
        for name, address in acts.items():
            cost, target = measured(lambda address=address: client.get(address)), TARGETS[name.split()[0]]
            print(f"  {name:28}{cost.wall:10,.0f}{cost.cpu:10,.0f}{target:10,.0f}{cost.queries:9}", flush=True)
            missed += cost.cpu > target
    return int(missed > 0)


def write_events(trial: Trial) -> None:
    """Events of calls of a tool, and the index of the steps that they make."""
    Event.objects.filter(trial=trial).delete()
    rows = Statements(Event, *COLUMNS)
    listed: list[dict[str, Any]] = []
    batch: list[tuple[Any, ...]] = []
    for event in told(EVENTS):
        listed.append({**event, "payload": {**event["payload"], "result": {}}})
        facts = (event["event_type"], event["source"], event["occurred_at"], event["payload"])
        batch.append((trial.pk, event["sequence_number"], *facts))
        if len(batch) == CHUNK:
            rows.insert(batch)
            batch = []
    Replay.objects.update_or_create(trial=trial, defaults={"index": index_steps(listed).as_dict()})
    Trial.objects.filter(pk=trial.pk).update(event_count=EVENTS)


def told(count: int) -> Iterator[dict[str, Any]]:
    """So many events: each call of the tool, and what it gave."""
    now, text = timezone.now(), "The parcel left the hub. " * (CHARACTERS // 25)
    for number in range(1, count // 2 + 1):
        call = {"tool_name": "look", "tool_call_id": str(number)}
        moment = {"source": "agent", "occurred_at": now}
        asked = {**call, "arguments": {"number": number}}
        yield {**moment, "sequence_number": 2 * number - 1, "event_type": "tool.call.started", "payload": asked}
        given = {**call, "result": {"content": f"answer {number} {text}"}}
        yield {**moment, "sequence_number": 2 * number, "event_type": "tool.call.completed", "payload": given}
