"""Every door of the studio, and texts that a database or a file cannot keep: half a character, and U+0000.

PostgreSQL has no text with U+0000, no database has half a character, and UTF-8 can write neither half.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from http.cookies import SimpleCookie
from typing import Any

from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from packs.access import Role
from packs.formats.document import NodeKind
from packs.jobs import execute_job
from packs.models import GitFolder, Job, JobStatus
from tests.access.gates import FORM, check
from tests.access.results import cause
from tests.access.walk import ROWS, quiet
from tests.access.world import World, as_json, ask_person, ask_review, make_staff

# As JSON says them; forms and addresses hold the characters themselves, as far as UTF-8 can write them.
HOSTILE = ("half \ud800 character", "zero \0 byte")
ESCAPED = tuple(json.dumps({"a": text, text: 1}) for text in HOSTILE)
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


def variants(value: Any, texts: tuple[str, ...]) -> Iterator[Any]:
    """A value with one of its texts replaced by a hostile one, and with one more key."""
    if isinstance(value, str):
        yield from texts
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from ({**value, key: other} for other in variants(inner, texts))
        yield from ({**value, text: text} for text in texts)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in variants(inner, texts))


def hostile(sent: Sent) -> Iterator[Sent]:
    """Requests like this one with a hostile text in the query or the body."""
    asked = sent.get("query_params", {})
    yield from ({**sent, "query_params": other} for other in variants(asked, HOSTILE[1:]) if asked)
    data = sent.get("data")
    if sent.get("content_type") == "application/json":
        yield from ({**sent, "data": json.dumps(other)} for other in variants(json.loads(data), HOSTILE))
    elif isinstance(data, str | bytes):
        plain = data.encode() if isinstance(data, str) else data
        yield from ({**sent, "data": plain + text.encode("utf-8", "surrogatepass")} for text in (*HOSTILE, *ESCAPED))
    elif data:
        yield from ({**sent, "data": other} for other in variants(data, (HOSTILE[1], *ESCAPED)))


def requests(world: World) -> Iterator[tuple[str, str, str, Sent]]:
    """Every route with every method that it takes: its name, the method, the address, and what is sent."""
    for name, row in ROWS.items():
        for method in row.needs:
            sent = row.sends[method](world) if method in row.sends else {}
            if method == "GET" and "data" in sent:
                sent = {"query_params": sent["data"]}
            place = next(iter(row.places(world)))
            yield name, method, reverse(name, kwargs=place), sent
    for name, place, fields in FORMS:
        data = {field: value(world) if callable(value) else value for field, value in fields.items()}
        yield name, "POST", reverse(name, kwargs=place(world) if place else {}), {"data": data}
    for name, method, place, body in BODIES:
        sent = as_json(filled(body, world), **{"If-Match": "*"})
        yield name, method, reverse(name, kwargs=place(world) if place else {}), sent


def filled(value: Any, world: World) -> Any:
    """A body with the ids of the things of the world in place of their functions."""
    if isinstance(value, dict):
        return {key: filled(inner, world) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, world) for inner in value]
    return value(world) if callable(value) else value


def client_of_staff(world: World) -> Client:
    client = Client(raise_request_exception=False, headers={"Host": "localhost"})
    client.force_login(make_staff(world.people[Role.ADMINISTRATOR]))
    return client


def broken(world: World) -> Iterator[str]:
    """Requests that the studio answered with a mistake of its own."""
    client = client_of_staff(world)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    for name, method, url, sent in requests(world):
        for other in hostile(sent):
            client.cookies = SimpleCookie({settings.SESSION_COOKIE_NAME: session})
            status = answer(client, method, url, other)
            if status >= 500:
                yield f"{method} {name} {ascii(other.get('data', other))[:300]}: {status}"
    for address in ("/sign-in/", "/packs/", "/api/v1/packs/"):
        sent = {"headers": {"Cookie": f'{settings.SESSION_COOKIE_NAME}="\\000{"a" * 31}"'}}
        if answer(client, "GET", address, sent) >= 500:
            yield f"a session of zero bytes at {address}"


def answer(client: Client, method: str, url: str, sent: Sent) -> int:
    """The status of an answer, 500 where a job that the request began fails; whatever it did is taken back."""
    with quiet(), transaction.atomic():
        answered = getattr(client, method.lower())(url, **sent)
        failed = [job for job in Job.objects.filter(status=JobStatus.QUEUED) if fails(job)]
        transaction.set_rollback(True)
    return 500 if failed else answered.status_code


def fails(job: Job) -> bool:
    """Whether a job ends by a mistake of the studio."""
    execute_job(job.pk)
    job.refresh_from_db()
    return bool(job.status == JobStatus.FAILED)
