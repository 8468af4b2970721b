"""`manage.py run`: start, show, cancel and export runs; grade outputs without the database."""

import os
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import orjson
from django.contrib.auth.models import User
from django.core.management import BaseCommand
from django.db import DatabaseError

from packs.models import PackVersion, Team, VersionStatus
from runs.exporting import EXPORTS, run_document
from runs.grading import FAILED, FINE, MACHINERY, USAGE
from runs.grading import main as grade_without_database
from runs.jobs import cancel, worker_health
from runs.launch import LaunchRefused, Options, choose_input_set, launch
from runs.models import FINAL_STATUSES, Agent, Run, TrialStatus

POLL_SECONDS = 0.2
NO_WORKER_SECONDS = 4


class Misuse(Exception):
    """The command was given something that it cannot act on; `choices` lists what would be possible."""

    def __init__(self, message: str, code: str = "usage", choices: list[Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.choices = choices or []


class Command(BaseCommand):
    help = "Start, show, cancel and export runs; grade works on files alone."
    requires_system_checks: list[str] = []

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass `grade` on, which needs no database."""
        if argv[2:3] == ["grade"]:
            sys.exit(grade_without_database(argv[2:]))
        super().run_from_argv(argv)

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
        commands.add_parser("grade", help="works without the database; see --help of it")
        starting = commands.add_parser("start", help="start a run of a published version")
        starting.add_argument("pack", metavar="SLUG[@VERSION]", help="default: the newest version that can be run")
        starting.add_argument("--input-set", default="", metavar="KEY", help="id, key or exact name")
        starting.add_argument("--agent", action="append", required=True, metavar="NAME", help="may be given again")
        starting.add_argument("--trials", type=int, default=1, metavar="K", help="attempts at each case (1)")
        starting.add_argument("--max-iterations", type=int, metavar="N", help="step limit of each trial")
        starting.add_argument("--name", default="", help="name of the run")
        starting.add_argument("--team", default="default", metavar="SLUG", help="the team that owns the pack")
        starting.add_argument("--user", metavar="NAME", help="who starts it (default: nobody)")
        starting.add_argument("--wait", action="store_true", help="follow the run; exit with 1 unless all trials pass")
        starting.add_argument("--no-input", action="store_true", help="never ask which input set is meant")
        showing = commands.add_parser("show", help="show a run")
        cancelling = commands.add_parser("cancel", help="stop a run")
        exporting = commands.add_parser("export", help="write the results of a run")
        exporting.add_argument("--as", dest="kind", choices=sorted(EXPORTS), default="json", help="default: json")
        exporting.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")
        for command in (showing, cancelling, exporting):
            command.add_argument("id", type=int, metavar="ID")
        for command in (starting, showing, cancelling):
            command.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        act = {"start": self.start, "show": self.show, "cancel": self.cancel, "export": self.export}
        try:
            code = act[options["command"]](options)
        except Misuse as misuse:
            self.refuse(misuse, options)
            code = USAGE
        except DatabaseError as error:
            self.stderr.write(f"The database cannot be used: {error}")
            code = MACHINERY
        if code:
            sys.exit(code)

    def refuse(self, misuse: Misuse, options: dict[str, Any]) -> None:
        if options.get("json"):
            self.say_json({"error": {"code": misuse.code, "message": str(misuse), "choices": misuse.choices}})
            return
        self.stderr.write(str(misuse))
        for choice in misuse.choices:
            self.stderr.write("  " + "  ".join(str(value) for value in choice.values()))

    def say_json(self, value: Any) -> None:
        self.stdout.write(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())

    def start(self, options: dict[str, Any]) -> int:
        team = Team.objects.filter(slug=options["team"]).first()
        if team is None:
            raise Misuse(f"There is no team {options['team']!r}.")
        version = find_version(team, options["pack"])
        wanted = Options(
            input_set=self.wanted_set(version, options),
            name=options["name"],
            trials=options["trials"],
            max_iterations=options["max_iterations"],
        )
        try:
            run = launch(find_user(options["user"]), version, find_agents(team, options["agent"]), wanted)
        except LaunchRefused as refused:
            raise Misuse(refused.message, refused.code, refused.choices) from refused
        if options["wait"]:
            return self.follow(run, options)
        self.tell(run, options)
        return FINE

    def wanted_set(self, version: PackVersion, options: dict[str, Any]) -> str:
        """The input set that was named, or that a person at a terminal picks where there are several."""
        given: str = options["input_set"]
        can_ask = sys.stdin.isatty() and not (options["json"] or options["no_input"] or os.environ.get("CI"))
        if given or not can_ask:
            return given
        try:
            choose_input_set(version)
        except LaunchRefused as refused:
            for number, choice in enumerate(refused.choices, 1):
                self.stderr.write(f"  {number}  {choice['key']}  {choice['name']}  {choice['cases']} cases")
            answer = input("Which input set? ").strip()
            if answer.isdigit() and 1 <= int(answer) <= len(refused.choices):
                return str(refused.choices[int(answer) - 1]["key"])
            return answer
        return given

    def follow(self, run: Run, options: dict[str, Any]) -> int:
        """Wait for the end of a run; a line on standard error for every change."""
        told, warned, started = "", False, time.monotonic()
        while run.finished_at is None:
            time.sleep(POLL_SECONDS)
            run.refresh_from_db()
            line = ", ".join(f"{count} {status}" for status, count in sorted(run.counts.items()))
            if line != told:
                self.stderr.write(line)
                told = line
            if not warned and time.monotonic() - started > NO_WORKER_SECONDS and not worker_health().workers:
                self.stderr.write("No worker is running, so nothing happens. Start one: manage.py up")
                warned = True
        self.tell(run, options)
        return verdict_code(run)

    def tell(self, run: Run, options: dict[str, Any]) -> None:
        if options["json"]:
            self.say_json(run_document(run))
            return
        chosen = f", input set {run.input_set.key} ({run.selection})" if run.input_set else ""
        self.stdout.write(f"Run {run.pk}: {run.name}\n{run.version}{chosen}\n{run.status}: {run.trial_count} trials")
        for agent in run.agents.order_by("position"):
            score = agent.summary.get("overall_score")
            told = f"{agent.summary.get('passed', 0)} passed" if agent.summary else "at work"
            self.stdout.write(f"  {agent.name}: {told}{'' if score is None else f', mean score {score:.3f}'}")
        for trial in run.trials.exclude(status=TrialStatus.PASSED).filter(status__in=FINAL_STATUSES)[:20]:
            self.stdout.write(f"  {trial.status}: {trial} {trial.error}".rstrip())

    def show(self, options: dict[str, Any]) -> int:
        self.tell(find_run(options["id"]), options)
        return FINE

    def cancel(self, options: dict[str, Any]) -> int:
        run = find_run(options["id"])
        if not cancel(run):
            raise Misuse(f"Run {run.pk} has ended already.", "run_has_ended")
        run.refresh_from_db()
        self.tell(run, options)
        return FINE

    def export(self, options: dict[str, Any]) -> int:
        parts = EXPORTS[options["kind"]][0](find_run(options["id"]))
        if options["output"] == "-":
            for part in parts:
                self.stdout.write(part.decode(), ending="")
            return FINE
        try:
            with Path(options["output"]).open("wb") as file:
                file.writelines(parts)
        except OSError as error:
            raise Misuse(f"{options['output']}: {error.strerror}") from error
        return FINE


def verdict_code(run: Run) -> int:
    """0 when every trial passed."""
    return FINE if run.trial_count and run.counts.get(TrialStatus.PASSED, 0) == run.trial_count else FAILED


def find_version(team: Team, text: str) -> PackVersion:
    """`SLUG` or `SLUG@NUMBER`. Raises Misuse."""
    slug, _, number = text.partition("@")
    rows = PackVersion.objects.filter(pack__team=team, pack__slug=slug).order_by("-number")
    versions: list[PackVersion] = list(rows)
    for row in versions:
        if str(row.number) == number or (not number and row.status == VersionStatus.RUNNABLE):
            return row
    known = [{"version": f"{slug}@{row.number}", "status": row.status} for row in versions]
    raise Misuse(f"There is no version {text!r} that can be run.", "invalid_challenge_pack_version_id", known)


def find_agents(team: Team, names: list[str]) -> list[Agent]:
    """The agents of a team by their names. Raises Misuse."""
    known = {agent.name: agent for agent in Agent.objects.filter(team=team)}
    missing = [name for name in names if name not in known]
    if missing:
        choices = [{"name": agent.name, "kind": agent.kind} for agent in known.values() if agent.is_active]
        raise Misuse(f"There is no agent {missing[0]!r}.", "invalid_agent_deployment_ids", choices)
    return [known[name] for name in names]


def find_user(name: str | None) -> User | None:
    if name is None:
        return None
    user = User.objects.filter(username=name).first()
    if user is None:
        raise Misuse(f"There is no user {name!r}.")
    return user


def find_run(number: int) -> Run:
    run: Run | None = Run.objects.filter(pk=number).first()
    if run is None:
        raise Misuse(f"There is no run {number}.", "not_found")
    return run
