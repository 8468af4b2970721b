"""`manage.py gate`: what a gate says of a run, runs for a gate, and the run of a release (docs/gates.md).

Exit codes (task-suite 7.5): 0 pass or a gate that does not block, 1 fail, 2 wrong usage or an invalid policy, 3 when
the verdict is open, the run did not end in time, or the database is out of reach.
"""

import sys
import time
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
from django.core.management import BaseCommand
from django.db import DatabaseError

from packs.formats import yamlio
from packs.management.answers import Misuse, complain, refuse, say, say_json, say_unusable
from packs.management.lookup import find_team, find_user
from runs.gates import SHORT, GateResult, check_gate, read_policy
from runs.gates.reading import Unreadable, read_tasks
from runs.gates.reports import as_json, as_junit
from runs.gates.sections import section_troubles
from runs.jobs.gating.checks import GateRefused, judge, keep, report_of, report_of_judged, result_of, verdict_of
from runs.launch.gating import Start, start_for_gate
from runs.launch.refusals import LaunchRefused
from runs.management.acts.following import complain_of_nobody
from runs.management.lookup import find_agents, find_run, find_version, misuse_of
from runs.models import GateCheck, Release, Run

FINE, FAILED, USAGE, OPEN = range(4)
EXIT_CODES = (
    "Ends with 0 for pass or a gate that does not block, 1 for fail, 2 for wrong usage or an invalid policy, "
    "3 while the verdict is open, the run has not ended or the database is out of reach."
)
POLL_SECONDS = 0.5
NO_WORKER_SECONDS = 10
# What `--baseline` says where the policy chooses, and where nothing is compared.
POLICY, NONE = "policy", "none"


class Command(BaseCommand):
    help = "Check a run against a gate, start a run for a gate, or name the run of a release."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = EXIT_CODES
        commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
        checking = commands.add_parser("check", help="what a gate says of a run that has ended")
        checking.add_argument("run", metavar="RUN", help="its number, or a JSON file with tasks and their trials")
        checking.add_argument(
            "--baseline", default=POLICY, metavar="RUN", help="a run or a file; policy (as the gate says), or none"
        )
        checking.add_argument("--agent", default="", metavar="NAME", help="needed where the run has several")
        checking.add_argument("--policy", type=Path, metavar="FILE", help="ask this (YAML or JSON); nothing is kept")
        checking.add_argument("--wait", type=float, default=0.0, metavar="S", help="wait so many seconds for the end")
        starting = commands.add_parser("start", help="start a run for a gate, and wait for its verdict")
        starting.add_argument("pack", metavar="SLUG[@VERSION]", help="default: the newest version that can be run")
        starting.add_argument("--agent", required=True, metavar="NAME")
        starting.add_argument("--input-set", default="", metavar="KEY", help="for packs whose runs take one set")
        starting.add_argument("--baseline", default=POLICY, metavar="RUN", help="a run in place of the policy's choice")
        starting.add_argument("--trials", type=int, metavar="K", help="in place of what the pack says")
        starting.add_argument("--branch", default="", help="what the run is of; later runs are compared by it")
        starting.add_argument("--commit", default="")
        starting.add_argument("--merge-base", default="", metavar="COMMIT", help="where the branch grew from")
        starting.add_argument("--team", default="default", metavar="SLUG", help="the team that owns the pack")
        starting.add_argument("--user", metavar="NAME", help="who starts it (default: nobody)")
        starting.add_argument("--wait", type=float, default=3600.0, metavar="S", help="how long to wait (3600 s)")
        releasing = commands.add_parser("release", help="say which run a release was made with")
        releasing.add_argument("run", type=int, metavar="RUN")
        releasing.add_argument("--name", required=True, help="name of the release")
        for command in (checking, starting):
            command.add_argument("--gate", choices=sorted(SHORT), default="merge", help="default: merge")
            command.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML as well")
        for command in (checking, starting, releasing):
            command.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            code = getattr(self, f"do_{options['command']}")(options)
        except (Misuse, GateRefused, LaunchRefused, Unreadable) as refused:
            refuse(self, misuse_of(refused) if isinstance(refused, LaunchRefused) else refused, options)
            code = OPEN if getattr(refused, "code", "") in ("run_not_ended", "baseline_not_ended") else USAGE
        except DatabaseError as error:
            say_unusable(self, error, options)
            code = OPEN
        if code:
            sys.exit(code)

    def do_check(self, options: Mapping[str, Any]) -> int:
        section = read_section(options["policy"], SHORT[options["gate"]]) if options["policy"] else None
        if not options["run"].isdecimal():
            return self.check_files(options, section)
        run = find_run(int(options["run"]))
        self.follow(run, options["wait"])
        judged = judge(
            run, SHORT[options["gate"]], agent=options["agent"], section=section, **named_baseline(options["baseline"])
        )
        report = report_of_judged(judged) if section is not None else report_of(keep(judged))
        return self.tell(judged.result, report, options)

    def check_files(self, options: Mapping[str, Any], section: Mapping[str, Any] | None) -> int:
        """Runs that are files: nothing is read from the database, and nothing kept."""
        other = options["baseline"]
        baseline = None if other in (POLICY, NONE) else read_run(Path(other))
        policy = read_policy(SHORT[options["gate"]], section)
        result = check_gate(policy, read_run(Path(options["run"])), baseline)
        report = as_json(result, options["run"], "" if baseline is None else other)
        return self.tell(result, {**report, "id": None, "policy": policy.as_dict()}, options)

    def do_start(self, options: Mapping[str, Any]) -> int:
        team = find_team(options["team"])
        version = find_version(team, options["pack"])
        (agent,) = find_agents(team, [options["agent"]])
        names = ("branch", "commit", "merge_base")
        wanted = Start(
            gate=SHORT[options["gate"]],
            input_set=options["input_set"],
            trials=options["trials"],
            metadata={name: options[name] for name in names if options[name]},
            baseline=None if options["baseline"] == POLICY else find_number(options["baseline"]),
        )
        run = start_for_gate(find_user(options["user"]), version, agent, wanted)
        complain(self, f"Run {run.pk} was started.")
        check = self.follow(run, options["wait"], wanted.gate)
        if check is None:
            # The worker has not given the verdict yet.
            check = keep(judge(run, wanted.gate, baseline=wanted.baseline), run.created_by)
        return self.tell(result_of(check), report_of(check), options)

    def follow(self, run: Run, seconds: float, gate: str = "") -> GateCheck | None:
        """Wait for the end of a run, and for the verdict of a gate where one is named, for so many seconds at most."""
        deadline, started, warned = time.monotonic() + seconds, time.monotonic(), False
        while True:
            found = verdict_of(run, gate) if gate else None
            if time.monotonic() >= deadline or (run.finished_at and (found or not gate)):
                return found
            time.sleep(min(POLL_SECONDS, max(0.0, deadline - time.monotonic())))
            run.refresh_from_db()
            if not warned and time.monotonic() - started > NO_WORKER_SECONDS:
                warned = complain_of_nobody(self)

    def do_release(self, options: Mapping[str, Any]) -> int:
        run = find_run(options["run"])
        if run.finished_at is None:
            raise Misuse(f"Run {run.pk} has not ended.", "run_not_ended")
        row = Release.objects.create(pack=run.version.pack, run=run, name=options["name"][:120])
        if options["json"]:
            say_json(self, {"id": row.pk, "name": row.name, "run_id": str(run.pk), "pack": row.pack.slug})
        else:
            say(self, f"{row.name} was made with run {run.pk}; release gates compare with it.")
        return FINE

    def tell(self, result: GateResult, report: Mapping[str, Any], options: Mapping[str, Any]) -> int:
        """Print what the gate says; its exit code."""
        if options["junit"]:
            try:
                options["junit"].write_text(as_junit(result))
            except OSError as error:
                raise Misuse(f"{options['junit']}: {error.strerror}") from error
        if options["json"]:
            say_json(self, report)
            return result.exit_code
        passed = sum(task.verdict == "pass" for task in result.members)
        blocks = "" if result.blocking else " (does not block)"
        say(self, f"{result.gate}: {result.verdict}{blocks}, {passed} of {len(result.members)} tasks passed")
        if report["baseline_run_id"]:
            say(self, f"compared with {report['baseline_run_id']}")
        for condition in result.conditions:
            say(self, f"  {condition.status:13} {condition.id}  {condition.reason}".rstrip())
            for offender in condition.offenders if condition.status != "pass" else ():
                say(self, f"                  {offender.task_id}: {offender.reason}")
        for warning in result.warnings:
            complain(self, f"warning: {warning}")
        return result.exit_code


def named_baseline(text: str) -> dict[str, Any]:
    """The arguments of `judge` that `--baseline` means."""
    if text == POLICY:
        return {}
    return {"compares": False} if text == NONE else {"baseline": find_number(text)}


def find_number(text: str) -> Run:
    """Raises Misuse."""
    if not (text.isdecimal() and len(text) < 19):
        raise Misuse(f"{text!r} is not a number of a run.")
    return find_run(int(text))


def read_run(path: Path) -> Any:
    """The tasks of a run that is a file. Raises Misuse, Unreadable."""
    try:
        return read_tasks(orjson.loads(path.read_bytes()))
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise Misuse(f"{path}: {error}") from error


def read_section(path: Path, gate: str) -> dict[str, Any]:
    """A policy that is a file. Raises Misuse for what is none."""
    try:
        value, findings = yamlio.read(path.read_bytes(), file=str(path), dialect=yamlio.CORE_12)
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror}") from error
    troubles = [finding.message for finding in findings if finding.is_error] or section_troubles(value, gate)
    if troubles:
        raise Misuse(f"{path}: {troubles[0]}", "invalid_policy")
    return dict(value)
