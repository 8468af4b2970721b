"""What the pages of a team and its people need."""

from django.contrib.auth.models import User

from packs.access import Permission, Role
from packs.models import Invitation, Pack, ServiceAccount, Token
from packs.notices import RUN_ENDED
from runs.bin import delete
from runs.jobs.notices.noting import note
from runs.models import StoredNotice
from studio.teams.invitations import Offer, invite
from studio.teams.service_accounts import make_service_account
from studio.tokens import Wish, digest_of, issue
from tests.access.needs import InSomeTeam, Need, Place, Row, act
from tests.access.world import World, as_json
from tests.people import PASSWORD
from tests.runs.noticed import notice, webhook

ADMINISTER, CURATE, READ = Permission.ADMINISTER, Permission.CURATE, Permission.READ


def team(world: World) -> list[Place]:
    return [{"team": world.team.slug}]


def member(world: World) -> list[Place]:
    return [{**team(world)[0], "pk": world.team.memberships.get(user=world.people[Role.AUTHOR]).pk}]


def invitation(world: World) -> list[Place]:
    """The one invitation, whose link nobody knows."""
    row = (
        world.team.invitations.first() or invite(world.team, world.people[Role.ADMINISTRATOR], Offer(Role.VIEWER, 1))[0]
    )
    return [{**team(world)[0], "pk": row.pk}]


def link(world: World) -> list[Place]:
    """A link that works: who made it administers the team, whose account a walk may close."""
    secret = f"{world.secret}-link"
    if not Invitation.objects.filter(digest=digest_of(secret)).exists():
        host = User.objects.create_user(f"{world.secret}-host")
        world.team.memberships.create(user=host, role=Role.ADMINISTRATOR)
        row, _ = invite(world.team, host, Offer(Role.VIEWER, 1))
        Invitation.objects.filter(pk=row.pk).update(digest=digest_of(secret))
    return [{"secret": secret}]


def account(world: World) -> list[Place]:
    found = ServiceAccount.objects.filter(team=world.team).first()
    row = found or make_service_account(
        world.team, f"{world.secret}-pipeline", Role.VIEWER, world.people[Role.ADMINISTRATOR]
    )
    return [{**team(world)[0], "pk": row.pk}]


def key(world: World) -> list[Place]:
    place = account(world)[0]
    user = ServiceAccount.objects.get(pk=place["pk"]).user
    token = Token.objects.filter(user=user).first() or issue(user, Wish(f"{world.secret} pipeline"))[0]
    return [{**place, "key": token.pk}]


def hook(world: World) -> list[Place]:
    row = world.team.webhooks.first() or webhook(world.team, f"https://{world.secret}.example.org/")
    return [{**team(world)[0], "pk": row.pk}]


def delivery(world: World) -> list[Place]:
    place = hook(world)[0]
    row = world.team.webhooks.get(pk=place["pk"])
    if not row.deliveries.exists():
        note(notice(world.team, []))
    return [{**place, "delivery": row.deliveries.first().pk}]


def noticed(world: World) -> list[Place]:
    found = StoredNotice.objects.filter(team=world.team).first() or note(notice(world.team, world.people.values()))
    return [{"pk": found.pk}]


def typed(**data: object):
    return lambda world: {"data": data}


def in_bin(world: World) -> list[Place]:
    """A pack in the bin."""
    row = Pack._base_manager.filter(team=world.team, deleted_at__isnull=False).first()
    if row is None:
        row = Pack.objects.create(team=world.team, slug=f"{world.secret}-gone", format="challenge_pack")
        delete(row, world.people[Role.ADMINISTRATOR])
    return [{**team(world)[0], "kind": "pack", "pk": row.pk}]


def binned(what: str):
    return lambda world: [{**in_bin(world)[0], "act": what}]


TEAM_PAGES = {
    "runs:bin": Row({"GET": READ}, lambda world: in_bin(world) and team(world)),
    "runs:bin-act": act(CURATE, binned("restore")),
    "runs:notifications": Row({"GET": Need.ACCOUNT, "POST": Need.ACCOUNT}),
    "runs:notifications-read": Row({"POST": Need.ACCOUNT}),
    "runs:notification": Row({"GET": READ}, noticed),
    "runs:webhooks": Row(
        {"GET": ADMINISTER, "POST": ADMINISTER},
        team,
        {"POST": typed(url="https://hooks.example.org/", kinds=[RUN_ENDED])},
    ),
    "runs:webhook": Row({"GET": ADMINISTER}, hook),
    "runs:webhook-act": act(ADMINISTER, lambda world: [{**hook(world)[0], "what": "pause"}]),
    "runs:webhook-resend": act(ADMINISTER, delivery),
    "studio:teams": Row({"GET": Need.ACCOUNT}),
    "studio:team-new": Row(
        {"GET": InSomeTeam(ADMINISTER), "POST": InSomeTeam(ADMINISTER)}, sends={"POST": typed(name="New")}
    ),
    "studio:team": Row({"GET": READ, "POST": ADMINISTER}, team, {"POST": typed(name="Other")}),
    "studio:member-role": act(ADMINISTER, member, typed(role="curator")),
    "studio:member-remove": act(ADMINISTER, member),
    "studio:member-factor-reset": act(ADMINISTER, member),
    "studio:team-leave": act(READ, team),
    "studio:team-hand-over": act(ADMINISTER, team, lambda world: {"data": {"to": member(world)[0]["pk"]}}),
    "studio:invitation-new": act(ADMINISTER, team, typed(role="viewer")),
    "studio:invitation-end": act(ADMINISTER, invitation),
    "studio:service-account-new": act(ADMINISTER, team, typed(role="viewer", name="new-pipeline")),
    "studio:service-account": Row(
        {"GET": ADMINISTER, "POST": ADMINISTER}, account, {"POST": typed(name="nightly", days="30")}
    ),
    "studio:service-key-delete": act(ADMINISTER, key),
    "studio:audit": Row({"GET": InSomeTeam(CURATE)}),
    "studio:audit-file": Row({"GET": InSomeTeam(CURATE)}, lambda world: [{"shape": "jsonl"}, {"shape": "csv"}]),
    "studio:join": Row(
        {"GET": Need.LINK, "POST": Need.LINK},
        link,
        {"POST": typed(username="newcomer", password1=PASSWORD, password2=PASSWORD)},
        content=frozenset({422}),
    ),
}

TEAM_ENDPOINTS = {
    "teams-api:members": Row({"GET": READ}, team),
    "teams-api:member": Row(
        {"PATCH": ADMINISTER, "DELETE": ADMINISTER}, member, {"PATCH": lambda world: as_json({"role": "viewer"})}
    ),
    "teams-api:leave": act(READ, team, key=ADMINISTER, content=frozenset({409})),
    "teams-api:invitations": Row(
        {"GET": ADMINISTER, "POST": ADMINISTER}, team, {"POST": lambda world: as_json({"role": "viewer"})}
    ),
    "teams-api:invitation": Row({"DELETE": ADMINISTER}, invitation),
}
