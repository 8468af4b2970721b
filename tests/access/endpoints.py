"""What every endpoint of the API needs. A new endpoint gets its row here."""

from packs.access import Permission
from packs.formats.document import NodeKind
from tests.access.gates import GATE_ENDPOINTS
from tests.access.needs import InSomeTeam, Need, Place, Row, act, shown
from tests.access.pages import agent, connection, draft_case, either_run, export_job, kept, rescored, run, trial
from tests.access.results import RESULT_ENDPOINTS, offer, suggested
from tests.access.reviews import REVIEW_ENDPOINTS
from tests.access.teams import TEAM_ENDPOINTS, in_bin
from tests.access.world import World, as_json, ask_person, tried_in

READ, EDIT, REVIEW, RUN, CURATE, ADMINISTER = (
    Permission.READ,
    Permission.EDIT,
    Permission.REVIEW,
    Permission.RUN,
    Permission.CURATE,
    Permission.ADMINISTER,
)
COLLECTIONS = {
    "challenges": NodeKind.CHALLENGE,
    "input-sets": NodeKind.INPUT_SET,
    "cases": NodeKind.CASE,
    "assets": NodeKind.ASSET,
}


def pack(world: World) -> list[Place]:
    return [{"pk": world.pack.pk}]


def comment(world: World) -> list[Place]:
    return [{"pk": world.comment.pk}]


def checkpoint(world: World) -> list[Place]:
    return [{"pk": world.pack.checkpoints.create(revision=world.pack.revision, name="Now").pk}]


def proposal(world: World) -> list[Place]:
    return [{"pk": world.proposal.pk}]


def version(world: World) -> list[Place]:
    return [{"pk": world.version.pk}]


def acts(pk: str, *names: str):
    """Addresses of acts on the pack or the version."""
    return lambda world: [{"pk": getattr(world, pk).pk, "act": name} for name in names]


def collections(world: World) -> list[Place]:
    return [{"pk": world.pack.pk, "collection": name} for name in COLLECTIONS]


def sets(world: World) -> list[Place]:
    return [{"pk": world.node(kind).pk, "collection": name} for name, kind in COLLECTIONS.items()]


def asset(world: World) -> list[Place]:
    return [{"pk": world.node(NodeKind.ASSET).pk}]


def upload(world: World) -> dict:
    return {
        "data": world.text,
        "content_type": "application/yaml",
        "query_params": {"team": world.team.slug, "slug": "new"},
    }


def a_table(asked: dict) -> dict:
    return {"data": b"question,answer\nWhy?,so\n", "content_type": "text/csv", "query_params": asked}


def changes(world: World) -> dict:
    case = world.node(NodeKind.CASE)
    change = {"kind": "case", "node": case.pk, "pointer": "/x-note", "value": "new"}
    return as_json({"changes": [change]})


def case_changes(world: World) -> dict:
    pk = world.node(NodeKind.INPUT_SET).pk
    return as_json({"input_set": pk, "act": "remove", "where": {}, "dry_run": True})


def launch(world: World) -> dict:
    return as_json({"challenge_pack_version_id": world.version.pk, "agent_deployment_ids": [world.agent.pk]})


NOT_BOUND = frozenset({404})
AUTHORING = {
    "packs-api:teams": Row({"GET": Need.ACCOUNT}),
    "packs-api:audit": Row({"GET": InSomeTeam(CURATE)}, key="curate"),
    "packs-api:packs": Row(
        {"GET": Need.ACCOUNT, "POST": EDIT},
        sends={"POST": lambda world: as_json({"team": world.team.slug, "title": "New"})},
    ),
    "packs-api:pack-import": act(EDIT, send=upload),
    "packs-api:pack-from-git": act(
        ADMINISTER,
        send=lambda world: as_json(
            {"team": world.team.slug, "address": "https://git.example.org/a.git", "branch": "main"}
        ),
        content=frozenset({422}),
    ),
    "packs-api:pack-from-table": act(EDIT, send=lambda world: a_table({"team": world.team.slug, "title": "New table"})),
    "packs-api:pack-table": act(
        EDIT, pack, lambda world: a_table({"input_set": world.node(NodeKind.INPUT_SET).pk, "errors": "true"})
    ),
    "packs-api:pack-import-confirm": act(Need.OWNER, send=lambda world: as_json({"token": world.upload}), key=EDIT),
    "packs-api:pack": Row(
        {"GET": READ, "PUT": EDIT},
        pack,
        {"PUT": lambda world: as_json({"document": world.pack.document}, **{"If-Match": "*"})},
    ),
    "packs-api:pack-findings": shown(pack),
    "packs-api:pack-export": shown(pack),
    "packs-api:pack-source": shown(pack),
    "packs-api:pack-arrangement": Row(
        {"GET": READ, "POST": EDIT},
        pack,
        {"POST": lambda world: as_json({"input_set": 1, "how": "rows"})},
        content=frozenset({404, 422}),
    ),
    "packs-api:pack-git": Row(
        {"GET": READ, "PUT": ADMINISTER, "DELETE": ADMINISTER},
        pack,
        {"PUT": lambda world: as_json({"address": "https://git.example.org/a.git", "branch": "main"})},
        content=frozenset({404, 422}),
    ),
    "packs-api:pack-git-look": act(EDIT, pack, content=NOT_BOUND),
    "packs-api:pack-git-pull": act(EDIT, pack, lambda world: as_json({"commit": "1"}), content=NOT_BOUND),
    "packs-api:pack-git-push": act(CURATE, pack, lambda world: as_json({"message": "why"}), content=NOT_BOUND),
    "packs-api:pack-publish": act(CURATE, pack, lambda world: as_json({"number": 2})),
    "packs-api:pack-fixes": Row(
        {"GET": READ, "POST": EDIT},
        pack,
        {"POST": lambda world: as_json({"code": "challenge_pack.W005"}, **{"If-Match": "*"})},
        content=frozenset({404, 422}),
    ),
    "packs-api:pack-rename": Row(
        {"GET": READ, "POST": EDIT},
        pack,
        {"POST": lambda world: as_json({"what": "input", "name": "gone", "new": "here"})},
        content=frozenset({404, 422}),
    ),
    "packs-api:pack-changes": act(EDIT, pack, changes),
    "packs-api:case-changes": act(EDIT, pack, case_changes),
    "packs-api:jobs": Row({"GET": Need.ACCOUNT}),
    "packs-api:job": Row({"GET": Need.OWNER}, export_job),
    "packs-api:job-cancel": act(Need.OWNER, export_job, content=frozenset({409})),
    "packs-api:job-file": Row({"GET": Need.OWNER}, export_job),
    "packs-api:pack-history": shown(pack),
    "packs-api:pack-difference": shown(pack),
    "packs-api:pack-proposals": Row(
        {"GET": READ, "POST": EDIT}, pack, {"POST": lambda world: as_json({"title": "New"})}
    ),
    "packs-api:pack-judge": act(
        REVIEW, pack, lambda world: as_json({"approves": False, "revision": world.pack.revision})
    ),
    "packs-api:proposal": shown(proposal),
    "packs-api:proposal-ask": act(EDIT, proposal),
    "packs-api:proposal-close": act(EDIT, proposal),
    "packs-api:proposal-merge": act(EDIT, proposal, lambda world: as_json({})),
    "packs-api:proposal-take-in": act(EDIT, proposal, lambda world: as_json({}), content=frozenset({422})),
    "packs-api:pack-comments": Row(
        {"GET": READ, "POST": REVIEW},
        pack,
        {"POST": lambda world: as_json({"kind": "pack", "node": world.pack.pk, "text": "Why?"})},
    ),
    "packs-api:comment": act(REVIEW, comment, lambda world: as_json({"act": "done"})),
    "packs-api:pack-restore": act(EDIT, pack, lambda world: as_json({"state": "r1"})),
    "packs-api:pack-checkpoints": Row(
        {"GET": READ, "POST": EDIT}, pack, {"POST": lambda world: as_json({"name": "Now"})}
    ),
    "packs-api:checkpoint": Row({"DELETE": EDIT}, checkpoint),
    "packs-api:pack-versions": shown(pack),
    "packs-api:pack-undo": act(EDIT, acts("pack", "undo", "redo"), content=frozenset({422})),
    "packs-api:pack-life": act(CURATE, acts("pack", "archive", "deprecate", "restore")),
    "packs-api:nodes": Row(
        {"GET": READ, "POST": EDIT},
        collections,
        {"POST": lambda world: as_json({"input_set": world.node(NodeKind.INPUT_SET).pk})},
    ),
    "packs-api:node": Row(
        {"GET": READ, "PUT": EDIT, "DELETE": EDIT},
        sets,
        {
            "PUT": lambda world: as_json({"document": {"key": "new"}}, **{"If-Match": "*"}),
            "DELETE": lambda world: {"headers": {"If-Match": "*"}},
        },
    ),
    "packs-api:asset-content": Row(
        {"GET": READ, "PUT": EDIT},
        asset,
        {"PUT": lambda world: {"data": b"new", "content_type": "application/octet-stream"}},
    ),
    "packs-api:version": shown(version),
    "packs-api:version-input-sets": shown(version),
    "packs-api:version-cases": shown(version),
    "packs-api:version-export": shown(version),
    "packs-api:version-life": act(CURATE, acts("version", "deprecate", "archive", "restore")),
    "packs-api:version-case": shown(lambda world: [{"pk": world.case.pk}]),
}
RUNNING = {
    "runs-api:agents": Row(
        {"GET": Need.ACCOUNT, "POST": ADMINISTER},
        sends={"POST": lambda world: as_json({"team": world.team.slug, "name": "new", "kind": "reference"})},
    ),
    "runs-api:agent-kinds": Row({"GET": Need.ACCOUNT}),
    "runs-api:agent": Row(
        {"GET": READ, "PATCH": ADMINISTER, "DELETE": ADMINISTER},
        agent,
        {"PATCH": lambda world: as_json({"name": "renamed"})},
        # A run of the world's agent has not ended.
        content=frozenset({409}),
    ),
    "runs-api:connections": Row(
        {"GET": Need.ACCOUNT, "POST": ADMINISTER},
        sends={
            "POST": lambda world: as_json(
                {"team": world.team.slug, "name": "new", "base_url": "https://api.example.org/v1"}
            )
        },
    ),
    "runs-api:connection": Row(
        {"GET": READ, "PATCH": ADMINISTER},
        connection,
        {"PATCH": lambda world: as_json({"is_active": False})},
        content=frozenset({422}),
    ),
    "runs-api:connection-test": act(ADMINISTER, connection, lambda world: as_json({"model": "small"})),
    **TEAM_ENDPOINTS,
    "runs-api:deletion": Row(
        {"GET": CURATE, "POST": CURATE},
        lambda world: [{"kind": "pack", **pack(world)[0]}],
        content=frozenset({409}),
    ),
    "runs-api:bin": Row({"GET": READ}, lambda world: [{"team": in_bin(world)[0]["team"], "kind": "pack"}]),
    "runs-api:bin-act": act(CURATE, lambda world: [{**in_bin(world)[0], "act": "restore"}]),
    "runs-api:team-quotas": Row(
        {"GET": READ, "PATCH": ADMINISTER},
        lambda world: [{"team": world.team.slug}],
        {"PATCH": lambda world: as_json({"quota_trials_per_day": 100_000})},
    ),
    "runs-api:secrets": Row(
        {"GET": Need.ACCOUNT, "POST": ADMINISTER},
        sends={"POST": lambda world: as_json({"team": world.team.slug, "name": "NEW", "value": "numbats"})},
        key=ADMINISTER,
    ),
    "runs-api:secret": Row({"DELETE": ADMINISTER}, kept),
    # A version that is out of sight is a wrong value of the request (challenge-pack g).
    "runs-api:runs": Row({"GET": Need.ACCOUNT, "POST": RUN}, sends={"POST": launch}, absent=400),
    "runs-api:run": shown(either_run),
    "runs-api:run-comparison": shown(
        sends={"GET": lambda world: {"query_params": {"ids": f"{world.run.pk},{world.waiting.pk}"}}}
    ),
    "runs-api:run-agents": shown(run),
    "runs-api:trials": shown(run),
    "runs-api:run-metrics": shown(run),
    "runs-api:run-summary": shown(run),
    "runs-api:run-cases": shown(run),
    "runs-api:version-targets": shown(version),
    "runs-api:run-cancel": act(RUN, either_run, content=frozenset({409})),
    "runs-api:run-pause": act(RUN, either_run, content=frozenset({409})),
    "runs-api:run-resume": act(RUN, either_run, content=frozenset({409})),
    "runs-api:run-retry": act(RUN, either_run, lambda world: as_json({"which": "failed"}), content=frozenset({409})),
    "runs-api:run-more": act(RUN, run, lambda world: as_json({"count": 1})),
    "runs-api:run-rescores": Row({"GET": READ, "POST": RUN}, run, {"POST": lambda world: as_json({})}),
    "runs-api:run-rescore-estimate": shown(run),
    "runs-api:rescore": shown(rescored),
    "runs-api:rescore-results": shown(rescored),
    "runs-api:rescore-comparison": shown(rescored),
    "runs-api:rescore-cancel": act(RUN, rescored, content=frozenset({409})),
    "runs-api:rescore-adopt": act(RUN, rescored, content=frozenset({409})),
    "runs-api:turns": Row({"GET": Need.ACCOUNT}),
    "runs-api:turn": shown(lambda world: [{"pk": ask_person(world).pk}]),
    "runs-api:turn-answer": act(
        Permission.ANSWER,
        lambda world: [{"pk": ask_person(world).pk}],
        lambda world: as_json({"text": "Hello"}),
        content=frozenset({409}),
    ),
    "runs-api:case-tryouts": Row(
        {"GET": READ, "POST": RUN}, draft_case, {"POST": lambda world: as_json({"output": "x"})}
    ),
    "runs-api:case-suggestions": Row(
        {"GET": READ, "POST": RUN}, draft_case, {"POST": lambda world: as_json(offer(world))}
    ),
    "runs-api:suggestion": act(Permission.EDIT, suggested, lambda world: as_json({"decision": "dismiss"})),
    "runs-api:tryout": shown(lambda world: [{"pk": tried_in(world).pk}]),
    "runs-api:run-export": shown(run),
    "runs-api:run-agent": shown(lambda world: [{"pk": world.run.agents.get().pk}]),
    "runs-api:trial": shown(trial),
    "runs-api:trial-attempts": shown(trial),
    "runs-api:trial-trace": shown(trial),
    "runs-api:run-import": act(
        RUN,
        send=lambda world: {"query_params": {"version": world.version.pk}, "data": b"{}", "content_type": "text/plain"},
        content=frozenset({422}),
    ),
    "runs-api:trial-case": act(EDIT, trial, lambda world: as_json({"pack": world.pack.pk, "anyway": True})),
    "runs-api:trial-events": shown(trial),
    "runs-api:trial-replay": shown(trial),
    "runs-api:trial-transcript": shown(trial),
    "runs-api:trial-scorecard": shown(trial),
    "runs-api:trial-stored": shown(trial),
}
UNKNOWN = Row(
    dict.fromkeys(("GET", "POST", "PUT", "PATCH", "DELETE"), Need.NOTHING),
    lambda world: [{"rest": "v1/nowhere/"}],
    content=frozenset({404}),
)
ENDPOINTS = {
    **GATE_ENDPOINTS,
    **RESULT_ENDPOINTS,
    **REVIEW_ENDPOINTS,
    **AUTHORING,
    **RUNNING,
    "api-schema": Row({"GET": Need.NOTHING}),
    "api-reference": Row({"GET": Need.ACCOUNT}),
    "api-unknown": UNKNOWN,
}
