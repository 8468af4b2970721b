"""What every page, fragment and file needs. A new page gets its row here."""

from collections.abc import Iterable

from packs import blobs
from packs.access import Permission
from packs.formats.document import NodeKind
from packs.models import Job
from packs.views.workbench.addresses import PACK
from tests.access.gates import GATE_PAGES
from tests.access.needs import InSomeTeam, Need, Place, Row, act, shown
from tests.access.results import RESULT_PAGES, draft_case, offered, suggested
from tests.access.reviews import REVIEW_PAGES
from tests.access.teams import TEAM_PAGES
from tests.access.world import World, ask_person, text_of, tried_in

READ, EDIT, REVIEW, RUN, CURATE, ADMINISTER = (
    Permission.READ,
    Permission.EDIT,
    Permission.REVIEW,
    Permission.RUN,
    Permission.CURATE,
    Permission.ADMINISTER,
)
INSIDE = (NodeKind.CHALLENGE, NodeKind.INPUT_SET, NodeKind.CASE, NodeKind.ASSET)


def pack(world: World) -> list[Place]:
    return [{"team": world.team.slug, "slug": world.pack.slug}]


def below(**given: Iterable[object]):
    """Addresses below that of the pack, one for each value of the argument that is given."""
    ((name, values),) = given.items()
    return lambda world: [{**pack(world)[0], name: value} for value in values]


def inside(world: World, *kinds: NodeKind) -> list[Place]:
    """The address of a node of each kind."""
    return [{**pack(world)[0], "ref": world.ref(kind)} for kind in kinds or INSIDE]


def nodes(world: World) -> list[Place]:
    return [*inside(world), {**pack(world)[0], "ref": PACK}]


def asset(world: World) -> list[Place]:
    return inside(world, NodeKind.ASSET)


def rows_file(world: World) -> list[Place]:
    return inside(world, NodeKind.INPUT_SET)


def cases(world: World) -> list[Place]:
    return inside(world, NodeKind.CASE)


def cell(world: World) -> dict:
    return {"data": {"at": "/case_key", "text": "renamed", "seen": world.pack.revision}}


def export_job(world: World) -> list[Place]:
    """A finished export of the author's."""
    columns = {"team": world.team, "pack": world.pack, "user": world.token.user, "kind": "export"}
    values = {"title": "Export", "status": "completed", "outcome": {"name": "a.zip", "size": 1}}
    return [{"pk": Job.objects.get_or_create(**columns, defaults={**values, "blob": blobs.put(b"x")})[0].pk}]


def proposal(world: World) -> list[Place]:
    return [{**pack(world)[0], "number": world.proposal.number}]


def comment(world: World) -> list[Place]:
    return [{**pack(world)[0], "pk": world.comment.pk}]


def version(world: World) -> list[Place]:
    return [{**pack(world)[0], "number": world.version.number}]


def version_case(world: World) -> list[Place]:
    return [{**version(world)[0], "pk": world.case.pk}]


def run(world: World) -> list[Place]:
    return [{"pk": world.run.pk}]


def either_run(world: World) -> list[Place]:
    return [{"pk": world.run.pk}, {"pk": world.waiting.pk}]


def rescored(world: World) -> list[Place]:
    return [{"pk": world.run.rescores.get().pk}]


def trial(world: World) -> list[Place]:
    return [{"pk": world.trial.pk}]


def agent(world: World) -> list[Place]:
    return [{"pk": world.agent.pk}]


def connection(world: World) -> list[Place]:
    return [{"pk": world.connection.pk}]


def kept(world: World) -> list[Place]:
    return [{"pk": world.kept.pk}]


def new_pack(world: World) -> dict:
    answers = {"question": "Where?", "answer": "Leeds", "check": "contains"}
    return {"data": {"team": world.team.pk, "title": "New", "slug": "new", "start": "blank:challenge_pack", **answers}}


def seen(world: World) -> dict:
    return {"data": {"at": "", "seen": world.pack.revision, "text": ""}}


def choice(world: World) -> dict:
    return {"data": {"version": world.version.pk, "agent": world.agent.pk, "set": world.secret}}


SITE = {
    "studio:home": Row({"GET": Need.ACCOUNT}),
    "studio:sign-in": Row({"GET": Need.NOTHING, "POST": Need.NOTHING}, content=frozenset({422})),
    # The studio of the walk has no directory; tests/studio/oidc has one.
    "studio:oidc": Row({"GET": Need.NOTHING}, content=frozenset({404})),
    "studio:oidc-answer": Row({"GET": Need.NOTHING}, content=frozenset({404})),
    "studio:sign-in-code": Row({"GET": Need.NOTHING, "POST": Need.NOTHING}),
    "studio:second-factor": Row({"GET": Need.ACCOUNT, "POST": Need.ACCOUNT}, content=frozenset({422})),
    "studio:second-factor-codes": act(Need.ACCOUNT),
    "studio:second-factor-end": act(Need.ACCOUNT),
    "studio:oidc-connect": act(Need.ACCOUNT, content=frozenset({404})),
    "studio:oidc-disconnect": act(Need.ACCOUNT, content=frozenset({404})),
    # People who are signed in and led here are not staff.
    "sign-in-for-staff": Row({"GET": Need.ACCOUNT, "POST": Need.ACCOUNT}, content=frozenset({403})),
    "studio:sign-out": act(Need.NOTHING),
    "studio:theme": act(Need.NOTHING),
    "studio:account": Row({"GET": Need.ACCOUNT}),
    "studio:password": act(Need.ACCOUNT, content=frozenset({422})),
    "studio:address": act(Need.ACCOUNT, content=frozenset({404})),
    "studio:session-end": act(Need.OWNER, lambda world: [{"pk": world.sign_in.pk}]),
    "studio:sessions-end-others": act(Need.ACCOUNT),
    "studio:token-create": act(Need.ACCOUNT, send=lambda world: {"data": {"name": "new"}}),
    "studio:token-delete": act(Need.OWNER, lambda world: [{"pk": world.token.pk}]),
    "studio:search": Row({"GET": Need.ACCOUNT}, sends={"GET": lambda world: {"data": {"q": "parcels"}}}),
    "studio:workers": Row({"GET": Need.ACCOUNT}),
    "policy-reports": act(Need.NOTHING, content=frozenset({415})),
    "healthz": Row({"GET": Need.NOTHING}),
    "readyz": Row({"GET": Need.NOTHING}),
    "metrics": Row({"GET": Need.STAFF}),
    "studio:ops": Row({"GET": Need.STAFF}),
}
AUTHORING = {
    "packs:catalogue": Row({"GET": Need.ACCOUNT}),
    "packs:import": Row(
        {"GET": InSomeTeam(EDIT), "POST": InSomeTeam(EDIT)},
        # The team of the form is one of the user's own; another one is content that is refused.
        sends={"POST": lambda world: {"data": {"team": world.team.pk, "text": text_of("numbat")}}},
        content=frozenset({422}),
    ),
    "packs:import-confirm": act(Need.OWNER, send=lambda world: {"data": {"token": world.upload}}, absent=409),
    "packs:job": Row({"GET": Need.OWNER}, export_job),
    "packs:job-cancel": act(Need.OWNER, export_job),
    "packs:job-file": Row({"GET": Need.OWNER}, export_job),
    "packs:export-prepare": act(READ, pack),
    "packs:new": Row(
        {"GET": InSomeTeam(EDIT), "POST": InSomeTeam(EDIT)}, sends={"POST": new_pack}, content=frozenset({422})
    ),
    "packs:new-table": Row(
        {"GET": InSomeTeam(EDIT), "POST": InSomeTeam(EDIT)},
        sends={"POST": lambda world: {"data": {"team": world.team.pk, "text": "question,answer\nWhy?,so\n"}}},
        content=frozenset({422}),
    ),
    "packs:new-git": Row(
        {"GET": InSomeTeam(ADMINISTER), "POST": InSomeTeam(ADMINISTER)},
        sends={"POST": lambda world: {"data": {"team": world.team.pk, "address": "https://git.example.org/a.git"}}},
        content=frozenset({422}),
    ),
    "packs:overview": shown(pack),
    "packs:thread": shown(pack),
    "packs:publish": Row(
        {"GET": REVIEW, "POST": CURATE}, pack, {"POST": lambda world: {"data": {"number": 2, "notes": ""}}}
    ),
    "packs:export": shown(pack),
    "packs:export-as": shown(below(shape=("file", "zip", "preserved"))),
    # The format of the pack has one variant and one way to keep cases.
    "packs:export-variant": shown(below(variant=("pinned",)), content=frozenset({404})),
    "packs:arrangement": Row(
        {"GET": READ, "POST": EDIT}, pack, {"POST": lambda world: {"data": {"how": "rows"}}}, content=frozenset({422})
    ),
    "packs:origins": shown(pack),
    "packs:source": shown(pack),
    "packs:life": act(CURATE, below(act=("archive", "deprecate", "restore"))),
    "packs:changes": shown(pack),
    "packs:restore": act(EDIT, pack),
    "packs:git": Row({"GET": READ, "POST": ADMINISTER}, pack, content=frozenset({422})),
    "packs:git-act": act(EDIT, lambda world: [{**pack(world)[0], "what": "look"}]),
    "packs:proposals": Row({"GET": READ, "POST": EDIT}, pack, {"POST": lambda world: {"data": {"title": "New"}}}),
    "packs:proposal": shown(proposal),
    "packs:proposal-act": act(EDIT, lambda world: [{**proposal(world)[0], "what": "ask"}]),
    "packs:judge": act(REVIEW, pack, lambda world: {"data": {"act": "return", "revision": world.pack.revision}}),
    "packs:approval-rule": act(CURATE, pack),
    "packs:comments": shown(pack),
    "packs:comment": act(REVIEW, comment, lambda world: {"data": {"act": "done"}}),
    "packs:versions": shown(pack),
    "packs:version": shown(version),
    "packs:version-status": act(CURATE, version, lambda world: {"data": {"status": "archived"}}),
    "packs:version-case": shown(version_case),
}
WORKBENCH = {
    "packs:edit": shown(pack),
    "packs:edit-problems": shown(pack),
    "packs:edit-history": shown(pack),
    "packs:edit-comments": Row(
        {"GET": READ, "POST": REVIEW}, nodes, {"POST": lambda world: {"data": {"text": "Why?"}}}
    ),
    "packs:edit-checkpoint": act(EDIT, pack, lambda world: {"data": {"name": "Before the review"}}),
    "packs:edit-slices": shown(pack),
    # The format of the pack has no metadata.
    "packs:edit-slices-rename": act(
        EDIT, pack, lambda world: {"data": {"key": "/metadata/level"}}, content=frozenset({404})
    ),
    "packs:edit-metadata": Row({"GET": READ, "POST": EDIT}, cases, {"POST": seen}, content=frozenset({404})),
    "packs:edit-whole": Row({"GET": READ, "POST": EDIT}, pack, {"POST": seen}, content=frozenset({422})),
    "packs:edit-whole-lint": act(READ, pack, lambda world: {"data": {"text": "pack: {}"}}),
    "packs:edit-rename": Row(
        {"GET": EDIT, "POST": EDIT},
        pack,
        {"POST": lambda world: {"data": {"what": "input", "old": "gone", "new": "here"}}},
        content=frozenset({404}),
    ),
    "packs:edit-undo": act(EDIT, pack),
    "packs:edit-redo": act(EDIT, pack),
    "packs:edit-add": act(
        EDIT,
        below(room=("challenges", "sets", "cases", "assets")),
        lambda world: {"data": {"input_set": world.node(NodeKind.INPUT_SET).pk}},
    ),
    "packs:edit-node": Row({"GET": READ, "POST": EDIT}, nodes, {"POST": seen}, content=frozenset({422})),
    "packs:edit-field": act(EDIT, nodes, seen),
    "packs:edit-recheck": act(EDIT, nodes),
    "packs:edit-presence": shown(nodes),
    "packs:edit-act": act(EDIT, inside, lambda world: {"data": {"act": "duplicate"}}),
    "packs:edit-fixes": Row({"GET": EDIT}, nodes),
    "packs:edit-fix": act(EDIT, nodes, lambda world: {"data": {"code": "pack.E1", "at": "/key"}}),
    "packs:edit-problems-fixes": Row({"GET": EDIT}, pack),
    "packs:edit-fix-kind": act(EDIT, pack, lambda world: {"data": {"code": "pack.E1"}}),
    "packs:edit-gallery": Row({"GET": EDIT, "POST": EDIT}, nodes, content=frozenset({404})),
    "packs:edit-lens": shown(nodes),
    "packs:edit-files": Row(
        {"GET": READ, "POST": EDIT}, pack, {"POST": lambda world: {"data": {"root": "", "file": ""}}}
    ),
    "packs:edit-sides": shown(lambda world: inside(world, NodeKind.CASE)),
    "packs:edit-yaml": act(EDIT, nodes, seen, content=frozenset({422})),
    "packs:edit-lint": act(READ, nodes, seen),
    "packs:edit-cases": shown(lambda world: inside(world, NodeKind.INPUT_SET)),
    "packs:edit-rows": shown(rows_file),
    "packs:edit-rows-columns": act(READ, rows_file, lambda world: {"data": {"columns": ["/payload/city"]}}),
    "packs:edit-rows-bulk": Row(
        {"GET": READ, "POST": EDIT}, rows_file, {"POST": lambda world: {"data": {"act": "edit", "scope": "all"}}}
    ),
    "packs:edit-rows-table": Row(
        {"GET": EDIT, "POST": EDIT}, rows_file, {"POST": lambda world: {"data": {"text": "case_key\nnew\n"}}}
    ),
    "packs:edit-rows-fixes": Row({"GET": EDIT}, rows_file),
    "packs:edit-rows-csv": shown(rows_file),
    "packs:edit-cell": Row({"GET": READ}, cases, {"GET": cell}),
    "packs:edit-cell-check": act(EDIT, cases, cell),
    "packs:edit-cell-save": act(EDIT, cases, cell),
    "packs:edit-upload": act(EDIT, asset, lambda world: {"data": {"clear": "1"}}),
    "packs:edit-content": shown(asset),
}
RUNNING = {
    "runs:list": Row({"GET": Need.ACCOUNT}),
    "runs:compare": shown(sends={"GET": lambda world: {"data": {"ids": f"{world.run.pk},{world.waiting.pk}"}}}),
    "runs:new": Row({"GET": RUN, "POST": RUN}, sends={"GET": choice, "POST": choice}),
    "runs:show": shown(either_run),
    "runs:configuration": shown(run),
    "runs:cell": shown(
        lambda world: [{"pk": world.run.pk, "agent": world.trial.run_agent_id, "position": world.trial.case_position}]
    ),
    "runs:charts": shown(run),
    "runs:map": shown(run),
    "runs:grid-svg": shown(run),
    "runs:grid-csv": shown(run),
    "runs:metrics": shown(run),
    "runs:cancel": act(RUN, either_run),
    "runs:delete": Row({"GET": CURATE, "POST": CURATE}, either_run),
    "runs:agent-delete": Row({"GET": ADMINISTER, "POST": ADMINISTER}, agent),
    "runs:pack-delete": Row({"GET": CURATE, "POST": CURATE}, pack),
    "runs:again": act(RUN, run),
    "runs:pause": act(RUN, either_run),
    "runs:resume": act(RUN, either_run),
    "runs:retry": act(RUN, either_run, lambda world: {"data": {"which": "failed"}}),
    "runs:more": act(RUN, run, lambda world: {"data": {"count": "1"}}),
    "runs:rescores": Row({"GET": READ, "POST": RUN}, run, {"POST": lambda world: {"data": {}}}),
    "runs:rescore": shown(rescored),
    "runs:rescored-trial": shown(lambda world: [{**rescored(world)[0], "trial": world.trial.pk}]),
    "runs:rescore-compare": shown(rescored),
    "runs:rescore-cancel": act(RUN, rescored),
    "runs:rescore-adopt": act(RUN, rescored),
    "runs:attempt": shown(lambda world: [{"pk": world.trial.pk, "number": 1}]),
    "runs:export": shown(
        lambda world: [{"pk": world.run.pk, "kind": kind} for kind in ("json", "jsonl", "junit", "html")]
    ),
    "runs:trial": shown(trial),
    "runs:turns": Row({"GET": Need.ACCOUNT}),
    "runs:turn": Row(
        {"GET": READ, "POST": Permission.ANSWER},
        lambda world: [{"pk": ask_person(world).pk}],
        {"POST": lambda world: {"data": {"text": "Hello"}}},
        content=frozenset({409}),
    ),
    "runs:try": Row({"GET": READ, "POST": RUN}, draft_case, {"POST": lambda world: {"data": {"output": "x"}}}),
    "runs:try-check": act(
        RUN,
        lambda world: [{"pk": world.pack.pk}],
        lambda world: {"data": {"node": "pack", "at": "/version", "answer": "x"}},
    ),
    "runs:suggest": act(RUN, draft_case, offered),
    "runs:suggestion": act(Permission.EDIT, suggested, lambda world: {"data": {"decision": "dismiss"}}),
    "runs:tryout": shown(lambda world: [{"pk": tried_in(world).pk}]),
    "runs:conversation": shown(trial),
    "runs:output": shown(trial),
    "runs:stored": shown(trial),
    "runs:artifacts": shown(trial),
    "runs:artifact": shown(trial, content=frozenset({404})),
    "runs:trace": shown(trial),
    "runs:import": Row(
        {"GET": InSomeTeam(RUN), "POST": RUN},
        sends={"POST": lambda world: {"data": {"version": world.version.pk, "text": "{}"}}},
        content=frozenset({422}),
    ),
    "runs:import-confirm": act(InSomeTeam(RUN), send=lambda world: {"data": {"token": "x"}}, content=frozenset({409})),
    "runs:case": Row({"GET": EDIT, "POST": EDIT}, trial),
    "runs:replay": shown(trial),
    "runs:replay-compare": shown(
        sends={"GET": lambda world: {"data": {"a": world.trial.pk, "b": world.waiting.trials.earliest("pk").pk}}}
    ),
    "runs:events": shown(trial),
    "runs:event": shown(lambda world: [{"pk": world.trial.pk, "sequence": 1}]),
    "runs:agents": Row({"GET": Need.ACCOUNT}),
    "runs:agent-kinds": Row({"GET": ADMINISTER}, sends={"GET": lambda world: {"data": {"team": world.team.slug}}}),
    "runs:agent-new": Row(
        {"GET": ADMINISTER, "POST": ADMINISTER},
        lambda world: [{"kind": "reference"}],
        {
            "GET": lambda world: {"data": {"team": world.team.slug}},
            "POST": lambda world: {"data": {"team": world.team.slug, "name": "new"}},
        },
    ),
    "runs:agent": Row({"GET": READ, "POST": ADMINISTER}, agent, {"POST": lambda world: {"data": {"name": "renamed"}}}),
    "runs:agent-state": act(ADMINISTER, agent, lambda world: {"data": {"active": "false"}}),
    "runs:agent-test": act(ADMINISTER, agent),
    "runs:connections": Row({"GET": Need.ACCOUNT}),
    "runs:connection-new": Row(
        {"GET": ADMINISTER, "POST": ADMINISTER},
        sends={
            "GET": lambda world: {"data": {"team": world.team.slug}},
            "POST": lambda world: {"data": {"team": world.team.slug, "name": "new"}},
        },
        content=frozenset({422}),
    ),
    "runs:connection": Row(
        {"GET": READ, "POST": ADMINISTER},
        connection,
        {"POST": lambda world: {"data": {"name": "renamed"}}},
        content=frozenset({422}),
    ),
    "runs:connection-state": act(ADMINISTER, connection, lambda world: {"data": {"active": "false"}}),
    "runs:connection-test": act(ADMINISTER, connection, lambda world: {"data": {"model": "small"}}),
    "runs:secrets": Row(
        {"GET": InSomeTeam(ADMINISTER), "POST": InSomeTeam(ADMINISTER)},
        # The team of the form is one of the user's own; another one is content that is refused.
        sends={"POST": lambda world: {"data": {"team": world.team.pk, "name": "NEW", "value": "numbats"}}},
        content=frozenset({422}),
    ),
    "runs:secret-delete": act(ADMINISTER, kept),
}
PAGES = {**GATE_PAGES, **RESULT_PAGES, **REVIEW_PAGES, **TEAM_PAGES, **SITE, **AUTHORING, **WORKBENCH, **RUNNING}
