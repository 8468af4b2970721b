"""What pages and endpoints of gates need."""

from packs.access import Permission
from runs.jobs.gating.checks import judge, keep
from runs.models import GateCheck, GateRequest, GateSchedule, Release
from tests.access.needs import Need, Place, Row, act, shown
from tests.access.world import World, as_json

READ, RUN, CURATE = Permission.READ, Permission.RUN, Permission.CURATE
MERGE = "ci_merge_gate"
FORM = {"baseline": "target_branch", "suites": "golden", "blocking": "on"}


def made_check(world: World) -> GateCheck:
    """A kept verdict on the run of a world."""
    known = GateCheck.objects.filter(run=world.run).first()
    return known or keep(judge(world.run, MERGE), world.token.user)


def made_schedule(world: World) -> GateSchedule:
    fields = {"agent": world.agent, "owner": world.token.user, "branch": world.secret, "is_on": False}
    return GateSchedule.objects.get_or_create(pack=world.pack, defaults=fields)[0]


def check(world: World) -> list[Place]:
    return [{"pk": made_check(world).pk}]


def made_release(world: World) -> Release:
    return world.pack.releases.first() or world.pack.releases.create(run=made_check(world).run, name=world.secret)


def release(world: World) -> list[Place]:
    return [{"pk": made_check(world).pk, "release": made_release(world).pk}]


def release_of_run(world: World) -> list[Place]:
    row = made_release(world)
    return [{"pk": row.run_id, "release": row.pk}]


def schedule(world: World) -> list[Place]:
    return [{"pk": made_schedule(world).pk}]


def run(world: World) -> list[Place]:
    return [{"pk": world.run.pk}]


def requested(world: World) -> list[Place]:
    made_check(world)
    GateRequest.objects.get_or_create(run=world.run, gate=MERGE)
    return run(world)


def trial(world: World) -> list[Place]:
    return [{"pk": world.trial.pk}]


def pack(world: World) -> list[Place]:
    return [{"team": world.team.slug, "slug": world.pack.slug}]


def gate(world: World) -> list[Place]:
    return [{**pack(world)[0], "gate": "merge"}]


def start(world: World) -> dict:
    return {"data": {"agent": world.agent.pk}}


def schedule_form(world: World) -> dict:
    return {"data": {"agent": world.agent.pk, "at": "02:00", "weekdays": ["1"], "zone": "UTC"}}


def new_run(world: World) -> dict:
    return as_json({"pack": world.pack.slug, "team": world.team.slug, "agent": world.agent.name})


def new_schedule(world: World) -> dict:
    return as_json({"pack": world.pack.pk, "agent": world.agent.name})


GATE_PAGES = {
    "runs:gates": shown(pack),
    "runs:gate": shown(gate),
    "runs:gate-policy": Row({"GET": READ, "POST": CURATE}, gate, {"POST": lambda world: {"data": FORM}}),
    "runs:gate-start": act(RUN, gate, start),
    "runs:gate-schedule-new": Row({"GET": RUN, "POST": RUN}, gate, {"POST": schedule_form}, content=frozenset({422})),
    "runs:gate-schedule": Row({"GET": READ, "POST": RUN}, schedule, {"POST": schedule_form}, content=frozenset({422})),
    "runs:gate-schedule-delete": act(RUN, schedule),
    "runs:gate-check": shown(check),
    "runs:gate-junit": shown(check),
    "runs:gate-preview": Row({"GET": READ, "POST": READ}, check, {"POST": lambda world: {"data": FORM}}),
    "runs:gate-release": act(CURATE, check, lambda world: {"data": {"name": "1.0"}}),
    "runs:gate-release-delete": act(CURATE, release),
    "runs:failing-step": shown(trial),
    "runs:run-gates": Row({"GET": READ, "POST": RUN}, run, {"POST": lambda world: {"data": {"gate": MERGE}}}),
}
GATE_ENDPOINTS = {
    # A pack that is out of sight is a wrong value of the request, as when a run is started.
    "runs-api:gate-runs": Row({"POST": RUN}, sends={"POST": new_run}, absent=400),
    "runs-api:gate-run": shown(requested),
    "runs-api:gate-run-junit": shown(requested),
    "runs-api:run-gate-checks": Row(
        {"GET": READ, "POST": RUN}, run, {"POST": lambda world: as_json({"gate": "merge"})}
    ),
    "runs-api:gate-checks": Row({"GET": Need.ACCOUNT}),
    "runs-api:gate-check": shown(check),
    "runs-api:gate-check-junit": shown(check),
    "runs-api:run-releases": Row({"GET": READ, "POST": CURATE}, run, {"POST": lambda world: as_json({"name": "1.0"})}),
    "runs-api:run-release": Row({"DELETE": CURATE}, release_of_run),
    "runs-api:pack-gate": Row(
        {"GET": READ, "PUT": CURATE},
        lambda world: [{"pk": world.pack.pk, "gate": "merge"}],
        {"PUT": lambda world: as_json({"section": {}})},
    ),
    "runs-api:gate-schedules": Row({"GET": Need.ACCOUNT, "POST": RUN}, sends={"POST": new_schedule}),
    "runs-api:gate-schedule": Row(
        {"GET": READ, "PATCH": RUN, "DELETE": RUN}, schedule, {"PATCH": lambda world: as_json({"hour": 3})}
    ),
}
