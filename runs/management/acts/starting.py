"""`manage.py run start`."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management import BaseCommand

from packs.management.answers import Misuse, complain, line_of
from packs.management.lookup import find_team, find_user
from packs.models import PackVersion
from runs.launch.launching import Options, choose_input_set, launch, target_agents
from runs.launch.refusals import LaunchRefused
from runs.management import testers
from runs.management.acts import Act, Given, add_json
from runs.management.acts.answerers import add_models, read_models
from runs.management.acts.following import follow, set_off
from runs.management.lookup import find_agents, find_version, misuse_of
from runs.models.runs import ResponseCache


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("pack", metavar="SLUG[@VERSION]", help="default: the newest version that can be run")
    parser.add_argument("--input-set", default="", metavar="KEY", help="id, key or exact name")
    parser.add_argument("--agent", action="append", default=[], metavar="NAME", help="may be given again")
    parser.add_argument("--targets", action="store_true", help="enter the agents that the pack names")
    parser.add_argument("--tester", type=Path, metavar="FILE.yaml", help="name, agent and what checkers may run")
    parser.add_argument("--trials", type=int, metavar="K", help="attempts at each case (as the pack says, or 1)")
    parser.add_argument("--concurrency", type=int, metavar="N", help="trials that are at work at once")
    parser.add_argument("--max-cost", type=float, metavar="USD", help="stop the run when it has cost so much")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="stop the run when it has used so many")
    parser.add_argument(
        "--within", type=float, metavar="POINTS", help="stop once every pass rate is known within so many points"
    )
    parser.add_argument("--max-seconds", type=float, metavar="S", help="stop the run when it has taken so long")
    parser.add_argument(
        "--cache", default="off", choices=ResponseCache.values, help="let models answer as they did before"
    )
    parser.add_argument("--max-iterations", type=int, metavar="N", help="step limit of each trial")
    add_models(parser, "who answers for a model that the pack names; may be given again")
    parser.add_argument("--name", default="", help="name of the run")
    parser.add_argument("--team", default="default", metavar="SLUG", help="the team that owns the pack")
    parser.add_argument("--user", metavar="NAME", help="who starts it (default: nobody)")
    parser.add_argument("--wait", action="store_true", help="follow the run; exit with 1 unless all trials pass")
    parser.add_argument("--no-input", action="store_true", help="never ask which input set is meant")
    add_json(parser)


def start(command: BaseCommand, options: Given) -> int:
    team = find_team(options["team"])
    version = find_version(team, options["pack"])
    try:
        started = testers.started_by(options["tester"], team, named=bool(options["agent"] or options["targets"]))
    except (testers.UnusableTester, OSError) as refused:
        raise Misuse(str(refused), "invalid_tester") from refused
    wanted = Options(
        input_set=wanted_set(command, version, options),
        name=options["name"] or started.name,
        tester=started.policy,
        trials=options["trials"],
        max_iterations=options["max_iterations"],
        concurrency=options["concurrency"],
        response_cache=options["cache"],
        budgets={
            "cost_usd": options["max_cost"],
            "total_tokens": options["max_tokens"],
            "wall_seconds": options["max_seconds"],
            "interval_points": options["within"],
        },
        connections=read_models(options["model"]),
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
        raise misuse_of(refused) from refused
    return (follow if options["wait"] else set_off)(command, run, options)


def wanted_set(command: BaseCommand, version: PackVersion, options: Given) -> str:
    """The input set that was named, or that a person at a terminal picks where there are several."""
    given: str = options["input_set"]
    can_ask = sys.stdin.isatty() and not (options["json"] or options["no_input"] or os.environ.get("CI"))
    if given or not can_ask:
        return given
    try:
        choose_input_set(version)
    except LaunchRefused as refused:
        for number, choice in enumerate(refused.choices, 1):
            complain(command, f"  {number}  {line_of(choice)}")
        answer = input("Which input set? ").strip()
        if answer.isdigit() and 1 <= int(answer) <= len(refused.choices):
            return str(refused.choices[int(answer) - 1]["key"])
        return answer
    return given


START = Act(add_arguments, start)
