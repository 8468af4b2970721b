"""Launching: a version, its input set and agents become a run (challenge-pack g)."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from packs.access import Permission, roles_with
from packs.formats import adapter_of
from packs.formats.later import Later
from packs.models import Membership, Pack, PackVersion, Team, VersionInputSet, VersionStatus
from runs.agents import AGENTS
from runs.engine.run_budgets import RunBudgets
from runs.jobs.queue.messages import enqueue
from runs.jobs.trials.retrying import hold, reopen
from runs.launch.dependencies import CircularDependencies, Wait, waits_of, wishes_of
from runs.launch.planning import Plan, plan_cases, sample_tasks, targets_of
from runs.launch.refusals import LaunchRefused, heed_quotas
from runs.launch.rows import PLACE, last_trials, write_trials
from runs.models import Agent, Run, Trial, TrialRecord
from runs.models.agent_connections import connection_of, connection_trouble
from runs.models.answerers import UnknownConnection, read_choices
from runs.models.runs import ALL_SETS, TESTER, ResponseCache, default_concurrency

if TYPE_CHECKING:
    import jsonschema_rs

    from packs.formats import testers
    from runs.jobs.trials import sandboxes
    from runs.launch import casting
else:
    # Few packs have conversations or programs as checkers.
    casting, testers = Later("runs.launch.casting"), Later("packs.formats.testers")
    # Few agents are programs; configurations are checked when agents are made.
    sandboxes, jsonschema_rs = Later("runs.jobs.trials.sandboxes"), Later("jsonschema_rs")

log = logging.getLogger(__name__)

MAX_TRIALS = 100
MAX_ITERATIONS = 1000
MAX_CONCURRENCY = 256
# Agents that a new team starts with, by name.
FIRST_AGENTS = {"reference": "reference", "echo": "echo", "empty": "empty"}


@dataclass(frozen=True, slots=True)
class Options:
    """How a run is to be made, beside what is run and by whom; `input_set` is an id, a key or an exact name.

    Without `trials` each case is tried as often as its pack says, which is once where it says nothing. `cases` are the
    ids of those that are tried; None stands for all. `tester` says what checkers may run (benchmark-pack 11.3).
    """

    input_set: str = ""
    name: str = ""
    trials: int | None = None
    max_iterations: int | None = None
    concurrency: int | None = None
    response_cache: str = ResponseCache.OFF
    budgets: Mapping[str, Any] = field(default_factory=dict)
    connections: Mapping[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    idempotency_key: str = ""
    request_digest: str = ""
    cases: frozenset[int] | None = None
    tester: Mapping[str, Any] = field(default_factory=dict)


def launch(user: User | None, version: PackVersion, agents: Sequence[Agent], options: Options | None = None) -> Run:
    """Make a run as `launch_once` does."""
    return launch_once(user, version, agents, options or Options())[0]


def launch_once(user: User | None, version: PackVersion, agents: Sequence[Agent], options: Options) -> tuple[Run, bool]:
    """Make a run with all its trials and send its jobs after commit; says whether it is new.

    The same idempotency key of the same user gives the run that it made before. No user stands for the operator
    of the machine. Raises LaunchRefused.
    """
    earlier = find_earlier(user, version, options)
    if earlier is not None:
        return earlier, False
    check_access(user, version)
    check_agents(version, agents)
    check_numbers(options)
    check_tester(options)
    input_set, selection = choose_input_set(version, options.input_set)
    connections = check_connections(version.pack.team, options.connections)
    check_tasks(version, input_set, agents, connections)
    try:
        with transaction.atomic():
            run = write_run(user, version, input_set, options)
            run.selection, run.connections = selection, connections
            plans = chosen_plans(plan_cases(version, input_set, options.trials), options.cases)
            heed_wishes(run, plans, options)
            write_trials(run, agents, plans, check_waits(plans))
            heed_quotas(run, run.trial_count, agents)
            run.save()
            enqueue(run)
    except IntegrityError:
        # The same key a moment ago, from another request.
        earlier = find_earlier(user, version, options)
        if earlier is None:
            raise
        return earlier, False
    return run, True


def check_tester(options: Options) -> None:
    """What checkers may run must be said as a tester configuration says it, also where the metadata says it."""
    stated = dict(options.tester) or options.metadata.get(TESTER, {})
    trouble = next(testers.check_policy(stated), None) if stated != {} else None
    if trouble is not None:
        raise LaunchRefused("invalid_tester", trouble.message)


def find_earlier(user: User | None, version: PackVersion, options: Options) -> Run | None:
    """The run that this user started before with the same idempotency key. Raises LaunchRefused where the key came
    with another request."""
    if not options.idempotency_key:
        return None
    key = options.idempotency_key[:200]
    run: Run | None = Run.objects.filter(team=version.pack.team, created_by=user, idempotency_key=key).first()
    if run and run.request_digest and options.request_digest not in ("", run.request_digest):
        raise LaunchRefused("idempotency_key_reused", f"This key started run {run.pk} with another request.")
    return run


def may_run(user: User, team: Team) -> bool:
    """Whether a user may start runs in a team."""
    roles = roles_with(Permission.RUN)
    return user.is_active and Membership.objects.filter(user=user, team=team, role__in=roles).exists()


def check_access(user: User | None, version: PackVersion) -> None:
    if user is not None and not may_run(user, version.pack.team):
        raise LaunchRefused("invalid_challenge_pack_version_id", "There is no such version that you may run.")
    if version.status != VersionStatus.RUNNABLE:
        raise LaunchRefused(
            "invalid_challenge_pack_version_id", f"Version {version.number} is {version.status}; it cannot be run."
        )


def check_agents(version: PackVersion, agents: Sequence[Agent]) -> None:
    """Agents must be given, active, of the version's team, and named once."""
    code = "invalid_agent_deployment_ids"
    if not agents:
        raise LaunchRefused(code, "Choose at least one agent.", agent_choices(version.pack.team))
    if len({agent.pk for agent in agents}) != len(agents):
        raise LaunchRefused(code, "The same agent is given twice.")
    for agent in agents:
        if agent.team_id != version.pack.team_id or agent.deleted_at or not agent.is_active or agent.kind not in AGENTS:
            raise LaunchRefused(
                code, f"{agent.name!r} is not an active agent of this team.", agent_choices(version.pack.team)
            )
        reason = unavailable_reason(agent.kind) or connection_trouble(agent.team, agent.kind, agent.config)
        if reason:
            raise LaunchRefused("agent_unavailable", f"{agent.name}: {reason}")


def target_agents(version: PackVersion, input_set: str = "") -> list[Agent]:
    """The agents that the cases of an input set are meant for, by their names; `input_set` as in `Options`.

    Raises LaunchRefused where the pack names none, or where one of them is not there.
    """
    chosen, _ = choose_input_set(version, input_set)
    targets = targets_of(version, chosen)
    missing = [target.name for target in targets if target.agent is None]
    choices = agent_choices(version.pack.team)
    if not targets:
        raise LaunchRefused("no_targets", "The pack names no agents; choose at least one.", choices)
    if missing:
        named = ", ".join(map(repr, missing))
        reported = (
            f"The pack is meant for {named}; the team has no active agent of that name. Add it, or choose others."
        )
        raise LaunchRefused("missing_targets", reported, choices)
    return [target.agent for target in targets if target.agent]


def agent_choices(team: Team) -> list[dict[str, Any]]:
    rows = Agent.objects.filter(team=team, is_active=True)
    return [{"id": row.pk, "name": row.name, "kind": row.kind} for row in rows]


def unavailable_reason(kind: str) -> str:
    """Why agents of this kind cannot run here; empty when they can."""
    return sandboxes.chosen_sandbox().obstacle() if AGENTS[kind].RUNS_PROGRAMS else ""


def config_problems(kind: str, config: Any) -> Iterator[tuple[str, str]]:
    """What is wrong with an agent's configuration: JSON Pointer and message."""
    for error in jsonschema_rs.validator_for(AGENTS[kind].SCHEMA).iter_errors(config):
        yield "".join(f"/{step}" for step in error.instance_path), error.message


def check_numbers(options: Options) -> None:
    if options.trials is not None and not 1 <= options.trials <= MAX_TRIALS:
        raise LaunchRefused("invalid_trials", f"Give 1 to {MAX_TRIALS} trials for each case.")
    if options.max_iterations is not None and not 1 <= options.max_iterations <= MAX_ITERATIONS:
        raise LaunchRefused("invalid_max_iterations", f"The step limit lies between 1 and {MAX_ITERATIONS}.")
    if options.concurrency is not None and not 1 <= options.concurrency <= MAX_CONCURRENCY:
        raise LaunchRefused("invalid_concurrency", f"Let 1 to {MAX_CONCURRENCY} trials be at work at once.")
    if options.response_cache not in ResponseCache.values:
        choices = ", ".join(ResponseCache.values)
        raise LaunchRefused("invalid_response_cache", f"The response cache is one of {choices}.")
    try:
        RunBudgets.read(options.budgets)
    except ValueError as error:
        raise LaunchRefused("invalid_budgets", f"Budgets of a run: {error}.") from error


def chosen_plans(plans: Iterable[Plan], cases: frozenset[int] | None) -> list[Plan]:
    """The plans of the chosen cases. Refuses a pack that wants more trials of a case than a run may have."""
    chosen = [plan for plan in plans if cases is None or (plan.case is not None and plan.case.pk in cases)]
    for plan in chosen:
        if plan.count > MAX_TRIALS and plan.case is not None:
            raise LaunchRefused(
                "invalid_trials",
                f"Case {plan.case.key!r} wants {plan.count} trials. Give a number of trials up to {MAX_TRIALS}.",
            )
    return chosen


def check_waits(plans: Sequence[Plan]) -> list[Wait]:
    """Which cases wait for others. Refuses those of which none could begin."""
    try:
        return waits_of(plans)
    except CircularDependencies as error:
        raise LaunchRefused("circular_dependencies", str(error)) from error


def heed_wishes(run: Run, plans: Sequence[Plan], options: Options) -> None:
    """Let a run be as its pack asks, where its launch says nothing else."""
    wishes = wishes_of(plans)
    run.concurrency = options.concurrency or wishes.workers or run.concurrency
    if options.budgets.get("cost_usd") is None:
        run.budgets |= {} if wishes.cost_usd is None else {"cost_usd": wishes.cost_usd}
    else:
        for limits in wishes.set_limits.values():
            limits.pop("cost_usd", None)
    run.set_limits = {key: limits for key, limits in wishes.set_limits.items() if limits}


def choose_input_set(version: PackVersion, given: str = "") -> tuple[VersionInputSet | None, str]:
    """The input set of a run and how it was chosen: given, all, only_one or none.

    `given` is an id, a key, or a name without regard to case; `all` names all sets at once, in formats whose runs can
    take them. Raises LaunchRefused as challenge-pack g says.
    """
    sets = list(version.input_sets.order_by("position"))
    choices = [describe_set(row) for row in sets]
    wanted = given.strip()
    takes_all = bool(sets) and adapter_of(version.pack.format).RUNS_ALL_SETS
    if takes_all:
        cases = sum(row.case_count for row in sets)
        choices.append({"id": None, "key": ALL_SETS, "name": "All input sets", "cases": cases})
    if wanted:
        found = matching_sets(sets, wanted)
        if len(found) == 1:
            return found[0], "given"
        if takes_all and not found and wanted == ALL_SETS:
            return None, ALL_SETS
        code = "invalid_challenge_input_set_id"
        if not sets:
            raise LaunchRefused(code, "This version has no input sets.")
        if found:
            raise LaunchRefused(
                code, f"Several input sets are called {wanted!r}.", [describe_set(row) for row in found]
            )
        raise LaunchRefused(code, f"This version has no input set {wanted!r}.", choices)
    if len(sets) > 1:
        raise LaunchRefused(
            "missing_challenge_input_set_id", "This version has multiple input sets; one must be named.", choices
        )
    return (sets[0], "only_one") if sets else (None, "none")


def matching_sets(sets: Sequence[VersionInputSet], wanted: str) -> list[VersionInputSet]:
    """The sets that a text means: an exact id or key wins over a name."""
    exact = [row for row in sets if str(row.pk) == wanted or row.key == wanted]
    keys = [row for row in exact if row.key == wanted]
    return keys or exact or [row for row in sets if row.name.casefold() == wanted.casefold()]


def describe_set(row: VersionInputSet) -> dict[str, Any]:
    """An input set as a choice."""
    return {"id": row.pk, "key": row.key, "name": row.name, "cases": row.case_count}


def check_connections(team: Team, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What was chosen to answer for models, in the shape of `Run.connections`. Raises LaunchRefused."""
    try:
        return read_choices(team, chosen)
    except UnknownConnection as unknown:
        raise LaunchRefused("invalid_connections", str(unknown), unknown.choices) from unknown


def check_tasks(
    version: PackVersion,
    input_set: VersionInputSet | None,
    agents: Sequence[Agent],
    connections: Mapping[str, Any],
) -> None:
    """Refuse what cannot be run here, before anything is written."""
    for task in sample_tasks(version, input_set):
        if task.environment.mode == "responses":
            check_responses(agents)
        if task.conversation is None:
            return
        reason = casting.casting_trouble(task.conversation, version.pack.team, connections, agents)
        if reason:
            raise LaunchRefused("no_connection", f"Case {task.case_key!r}: {reason}")
        for agent in agents:
            if not AGENTS[agent.kind].CONVERSES:
                raise LaunchRefused("incompatible_mode", f"{agent.name!r} cannot take part in a conversation.")


def check_responses(agents: Sequence[Agent]) -> None:
    """Agents that a model plays need an endpoint that takes such tasks (challenge-pack a.4)."""
    for agent in agents:
        connection = connection_of(agent.team, agent.kind, agent.config)
        if connection is not None and not connection.has_responses:
            raise LaunchRefused(
                "unsupported_mode",
                f"This pack is one call of the responses API, which {agent.name!r} cannot make: its connection "
                f"{connection.name!r} is not marked as having it.",
            )


def hold_pack(version: PackVersion) -> None:
    """Keep the pack of a new run out of the bin until the transaction ends. Raises LaunchRefused where it is there."""
    if not Pack.objects.select_for_update().filter(pk=version.pack_id).exists():
        raise LaunchRefused("pack_is_deleted", "The pack is in the bin; bring it back first.")


def write_run(user: User | None, version: PackVersion, input_set: VersionInputSet | None, options: Options) -> Run:
    hold_pack(version)
    return Run.objects.create(
        team=version.pack.team,
        version=version,
        input_set=input_set,
        name=options.name.strip()[:300] or f"Run {timezone.now().isoformat(timespec='seconds')}",
        trials_per_case=options.trials or 1,
        max_iterations=options.max_iterations,
        concurrency=options.concurrency or default_concurrency(),
        response_cache=options.response_cache,
        budgets=RunBudgets.read(options.budgets).as_dict(),
        idempotency_key=options.idempotency_key[:200],
        request_digest=options.request_digest,
        metadata={**options.metadata, **({TESTER: dict(options.tester)} if options.tester else {})},
        created_by=user,
    )


def add_trials(run: Run, count: int) -> int:
    """Let every agent try every case so many times more; gives how many trials that makes.

    What was there stays. A run that has ended goes on. Raises LaunchRefused.
    """
    with transaction.atomic():
        if TrialRecord.objects.filter(trial__run=run).exists():
            raise LaunchRefused("run_is_imported", "These trials took place elsewhere; import more records instead.")
        if not hold(run):
            raise LaunchRefused("run_is_ending", "This run is being stopped or scored; try again in a moment.")
        run.refresh_from_db()
        last = run.trials_per_case
        if count < 1 or last + count > MAX_TRIALS:
            most = f"{last} are there already" if last else "none are there yet"
            raise LaunchRefused("invalid_trials", f"A case can have up to {MAX_TRIALS} trials; {most}.")
        rows = [
            Trial(run=run, number=trial.number + extra, **{name: getattr(trial, name) for name in PLACE})
            for trial in last_trials(run)
            for extra in range(1, count + 1)
        ]
        Trial.objects.bulk_create(rows, batch_size=2000)
        heed_quotas(run, len(rows), Agent.objects.filter(entries__run=run))
        run.trials_per_case, run.trial_count = last + count, run.trial_count + len(rows)
        run.save(update_fields=["trials_per_case", "trial_count"])
        reopen(run)
    return len(rows)


def seed_agents(team: Team, user: User) -> None:
    """The agents that every team starts with; those that exist already are left alone."""
    for name, kind in FIRST_AGENTS.items():
        Agent.objects.get_or_create(team=team, name=name, defaults={"kind": kind, "created_by": user})
