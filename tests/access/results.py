"""What pages and endpoints about the results of a pack need."""

from typing import Any

from django.utils.timezone import now

from packs.access import Permission
from packs.formats.document import NodeKind
from runs.models import Badge, Connection, Run, SharedPage, Suggestion, Trial
from runs.results.causes import causes_of
from runs.results.trends import ended_runs
from tests.access.needs import Need, Place, Row, act, shown
from tests.access.world import World, as_json


def pack(world: World) -> list[Place]:
    return [{"team": world.team.slug, "slug": world.pack.slug}]


def made_badge(world: World) -> Badge:
    return Badge.objects.get_or_create(pack=world.pack, agent="bot", input_set="default")[0]


def badge(world: World) -> list[Place]:
    return [{**pack(world)[0], "pk": made_badge(world).pk}]


def link(world: World) -> list[Place]:
    return [{"token": made_badge(world).token}]


def made_share(world: World) -> SharedPage:
    return SharedPage.objects.get_or_create(team=world.team, subject=f"run:{world.run.pk}")[0]


def share(world: World) -> list[Place]:
    return [{"pk": made_share(world).pk}]


def shared(world: World) -> list[Place]:
    return [{"token": made_share(world).token}]


def of(world: World) -> dict[str, Any]:
    """What is shared, as a form says it."""
    return {"data": {"of": f"run:{world.run.pk}"}}


def row(world: World) -> list[Place]:
    return [{"pk": world.pack.pk}]


def version(world: World) -> list[Place]:
    return [{"pk": world.version.pk}]


def draft_case(world: World) -> list[Place]:
    return [{"pk": world.node(NodeKind.CASE).pk}]


def offer(world: World) -> dict[str, Any]:
    """A model that answers for the team of the world."""
    connection = Connection.objects.get(team=world.team)
    connection.model_list = [{"name": "small"}]
    connection.save()
    return {"connection": connection.pk, "model": "small"}


def offered(world: World) -> dict[str, Any]:
    given = offer(world)
    return {"data": {"model": f"{given['connection']}:{given['model']}"}}


def suggested(world: World) -> list[Place]:
    case = world.node(NodeKind.CASE)
    row = Suggestion.objects.create(pack=world.pack, node=case.pk, kind="wrong", text="York", verdict="failed")
    return [{"pk": row.pk}]


def cause(world: World) -> list[Place]:
    """A group of the failures of the world, which has a finished trial."""
    Trial.objects.filter(pk=world.trial.pk).update(status="failed")
    Run.objects.filter(pk=world.run.pk, finished_at=None).update(finished_at=now())
    found = causes_of(world.pack, list(ended_runs(world.pack)))
    return [{**pack(world)[0], "digest": found.groups[0].digest}]


RESULT_PAGES = {
    "runs:trends": shown(pack),
    "runs:items": shown(pack),
    "runs:judges": shown(pack),
    "runs:judge-standard": act(Permission.CURATE, pack, lambda world: {"data": {"least": "0.7"}}),
    "runs:proof": Row({"GET": Permission.READ, "POST": Permission.RUN}, pack),
    "runs:proof-rule": act(Permission.CURATE, pack, lambda world: {"data": {"needed": "true"}}),
    "runs:proof-canary": act(Permission.EDIT, pack),
    "runs:proof-report": shown(pack),
    "runs:prove-case": Row({"GET": Permission.READ, "POST": Permission.RUN}, draft_case),
    "runs:proof-note": act(Permission.EDIT, draft_case, lambda world: {"data": {"code": "leaks", "reason": "x"}}),
    "runs:proof-answer": act(Permission.EDIT, draft_case, lambda world: {"data": {"name": "wrong", "text": "x"}}),
    "runs:causes": shown(pack),
    "runs:cause": shown(cause),
    "runs:cause-name": act(Permission.EDIT, cause, lambda world: {"data": {"name": "Wrong depot"}}),
    "runs:cause-cases": act(Permission.EDIT, cause, lambda world: {"data": {"case": "0"}}),
    "runs:badge-new": act(Permission.CURATE, pack, lambda world: {"data": {"agent": "bot", "set": "default"}}),
    "runs:badge-delete": act(Permission.CURATE, badge),
    "runs:badge": Row({"GET": Need.LINK}, link),
    "runs:badge-proof": Row({"GET": Need.LINK}, link),
    "runs:badge-proof-set": Row({"GET": Need.LINK}, link),
    "runs:badge-trend": Row({"GET": Need.LINK}, link),
    "runs:shares": Row({"GET": Permission.READ}, sends={"GET": of}),
    "runs:share-file": Row({"GET": Permission.READ}, sends={"GET": of}),
    "runs:share-new": act(Permission.CURATE, send=of),
    "runs:share-end": act(Permission.CURATE, share),
    "runs:shared": Row({"GET": Need.LINK}, shared),
}
RESULT_ENDPOINTS = {
    "runs-api:pack-results": shown(row),
    "runs-api:pack-items": shown(row),
    "runs-api:pack-failures": shown(row),
    "runs-api:pack-proof": Row(
        {"GET": Permission.READ, "POST": Permission.RUN}, row, {"POST": lambda world: as_json({})}
    ),
    "runs-api:pack-proof-cases": shown(row),
    "runs-api:pack-proof-junit": shown(row),
    "runs-api:pack-proof-strengths": shown(row),
    "runs-api:case-proof": Row(
        {"GET": Permission.READ, "POST": Permission.RUN},
        draft_case,
        {"POST": lambda world: as_json({})},
        content=frozenset({422}),
    ),
    "runs-api:version-proof": Row({"GET": Permission.READ, "POST": Permission.RUN}, version),
    "runs-api:shares": Row(
        {"GET": Permission.CURATE, "POST": Permission.CURATE},
        sends={"GET": of, "POST": lambda world: as_json({"of": f"run:{world.run.pk}"})},
    ),
    "runs-api:share-file": Row({"GET": Permission.READ}, sends={"GET": of}),
    "runs-api:share": Row({"DELETE": Permission.CURATE}, share),
    "runs-api:pack-judges": Row(
        {"GET": Permission.READ, "PUT": Permission.CURATE}, row, {"PUT": lambda world: as_json({"least_kappa": 0.7})}
    ),
}
