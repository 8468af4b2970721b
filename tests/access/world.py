"""Two teams with one of everything, so that reaching into the other one is noticed."""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from packs import blobs, editing
from packs.access import Role
from packs.editing.proposals import propose
from packs.formats.document import NodeKind
from packs.importing import import_pack, preview
from packs.models import Comment, Pack, PackVersion, Proposal, Team, Token
from packs.publish import publish
from packs.views.workbench.addresses import NodeRef
from runs.grading.graders.own_rubrics import read_rubric
from runs.jobs.scores.rescoring import rescore
from runs.launch.launching import Options, launch
from runs.models import (
    Agent,
    Attempt,
    Connection,
    HumanTurn,
    Review,
    ReviewQueue,
    ReviewRequest,
    Run,
    Secret,
    Trial,
    Tryout,
)
from runs.results.queues import Wanted, make_queue
from runs.results.rescoring import ask_rescore
from studio.models import SignIn
from studio.tokens import Wish, issue
from tests.people import client_of, make_member
from tests.runs.studio_packs import pack_text
from tests.runs.working import work_off


@dataclass(frozen=True)
class World:
    """What one team has. `secret` is part of every name in it, and of nothing elsewhere.

    `run` has ended and `waiting` has not begun; `upload` is the token of a preview, `token` a key, `sign_in` a
    session, all of the author.
    """

    secret: str
    team: Team
    people: dict[Role, User]
    pack: Pack
    version: PackVersion
    agent: Agent
    connection: Connection
    kept: Secret
    run: Run
    waiting: Run
    trial: Trial
    token: Token
    sign_in: SignIn
    upload: str

    def node(self, kind: NodeKind) -> Any:
        """The first node of a kind in the draft."""
        rows = {
            NodeKind.CHALLENGE: self.pack.challenges,
            NodeKind.INPUT_SET: self.pack.input_sets,
            NodeKind.CASE: self.pack.cases,
            NodeKind.ASSET: self.pack.assets,
        }
        return rows[kind].order_by("pk").first()

    def ref(self, kind: NodeKind) -> NodeRef:
        return NodeRef(kind, self.node(kind).pk)

    @property
    def text(self) -> str:
        """A pack of another name, as a text that can be imported."""
        return text_of(self.secret).replace(f"slug: {self.secret}", f"slug: {self.secret}-two")

    @property
    def comment(self) -> Comment:
        """A comment of the author's on the settings of the pack."""
        columns = {"pack": self.pack, "kind": "pack", "node": self.pack.pk, "revision": self.pack.revision}
        return Comment.objects.get_or_create(**columns, defaults={"text": self.secret, "author": self.token.user})[0]

    @property
    def proposal(self) -> Proposal:
        """An open proposal of the author's."""
        found = Proposal.objects.filter(pack=self.pack, status="draft").first()
        return found or propose(self.pack, self.token.user, f"{self.secret} proposal")

    @property
    def case(self) -> Any:
        return self.version.cases.order_by("pk").first()


def text_of(secret: str) -> str:
    text = pack_text({secret: 1}, slug=secret, answer=f"{secret} hub")
    return text.replace("name: Parcels", f"name: {secret} parcels").replace("case-0000", f"{secret}-case")


def make_world(secret: str) -> World:
    """A team with a member of each role, a draft with every kind of node, a version, an agent and runs of it."""
    team = Team.objects.create(slug=secret, name=f"{secret} team")
    people = {role: make_member(team, role) for role in Role}
    author = people[Role.AUTHOR]
    pack = import_pack(team, author, {"pack.yaml": text_of(secret).encode()}, f"{secret}.yaml")
    version = publish(pack, author)
    added = editing.add_node(pack, NodeKind.ASSET, author, document={"key": secret, "path": f"{secret}.txt"})
    assert added.node is not None
    editing.set_asset_content(pack, added.node, blobs.put(f"{secret} bytes".encode()), author)
    agent = Agent.objects.create(team=team, name=f"{secret} agent", kind="reference", config={}, created_by=author)
    run = work_off(launch(author, version, [agent], Options(name=f"{secret} run")))
    waiting = launch(author, version, [agent], Options(name=f"{secret} waiting"))
    trial = Trial.objects.get(run=run)
    Attempt.objects.create(trial=trial, number=1, status="error", error=f"{secret} trouble")
    rescore(ask_rescore(run, author))
    token, _ = issue(author, Wish(f"{secret} key"))
    client_of(author)
    seen = preview(team, author, {"pack.yaml": text_of(f"{secret}-three").encode()}, f"{secret}-three.yaml")
    pack.refresh_from_db()
    reach = (make_connection(team, secret), make_secret(team, secret))
    own = (token, SignIn.objects.get(user=author), str(seen.token))
    return World(secret, team, people, pack, version, agent, *reach, run, waiting, trial, *own)


def ask_person(world: World) -> HumanTurn:
    """A turn of a conversation that once was a person's."""
    now = timezone.now()
    asked = {"phase_id": world.secret, "hint": f"{world.secret} hint", "sequence": 1, "asked_at": now, "due_at": now}
    return HumanTurn.objects.get_or_create(trial=world.trial, turn_index=0, defaults=asked)[0]


def ask_review(world: World) -> ReviewRequest:
    """A grader of the trial that waits for people, of whom the author was the first."""
    asked = {"asked_at": timezone.now(), "needed": 3}
    key = f"{world.secret} taste"
    found = ReviewRequest.objects.get_or_create(trial=world.trial, grader_key=key, defaults=asked)[0]
    said = {"scores": {"overall": 4}, "comment": f"{world.secret} comment"}
    Review.objects.get_or_create(request=found, reviewer=world.people[Role.AUTHOR], defaults=said)
    return found


def queue_in(world: World) -> ReviewQueue:
    """A review queue with the trial of the world, which waits."""
    found = ReviewQueue.objects.filter(run=world.run).first()
    rubric = read_rubric([{"name": f"{world.secret} right?", "passing": ["yes"]}])
    return found or make_queue(world.run, world.people[Role.AUTHOR], Wanted(f"{world.secret} queue", rubric))


def tried_in(world: World) -> Tryout:
    """An answer that was tried on the case of the draft."""
    case = world.node(NodeKind.CASE)
    said = {"output": f"{world.secret} answer", "status": "completed", "verdict": "passed"}
    return Tryout.objects.get_or_create(pack=world.pack, node=case.pk, case_key=case.key, defaults=said)[0]


def make_connection(team: Team, secret: str) -> Connection:
    """A connection to a host that is not called: nothing listens there, and it is not allowed either."""
    connection = Connection(team=team, name=f"{secret} models", base_url=f"https://127.0.0.1/{secret}")
    connection.set_key(f"{secret} key")
    connection.save()
    return connection


def make_secret(team: Team, secret: str) -> Secret:
    row = Secret(team=team, name=f"{secret}_TRACKER")
    row.set_value(f"{secret} value")
    row.save()
    return row


def make_staff(user: User) -> User:
    user.is_staff = True
    user.save(update_fields=["is_staff"])
    return user


def leave(world: World, role: Role) -> User:
    """A user whose account was closed; the membership is still there."""
    user = world.people[role]
    user.is_active = False
    user.save(update_fields=["is_active"])
    return user


def as_json(data: Any, **headers: str) -> dict[str, Any]:
    """What a test client sends as a JSON body."""
    return {"data": json.dumps(data), "content_type": "application/json", "headers": headers}
