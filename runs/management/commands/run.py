"""`manage.py run`: start, show, steer and export runs; grade outputs without the database."""

import os
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand
from django.db import DatabaseError

from packs.management.answers import Misuse, complain, refuse, say, say_json, say_unusable
from packs.models import PackVersion
from runs.jobs.queue.workers import worker_health
from runs.jobs.trials.control import cancel, pause, resume
from runs.jobs.trials.progress import count_by_agent
from runs.jobs.trials.retrying import RETRIES, retry
from runs.launch.launching import LaunchRefused, Options, add_trials, choose_input_set, launch, target_agents
from runs.launch.planning import ALL_SETS
from runs.management import rejudging, testers, tracing
from runs.management.grading import FAILED, FINE, MACHINERY, USAGE
from runs.management.grading import main as grade_without_database
from runs.management.lookup import find_agents, find_run, find_team, find_user, find_version
from runs.models import FINAL_STATUSES, Rescore, RescoreStatus, Run, Trial, TrialStatus
from runs.models.trials import TRIAL_COST_LIMIT
from runs.results.exporting import EXPORTS, offered, run_document
from runs.results.importing import Import, Wish
from runs.results.serializers import RescoreSerializer
from runs.statistics.shares import shares_of

POLL_SECONDS = 0.2
NO_WORKER_SECONDS = 4


EXIT_CODES = (
    "Ends with 0 when all is fine, 1 when not all trials of `start --wait` or `grade` passed, 2 for wrong usage, "
    "3 when the studio failed."
)


class Command(BaseCommand):
    help = "Start, show, steer, score again and export runs; grade works on files alone."
    requires_system_checks: list[str] = []

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass `grade` on, which needs no database."""
        if argv[2:3] == ["grade"]:
            sys.exit(grade_without_database(argv[2:]))
        super().run_from_argv(argv)

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
        parser.epilog = EXIT_CODES
        commands.add_parser("grade", help="grade outputs that are there already; needs no database")
        starting = commands.add_parser("start", help="start a run of a published version")
        starting.add_argument("pack", metavar="SLUG[@VERSION]", help="default: the newest version that can be run")
        starting.add_argument("--input-set", default="", metavar="KEY", help="id, key or exact name")
        starting.add_argument("--agent", action="append", default=[], metavar="NAME", help="may be given again")
        starting.add_argument("--targets", action="store_true", help="enter the agents that the pack names")
        starting.add_argument("--tester", type=Path, metavar="FILE.yaml", help="name, agent and what checkers may run")
        starting.add_argument("--trials", type=int, metavar="K", help="attempts at each case (as the pack says, or 1)")
        starting.add_argument("--concurrency", type=int, metavar="N", help="trials that are at work at once")
        starting.add_argument("--max-cost", type=float, metavar="USD", help="stop the run when it has cost so much")
        starting.add_argument("--max-tokens", type=int, metavar="N", help="stop the run when it has used so many")
        starting.add_argument("--max-seconds", type=float, metavar="S", help="stop the run when it has taken so long")
        starting.add_argument("--max-iterations", type=int, metavar="N", help="step limit of each trial")
        starting.add_argument(
            "--model",
            action="append",
            default=[],
            metavar="NAME=CONNECTION[/MODEL]",
            help="who answers for a model that the pack names; may be given again",
        )
        starting.add_argument("--name", default="", help="name of the run")
        starting.add_argument("--team", default="default", metavar="SLUG", help="the team that owns the pack")
        starting.add_argument("--user", metavar="NAME", help="who starts it (default: nobody)")
        starting.add_argument("--wait", action="store_true", help="follow the run; exit with 1 unless all trials pass")
        starting.add_argument("--no-input", action="store_true", help="never ask which input set is meant")
        tracing.add_arguments(commands.add_parser)
        showing = commands.add_parser("show", help="show a run")
        cancelling = commands.add_parser("cancel", help="stop a run")
        pausing = commands.add_parser("pause", help="let no more trials of a run begin")
        resuming = commands.add_parser("resume", help="let a paused run go on")
        retrying = commands.add_parser(
            "retry", help="try trials again, those that ended in errors unless said otherwise"
        )
        retrying.add_argument("--which", choices=sorted(RETRIES), default="errors", help="default: errors")
        adding = commands.add_parser("more", help="add trials to every case")
        adding.add_argument("--trials", type=int, default=1, metavar="K", help="how many for each case and agent (1)")
        scoring = commands.add_parser("rescore", help="score the stored trials of a run again; the run stays as it is")
        scoring.add_argument("--version", dest="number", type=int, metavar="N", help="by this version of the pack")
        scoring.add_argument("--evaluation", type=Path, metavar="FILE", help="by this evaluation, as YAML or JSON")
        rejudging.add_arguments(scoring)
        adopting = commands.add_parser("adopt", help="let the verdicts of a rescore count for its run")
        exporting = commands.add_parser("export", help="write the results of a run")
        exporting.add_argument("--as", dest="kind", choices=sorted(EXPORTS), default="json", help="default: json")
        exporting.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")
        steering = (showing, cancelling, pausing, resuming, retrying, adding)
        for command in (*steering, scoring, adopting, exporting):
            command.add_argument("id", type=int, metavar="ID")
        for command in (starting, *steering, scoring, adopting):
            command.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            code = getattr(self, f"do_{options['command'].replace('-', '_')}")(options)
        except Misuse as misuse:
            refuse(self, misuse, options)
            code = USAGE
        except DatabaseError as error:
            say_unusable(self, error, options)
            code = MACHINERY
        if code:
            sys.exit(code)

    def do_start(self, options: dict[str, Any]) -> int:
        team = find_team(options["team"])
        version = find_version(team, options["pack"])
        try:
            started = testers.started_by(options["tester"], team, named=bool(options["agent"] or options["targets"]))
        except (testers.UnusableTester, OSError) as refused:
            raise Misuse(str(refused), "invalid_tester") from refused
        wanted = Options(
            input_set=self.wanted_set(version, options),
            name=options["name"] or started.name,
            tester=started.policy,
            trials=options["trials"],
            max_iterations=options["max_iterations"],
            concurrency=options["concurrency"],
            budgets={
                "cost_usd": options["max_cost"],
                "total_tokens": options["max_tokens"],
                "wall_seconds": options["max_seconds"],
            },
            connections=dict(read_answer(text) for text in options["model"]),
        )
        try:
            agents = [*find_agents(team, options["agent"]), *started.agents]
            if options["targets"]:
                agents = [
                    *agents,
                    *(agent for agent in target_agents(version, wanted.input_set) if agent not in agents),
                ]
            run = launch(find_user(options["user"]), version, agents, wanted)
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
                complain(self, f"  {number}  {choice['key']}  {choice['name']}  {choice['cases']} cases")
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
                complain(self, line)
                told = line
            if not warned and time.monotonic() - started > NO_WORKER_SECONDS and worker_health().is_nobody:
                complain(self, "No worker is running, so nothing happens. Start one: manage.py up")
                warned = True
        self.tell(run, options)
        return verdict_code(run)

    def tell(self, run: Run, options: dict[str, Any]) -> None:
        if options["json"]:
            say_json(self, run_document(run))
            return
        chosen = f", input set {run.input_set.key} ({run.selection})" if run.input_set else ""
        chosen = ", all input sets" if run.selection == ALL_SETS else chosen
        say(self, f"Run {run.pk}: {run.name}", f"{run.version}{chosen}", f"{run.status}: {run.trial_count} trials")
        counts = count_by_agent(run.pk)
        for agent in run.agents.order_by("position"):
            score, shares = agent.summary.get("overall_score"), shares_of(counts.get(agent.pk, {}))
            say(self, f"  {agent.name}: {shares.told}{'' if score is None else f', mean score {score:.3f}'}")
        for trial in run.trials.exclude(status=TrialStatus.PASSED).filter(status__in=FINAL_STATUSES)[:20]:
            say(self, f"  {trial.status}: {trial} {trial.error}".rstrip())

    def do_import_traces(self, options: dict[str, Any]) -> int:
        """Make a run of records, whole or not at all."""
        version = find_version(find_team(options["team"]), options["pack"])
        wish = Wish(options["case"], options["name"])
        try:
            found = tracing.look_into(version, options["files"], wish)
            if options["dry_run"] or not found.can_import:
                return self.tell_import(found, options)
            run = tracing.take(found, find_user(options["user"]))
        except OSError as error:
            raise Misuse(f"{error.filename}: {error.strerror}") from error
        except LaunchRefused as refused:
            raise Misuse(refused.message, refused.code, refused.choices) from refused
        if options["wait"]:
            return self.follow(run, options)
        self.tell(run, options)
        return FINE

    def tell_import(self, found: Import, options: dict[str, Any]) -> int:
        """What an import would do, and what stands against it."""
        if options["json"]:
            say_json(self, tracing.told(found))
        else:
            for finding in found.findings:
                complain(self, tracing.line_of(finding))
            say(self, f"{len(found.planned)} of {found.given} records can become trials.")
        return FINE if found.can_import else FAILED

    def do_trace(self, options: dict[str, Any]) -> int:
        related = ("run__version__pack", "run_agent", "case__input_set")
        trial = Trial.objects.filter(pk=options["id"], finished_at__isnull=False).select_related(*related).first()
        if trial is None:
            raise Misuse(f"There is no trial {options['id']} that has ended.", "not_found")
        text = tracing.trace_text(trial, options["kind"])
        if options["output"] == "-":
            self.stdout.write(text)
            return FINE
        try:
            Path(options["output"]).write_text(text + "\n")
        except OSError as error:
            raise Misuse(f"{options['output']}: {error.strerror}") from error
        return FINE

    def do_show(self, options: dict[str, Any]) -> int:
        self.tell(find_run(options["id"]), options)
        return FINE

    def do_cancel(self, options: dict[str, Any]) -> int:
        run = find_run(options["id"])
        if not cancel(run):
            raise Misuse(f"Run {run.pk} has ended already.", "run_has_ended")
        run.refresh_from_db()
        self.tell(run, options)
        return FINE

    def do_pause(self, options: dict[str, Any]) -> int:
        run = find_run(options["id"])
        if not pause(run):
            raise Misuse(f"Run {run.pk} is neither queued nor running.", "run_not_active")
        return self.tell_again(run, options)

    def do_resume(self, options: dict[str, Any]) -> int:
        run = find_run(options["id"])
        if not resume(run):
            raise Misuse(f"Run {run.pk} is not paused.", "run_not_paused")
        return self.tell_again(run, options)

    def do_retry(self, options: dict[str, Any]) -> int:
        run = find_run(options["id"])
        if not retry(run, options["which"]):
            raise Misuse(f"Run {run.pk} has no such trials to try again now.", "nothing_to_retry")
        return self.tell_again(run, options)

    def do_more(self, options: dict[str, Any]) -> int:
        run = find_run(options["id"])
        try:
            add_trials(run, options["trials"])
        except LaunchRefused as refused:
            raise Misuse(refused.message, refused.code) from refused
        return self.tell_again(run, options)

    def tell_again(self, run: Run, options: dict[str, Any]) -> int:
        run.refresh_from_db()
        self.tell(run, options)
        return FINE

    def do_rescore(self, options: dict[str, Any]) -> int:
        """Score again here and now; no worker is needed."""
        answers = dict(read_answer(text) for text in options["model"])
        row = rejudging.score(find_run(options["id"]), answers, options)
        if options["adopt"] and row.status == RescoreStatus.COMPLETED:
            row = rejudging.take_over(row)
        return self.tell_rescore(row, options)

    def do_adopt(self, options: dict[str, Any]) -> int:
        """Let what a rescore says count for its run."""
        return self.tell_rescore(rejudging.take_over(rejudging.find_rescore(options["id"])), options)

    def tell_rescore(self, row: Rescore, options: dict[str, Any]) -> int:
        if options["json"]:
            say_json(self, RescoreSerializer(row).data)
        else:
            say(self, *rejudging.told(row))
        return FINE if row.status == RescoreStatus.COMPLETED else MACHINERY

    def do_export(self, options: dict[str, Any]) -> int:
        run = find_run(options["id"])
        if options["kind"] not in offered(run):
            raise Misuse(f"This run cannot be exported as {options['kind']}; it can as {', '.join(offered(run))}.")
        parts = EXPORTS[options["kind"]][0](run)
        if options["output"] == "-":
            if EXPORTS[options["kind"]][1] == "application/zip":
                sys.stdout.buffer.writelines(parts)
                return FINE
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
    """0 when every trial passed that the pack wanted."""
    wanted = run.trials.exclude(stop_reason=TRIAL_COST_LIMIT)
    return FINE if wanted.exists() and not wanted.exclude(status=TrialStatus.PASSED).exists() else FAILED


def read_answer(text: str) -> tuple[str, dict[str, str]]:
    """A choice of `--model`: the pack's name of a model, and the connection and model that answer for it."""
    name, is_given, answer = text.partition("=")
    connection, _, model = answer.partition("/")
    if not (is_given and name and connection):
        raise Misuse(f"{text!r} does not have the form NAME=CONNECTION or NAME=CONNECTION/MODEL.")
    return name, {"connection": connection, "model": model or name}
