"""Requests with texts that the studio stores: the address of each in the world of `tests.access`, and its fields."""

from collections.abc import Callable
from typing import Any

from packs.formats.document import NodeKind
from packs.models import GitFolder
from tests.access.gates import FORM, check
from tests.access.results import cause
from tests.access.world import World, ask_person, ask_review

Sent = dict[str, Any]
REPOSITORY = "https://git.example.org/a.git"
FOLDER = {"address": REPOSITORY, "branch": "main", "folder": "b", "user": "c", "host_keys": "d"}


def version(world: World) -> int:
    return world.version.pk


def agent(world: World) -> int:
    return world.agent.pk


def pack(world: World) -> Sent:
    return {"team": world.team.slug, "slug": world.pack.slug}


def bound(world: World) -> Sent:
    """The pack, bound to a folder of a repository that nobody may reach."""
    GitFolder.objects.get_or_create(pack=world.pack, defaults={"address": REPOSITORY, "branch": "main"})
    return pack(world)


def bound_pack(world: World) -> Sent:
    bound(world)
    return {"pk": world.pack.pk}


def git_act(what: str) -> Callable[[World], Sent]:
    return lambda world: {**bound(world), "what": what}


def gate(world: World) -> Sent:
    return {**pack(world), "gate": "merge"}


def of(name: str) -> Callable[[World], Sent]:
    """The address of one thing of the world."""
    return lambda world: {"pk": getattr(world, name).pk}


def node(kind: NodeKind) -> Callable[[World], int]:
    return lambda world: world.node(kind).pk


CASE = node(NodeKind.CASE)


def case(world: World) -> Sent:
    return {"pk": CASE(world)}


def turn(world: World) -> Sent:
    return {"pk": ask_person(world).pk}


def review(world: World) -> Sent:
    return {"pk": ask_review(world).pk}


def kind(name: str) -> Callable[[World], Sent]:
    return lambda world: {"kind": name}


def ref(kind: NodeKind) -> Callable[[World], Sent]:
    return lambda world: {**pack(world), "ref": world.ref(kind)}


CASES = {"input_set": node(NodeKind.INPUT_SET)}
WHERE = {"q": "hub", "problems": "any", "sort": "/case_key", "is:/case_key": "x", "lacks:/x": ""}
CHANGE = {"kind": "pack", "node": lambda world: world.pack.pk, "pointer": "/pack/x-note", "value": {"a": ["b"]}}
POLICY = {"gate": "merge", "fail_on": ["regression"], "pass_rate": {"min": 0.5}}
PLACE = {"branch": "main", "commit": "4f2a", "merge_base": "77ab", "x": {"y": "z"}}
# Name of a route, its address, and more texts than `tests.access` sends to it. A new text that is stored gets its row.
FORMS = [
    ("studio:sign-in", None, {"username": "admin", "password": "wrong", "next": "/packs/"}),
    ("studio:token-create", None, {"name": "key", "scopes": "read", "days": "90", "teams": "1", "pack": "1"}),
    ("studio:password", None, {"old_password": "x", "new_password1": "y", "new_password2": "y"}),
    ("studio:theme", None, {"theme": "dark"}),
    ("packs:import", None, {"team": "1", "text": "pack: {}", "slug": "new", "format": "challenge_pack"}),
    (
        "packs:new",
        None,
        {
            "team": "1",
            "title": "New",
            "slug": "new",
            "start": "blank:challenge_pack",
            "question": "Where?",
            "answer": "Leeds",
            "check": "contains",
        },
    ),
    (
        "packs:new-table",
        None,
        {
            "team": "1",
            "text": "question,answer\nWhy?,so\n",
            "title": "New",
            "slug": "new",
            "format": "agentv",
            "mapped": "agentv",
            "check": "contains",
            "map:0": "/input",
        },
    ),
    ("packs:import-confirm", None, {"token": "x"}),
    ("packs:publish", pack, {"number": "2", "notes": "why"}),
    ("packs:restore", pack, {"from": "1", "what": "0.0", "seen": "1"}),
    ("packs:git", pack, FOLDER),
    ("packs:git-act", git_act("pull"), {"commit": "4f2a", "seen": "x", "side:x": "theirs", "keeps": "draft"}),
    ("packs:git-act", git_act("push"), {"message": "why", "branch": "main"}),
    ("packs:new-git", None, {**FOLDER, "team": "1", "slug": "new"}),
    ("packs:proposals", pack, {"title": "New"}),
    (
        "packs:proposal-act",
        lambda world: {**pack(world), "number": world.proposal.number, "what": "merge"},
        {"seen": "x"},
    ),
    ("packs:judge", pack, {"act": "return", "revision": lambda world: world.pack.revision, "text": "why"}),
    ("packs:approval-rule", pack, {"needed": "true"}),
    ("packs:edit-comments", ref(NodeKind.CASE), {"at": "", "text": "Why? @quokka"}),
    ("packs:comment", lambda world: {**pack(world), "pk": world.comment.pk}, {"act": "answer", "text": "Why?"}),
    ("packs:edit-checkpoint", pack, {"name": "Ready", "remove": ""}),
    ("packs:arrangement", pack, {"input_set": "1", "how": "rows"}),
    ("packs:edit-whole", pack, {"seen": "1", "text": "pack: {}"}),
    ("packs:edit-whole-lint", pack, {"text": "pack: {}"}),
    ("packs:edit-rename", pack, {"what": "input", "old": "question", "new": "query"}),
    ("packs:edit-slices-rename", pack, {"key": "/metadata/level", "name": "new"}),
    ("packs:edit-files", pack, {"root": "a", "folder": "b", "file": "c"}),
    ("packs:edit-node", ref(NodeKind.CASE), {"at": "/case_key", "seen": "1", "f:/case_key": "x", "do": "add:/x"}),
    ("packs:edit-field", ref(NodeKind.CASE), {"at": "/case_key", "seen": "1", "f:/case_key": "x", "confirm": "/x"}),
    ("packs:edit-act", ref(NodeKind.CASE), {"act": "duplicate", "back": "/x", "section": "a", "input_set": "1"}),
    ("packs:edit-fix", ref(NodeKind.CASE), {"code": "challenge_pack.E312", "at": "/challenge_key", "back": "node"}),
    ("packs:edit-gallery", ref(NodeKind.CASE), {"kind": "text:/expectations"}),
    ("packs:edit-fix-kind", pack, {"code": "challenge_pack.E312"}),
    ("packs:edit-yaml", ref(NodeKind.CASE), {"seen": "1", "text": "case_key: x"}),
    ("packs:edit-lint", ref(NodeKind.CASE), {"seen": "1", "text": "case_key: x"}),
    ("packs:edit-cell-check", ref(NodeKind.CASE), {"at": "/case_key", "text": "x", "seen": "1"}),
    ("packs:edit-cell-save", ref(NodeKind.CASE), {"at": "/case_key", "text": "x", "seen": "1"}),
    (
        "packs:edit-rows-bulk",
        ref(NodeKind.INPUT_SET),
        {
            "act": "edit",
            "scope": "all",
            "asked": "q=hub&is:/case_key=%00",
            "pointer": "/case_key",
            "how": "set",
            "text": "x",
            "find": "y",
            "target": "1",
            "sure": "1",
        },
    ),
    ("packs:edit-rows-table", ref(NodeKind.INPUT_SET), {"text": "case_key\nnew\n", "map:0": "/case_key", "key": "/k"}),
    (
        "runs:new",
        None,
        {"version": version, "agent": agent, "set": "quokka", "name": "n", "nonce": "n", "trials": "1", "branch": "b"},
    ),
    ("runs:import", None, {"version": version, "text": '{"output": "x", "task_id": "a"}', "case": "c", "name": "n"}),
    ("runs:import-confirm", None, {"token": "x"}),
    ("runs:try", case, {"output": "x", "judge": "y"}),
    ("runs:try-check", of("pack"), {"node": "pack", "at": "/version/evaluation_spec/validators/0", "answer": "x"}),
    ("runs:review", review, {"comment": "Fine", "score:overall": "4", "from": "x"}),
    ("runs:turn", turn, {"text": "Hello"}),
    ("runs:rescores", of("run"), {"asks": "", "version": "1", "evaluation": "metrics: []"}),
    ("runs:retry", of("run"), {"which": "failed"}),
    (
        "runs:case",
        of("trial"),
        {"act": "save", "title": "x", "key": "y", "request": "z", "expected": "e", "forbidden": "f", "anyway": "1"},
    ),
    ("runs:agent-new", kind("http"), {"team": "quokka", "name": "a", "url": "https://x", "headers": "{}"}),
    ("runs:agent-new", kind("chat"), {"team": "quokka", "name": "a", "model": "m", "system_prompt": "s"}),
    ("runs:agent-new", kind("echo"), {"team": "quokka", "name": "a", "prefix": "m"}),
    ("runs:agent", of("agent"), {"name": "renamed", "config": "{}"}),
    ("runs:agent-test", of("agent"), {"message": "Hello", "case_key": "x"}),
    (
        "runs:connection-new",
        None,
        {"team": "quokka", "name": "n", "provider": "openai", "base_url": "https://x.example", "models_text": "m: {}"},
    ),
    ("runs:connection-test", of("connection"), {"model": "small", "message": "Hello"}),
    ("runs:secrets", None, {"team": "1", "name": "NEW", "value": "numbats"}),
    ("runs:cause-name", lambda world: cause(world)[0], {"name": "Wrong depot", "set": "quokka"}),
    ("runs:cause-cases", lambda world: cause(world)[0], {"case": "0", "set": "quokka", "place": "1"}),
    ("runs:badge-new", pack, {"agent": "quokka agent", "set": "quokka"}),
    ("runs:gate-policy", gate, FORM),
    ("runs:gate-release", lambda world: check(world)[0], {"name": "1.0"}),
    ("runs:gate-preview", lambda world: check(world)[0], FORM),
    ("runs:gate-start", gate, {"agent": agent, "branch": "main", "set": "quokka"}),
    (
        "runs:gate-schedule-new",
        gate,
        {"agent": agent, "at": "02:30", "weekdays": "1", "zone": "UTC", "input_set": "quokka", "branch": "main"},
    ),
    ("runs:run-gates", of("run"), {"gate": "merge", "agent": "x", "baseline": "#1"}),
]
BODIES = [
    ("packs-api:packs", "POST", None, {"team": "quokka", "title": "New", "slug": "new", "format": "challenge_pack"}),
    ("packs-api:pack-publish", "POST", of("pack"), {"notes": "why"}),
    ("packs-api:pack-arrangement", "POST", of("pack"), {"input_set": 1, "how": "rows"}),
    ("packs-api:pack-restore", "POST", of("pack"), {"state": "r1"}),
    ("packs-api:pack-checkpoints", "POST", of("pack"), {"name": "Now"}),
    ("packs-api:pack-git", "PUT", of("pack"), FOLDER),
    ("packs-api:pack-from-git", "POST", None, {**FOLDER, "team": "quokka", "slug": "new"}),
    (
        "packs-api:pack-git-pull",
        "POST",
        bound_pack,
        {"commit": "4f2a", "seen": ["x"], "theirs": ["x"], "keeps": "draft"},
    ),
    ("packs-api:pack-git-push", "POST", bound_pack, {"message": "why", "branch": "main"}),
    ("packs-api:pack-rename", "POST", of("pack"), {"what": "input", "name": "question", "new": "query"}),
    (
        "packs-api:pack-fixes",
        "POST",
        of("pack"),
        {"code": "challenge_pack.W005", "kind": "case", "node": 1, "at": "/x"},
    ),
    ("packs-api:pack-changes", "POST", of("pack"), {"changes": [CHANGE], "label": "why"}),
    ("packs-api:pack-proposals", "POST", of("pack"), {"title": "New"}),
    (
        "packs-api:pack-judge",
        "POST",
        of("pack"),
        {"approves": False, "revision": lambda world: world.pack.revision, "text": "why"},
    ),
    ("packs-api:proposal-take-in", "POST", of("proposal"), {"seen": ["x"], "theirs": ["x"]}),
    ("packs-api:proposal-merge", "POST", of("proposal"), {"seen": ["x"], "theirs": ["x"]}),
    (
        "packs-api:pack-comments",
        "POST",
        of("pack"),
        {"kind": "pack", "node": lambda world: world.pack.pk, "pointer": "", "text": "Why?"},
    ),
    ("packs-api:comment", "POST", of("comment"), {"act": "answer", "text": "Why?"}),
    (
        "packs-api:case-changes",
        "POST",
        of("pack"),
        {**CASES, "act": "edit", "where": WHERE, "wish": {"act": "set", "pointer": "/x-note", "text": "x"}},
    ),
    (
        "packs-api:case-changes",
        "POST",
        of("pack"),
        {**CASES, "act": "edit", "where": {}, "wish": {"act": "replace", "pointer": "/x", "find": "a", "text": "b"}},
    ),
    (
        "packs-api:nodes",
        "POST",
        lambda world: {**of("pack")(world), "collection": "cases"},
        {**CASES, "document": {"case_key": "x"}},
    ),
    ("runs-api:agents", "POST", None, {"team": "quokka", "name": "a", "kind": "echo", "config": {"prefix": "x"}}),
    ("runs-api:agents", "POST", None, {"name": "a", "kind": "http", "config": {"url": "x", "headers": {"a": "b"}}}),
    ("runs-api:agent", "PATCH", of("agent"), {"name": "a", "config": {"x": "y"}}),
    (
        "runs-api:connections",
        "POST",
        None,
        {"team": "quokka", "name": "n", "provider": "p", "base_url": "https://x.example", "key": "k"},
    ),
    ("runs-api:connection-test", "POST", of("connection"), {"model": "m", "message": "x"}),
    ("runs-api:secrets", "POST", None, {"team": "quokka", "name": "NEW", "value": "numbats"}),
    (
        "runs-api:runs",
        "POST",
        None,
        {
            "pack": "quokka",
            "team": "quokka",
            "agents": ["quokka agent"],
            "input_set": "quokka",
            "name": "n",
            "budgets": {"cost_usd": 5},
            "ci_metadata": PLACE,
            "connections": {"a": "b"},
            "overrides": {"a": "b"},
        },
    ),
    ("runs-api:runs", "POST", None, {"pack": "quokka", "agents": ["quokka agent"], "name": "n", "ci_metadata": PLACE}),
    ("runs-api:run-rescores", "POST", of("run"), {"asks": "all", "connections": {"a": "b"}}),
    ("runs-api:run-rescores", "POST", of("run"), {"asks": "nobody"}),
    ("runs-api:review-give", "POST", review, {"scores": {"overall": 4}, "comment": "x"}),
    ("runs-api:turn-answer", "POST", turn, {"text": "x"}),
    ("runs-api:case-tryouts", "POST", case, {"output": "x", "judges": ["y"]}),
    ("runs-api:trial-case", "POST", of("trial"), {"pack": 1, "title": "t", "dry_run": True}),
    ("runs-api:gate-runs", "POST", None, {"pack": "quokka", "agent": "quokka agent", "ci_metadata": PLACE}),
    ("runs-api:run-gate-checks", "POST", of("run"), {"gate": "merge", "agent": "quokka agent", "policy": POLICY}),
    ("runs-api:run-gate-checks", "POST", of("run"), {"gate": "merge"}),
    ("runs-api:run-releases", "POST", of("run"), {"name": "2026.3"}),
]
