"""`manage.py doctor`: whether the parts of the studio work on this machine, and what its sandboxes withstand.

Ends with 0 when all is well, 1 when programs are not safely confined, 3 when a part that the studio needs fails.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from packs.celery import app
from packs.management.answers import say, say_json
from runs.jobs.queue.workers import worker_health
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.management import FAILED, FINE, MACHINERY
from runs.sandbox import SANDBOXES
from runs.sandbox.attacks import Report, run_attacks
from runs.sandbox.choice import OF_IMAGES
from runs.sandbox.contract import Isolation, SandboxUnavailable
from studio.rights import open_places, words_for

BROKER_SECONDS = 3


class Command(BaseCommand):
    help = (
        "Check that the parts of the studio work and its files are protected, and try known attacks in every sandbox."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
        parser.add_argument("--quick", action="store_true", help="leave the attacks out")

    def handle(self, *args: Any, **options: Any) -> None:
        parts = {name: look() for name, look in PARTS.items()}
        sandboxes = [examine(kind, attacks=not options["quick"]) for kind in SANDBOXES]
        code = verdict(parts, sandboxes)
        if options["json"]:
            say_json(self, {"parts": parts, "sandboxes": sandboxes, "exit_code": code})
        else:
            self.tell(parts, sandboxes)
        sys.exit(code)

    def tell(self, parts: dict[str, dict[str, Any]], sandboxes: list[dict[str, Any]]) -> None:
        for name, part in parts.items():
            say(self, f"{'works ' if part['works'] else 'FAILED'} {name}: {part['detail']}")
        for found in sandboxes:
            chosen = ", in use" if found["is_chosen"] else ""
            say(self, "", f"{found['kind']} ({found['label']}, isolation {found['isolation']}{chosen})")
            if found["obstacle"]:
                say(self, f"   not available: {found['obstacle']}")
            for attack in found["attacks"]:
                got = f": got {attack['got']}" if attack["got"] else ""
                say(self, f"   {'held  ' if attack['held'] else 'FAILED'} {attack['title']}{got}")


def verdict(parts: dict[str, dict[str, Any]], sandboxes: list[dict[str, Any]]) -> int:
    """The exit code: parts that fail come before sandboxes that do."""
    if not all(part["works"] for part in parts.values()):
        return MACHINERY
    chosen = [found for found in sandboxes if found["is_chosen"]]
    is_safe = bool(chosen) and all(
        found["isolation"] != Isolation.NONE and not found["obstacle"] and all(one["held"] for one in found["attacks"])
        for found in chosen
    )
    return FINE if is_safe else FAILED


def examine(kind: str, *, attacks: bool) -> dict[str, Any]:
    """What can be said of a kind of sandbox on this machine."""
    sandbox, choice = SANDBOXES[kind], chosen_sandbox()
    obstacle = sandbox.obstacle() or (choice.obstacle_of(kind) if sandbox.ISOLATION is Isolation.NONE else "")
    reports: list[Report] = []
    # Where nothing confines them the attacks would succeed and harm this machine; containers have tests of their own.
    if attacks and not obstacle and sandbox.ISOLATION is not Isolation.NONE and kind != OF_IMAGES:
        try:
            reports = list(run_attacks(sandbox, real_secrets()))
        except SandboxUnavailable as error:
            obstacle = str(error)
    return {
        "kind": kind,
        "label": sandbox.LABEL,
        "isolation": sandbox.ISOLATION.value,
        "is_chosen": choice.kind == kind,
        "obstacle": obstacle,
        "attacks": [
            {"key": found.attack.key, "title": found.attack.title, "held": found.held, "got": found.got}
            for found in reports
        ],
    }


def real_secrets() -> tuple[str, ...]:
    """Files of this studio that no program may see: settings, signing key, a database that is a file."""
    files = [Path(settings.BASE_DIR, "studio", "settings.py"), Path(settings.VAR_DIR, "secret_key")]
    return (*map(str, files), str(settings.DATABASES["default"]["NAME"]))


def look_at_database() -> dict[str, Any]:
    try:
        executor = MigrationExecutor(connection)
        pending = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError as error:
        return {"works": False, "detail": f"does not answer: {error}"}
    if pending:
        return {"works": False, "detail": f"{pending} migrations are pending; run `manage.py prepare`"}
    return {"works": True, "detail": f"{connection.vendor} answers, its tables are up to date"}


def look_at_broker() -> dict[str, Any]:
    try:
        with app.connection_for_write(connect_timeout=BROKER_SECONDS) as opened:
            opened.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
            return {"works": True, "detail": f"{opened.transport.driver_type} answers"}
    except (OSError, *app.connection_for_write().connection_errors) as error:
        return {"works": False, "detail": f"does not answer: {error}"}


def look_at_workers() -> dict[str, Any]:
    """No worker is no failure: this may be looked at before any was started."""
    try:
        health = worker_health()
    except DatabaseError as error:
        return {"works": False, "detail": f"nothing is known of them: {error}"}
    waiting = f"{health.queued} trials wait"
    return {"works": not health.is_stuck, "detail": f"{health.workers} alive, {health.slots} jobs at once; {waiting}"}


def look_at_rights() -> dict[str, Any]:
    if places := open_places():
        return {"works": False, "detail": words_for(places)}
    return {"works": True, "detail": "nobody else on this machine may read the studio's data"}


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "database": look_at_database,
    "broker": look_at_broker,
    "workers": look_at_workers,
    "rights": look_at_rights,
}
