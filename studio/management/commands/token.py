"""`manage.py token`: keys for the API, where there is no browser to make them with.

Ends with 0 when all is fine, 2 for wrong usage, 3 when the database is out of reach.
"""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management import BaseCommand

from packs.access import Scope
from packs.management.answers import Misuse, carry_out, complain, say, say_json
from packs.models import Pack, Team, Token
from studio.tokens import DEFAULT_DAYS, DEFAULT_SCOPES, Wish, issue

MAX_DAYS = 36_500
MAX_NAME = 100


class Command(BaseCommand):
    help = "Make, list and revoke keys for the API. A key may do what its user may do."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = __doc__.rpartition("\n\n")[2] if __doc__ else None
        commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
        making = commands.add_parser("create", help="make a key and print it, the only time that it can be seen")
        making.add_argument("user", metavar="USER", help="name of the user whose key it is")
        making.add_argument("--name", required=True, help="what will use the key, for example a CI job")
        ends = making.add_mutually_exclusive_group()
        ends.add_argument("--days", type=int, metavar="N", default=DEFAULT_DAYS, help="days until it ends (90)")
        ends.add_argument("--never-ends", action="store_true", help="valid until it is revoked")
        usual = ", ".join(DEFAULT_SCOPES)
        making.add_argument(
            "--scope", action="append", choices=Scope.values, help=f"what it may do; can be repeated ({usual})"
        )
        making.add_argument("--team", action="append", metavar="TEAM", help="only in this team; can be repeated")
        making.add_argument("--pack", metavar="TEAM/PACK", help="only with this pack")
        listing = commands.add_parser("list", help="list keys by their beginnings")
        listing.add_argument("--user", metavar="USER", help="only the keys of this user")
        taking = commands.add_parser("revoke", help="take a key back; whatever uses it stops working at once")
        which = taking.add_mutually_exclusive_group(required=True)
        which.add_argument("id", type=int, nargs="?", metavar="ID", help="number of the key, as `list` shows it")
        which.add_argument("--user", metavar="USER", help="all keys of this user, for example after `changepassword`")
        for command in (making, listing, taking):
            command.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        acts = {"create": self.make, "list": self.tell_all, "revoke": self.take_back}
        carry_out(self, lambda: acts[options["command"]](options), options)

    def make(self, options: dict[str, Any]) -> None:
        """Print the key alone on standard output, so that a script can take it; what it is for goes beside."""
        user, days = find_user(options["user"]), None if options["never_ends"] else options["days"]
        if days is not None and not 1 <= days <= MAX_DAYS:
            raise Misuse(f"--days is a number from 1 to {MAX_DAYS}.")
        if not 0 < len(options["name"]) <= MAX_NAME:
            raise Misuse(f"--name has between 1 and {MAX_NAME} characters.")
        scopes = [Scope(scope) for scope in options["scope"] or DEFAULT_SCOPES]
        teams = [find_team(user, slug) for slug in options["team"] or []]
        pack = find_pack(user, options["pack"]) if options["pack"] else None
        if pack is not None and (teams or Scope.ADMINISTER in scopes):
            raise Misuse("--pack goes with no --team, and not with `--scope administer`, which concerns a whole team.")
        token, key = issue(user, Wish(options["name"], days, scopes, teams, pack))
        if options["json"]:
            say_json(self, show(token) | {"key": key})
            return
        self.stdout.write(key)
        complain(self, f"A key of {user.username} for {token.name}. It cannot be shown again.")

    def tell_all(self, options: dict[str, Any]) -> None:
        rows = Token.objects.select_related("user", "pack__team").prefetch_related("teams").order_by("pk")
        if options["user"]:
            rows = rows.filter(user=find_user(options["user"]))
        if options["json"]:
            say_json(self, {"tokens": [show(token) for token in rows]})
            return
        for token in rows:
            say(self, f"{token.pk}  {token.user.username}  {token.prefix}…  {token.name}  ({description_of(token)})")

    def take_back(self, options: dict[str, Any]) -> None:
        if options["user"] is not None:
            self.take_all_back(options)
            return
        token = Token.objects.select_related("user", "pack__team").filter(pk=options["id"]).first()
        if token is None:
            raise Misuse(f"There is no key {options['id']}.", "not_found")
        shown = show(token)
        token.delete()
        if options["json"]:
            say_json(self, shown)
        else:
            say(self, f"The key {token} of {token.user.username} no longer works.")

    def take_all_back(self, options: dict[str, Any]) -> None:
        """All keys of a user, who may be one that no longer signs in."""
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise Misuse(f"There is no user {options['user']!r}.", "unknown_user")
        tokens = list(Token.objects.filter(user=user).select_related("user", "pack__team").prefetch_related("teams"))
        shown = [show(token) for token in tokens]
        Token.objects.filter(pk__in=[token.pk for token in tokens]).delete()
        if options["json"]:
            say_json(self, {"tokens": shown})
        else:
            say(self, f"Keys of {user.username} that no longer work: {len(shown)}.")


def find_user(name: str) -> User:
    """Raises Misuse for a user who is not there or may not sign in."""
    user = User.objects.filter(username=name).first()
    if user is None or not user.is_active:
        known = User.objects.filter(is_active=True).order_by("username").values_list("username", flat=True)
        raise Misuse(f"There is no active user {name!r}.", "unknown_user", [{"user": one} for one in known[:50]])
    return user


def find_team(user: User, slug: str) -> Team:
    """Raises Misuse for a team that the user is not in."""
    known = Team.objects.visible_to(user).order_by("slug")
    team: Team | None = known.filter(slug=slug).first()
    if team is None:
        choices = [{"team": one} for one in known.values_list("slug", flat=True)]
        raise Misuse(f"{user.username} is in no team {slug!r}.", "unknown_team", choices)
    return team


def find_pack(user: User, wanted: str) -> Pack:
    """Raises Misuse for a pack that the user does not see."""
    team, _, slug = wanted.partition("/")
    pack: Pack | None = Pack.objects.visible_to(user).select_related("team").filter(team__slug=team, slug=slug).first()
    if pack is None:
        raise Misuse(f"{user.username} sees no pack {wanted!r}. Name it as TEAM/PACK.", "unknown_pack")
    return pack


def description_of(token: Token) -> str:
    """What a key may do, and when it was used and ends."""
    used = f"used {token.last_used_at:%Y-%m-%d} from {token.last_used_from}" if token.last_used_at else "never used"
    ends = f"valid until {token.expires_at:%Y-%m-%d}" if token.expires_at else "never ends"
    shown = show(token)
    where = shown["pack"] or (", ".join(shown["teams"]) if shown["teams"] is not None else "all teams")
    return f"{', '.join(token.scopes)}; {where}; {used}; {ends}"


def show(token: Token) -> dict[str, Any]:
    return {
        "id": token.pk,
        "user": token.user.username,
        "name": token.name,
        "prefix": token.prefix,
        "created_at": token.created_at,
        "scopes": token.scopes,
        "teams": None if token.is_for_all_teams else [team.slug for team in token.teams.all()],
        "pack": f"{token.pack.team.slug}/{token.pack.slug}" if token.pack else None,
        "last_used_at": token.last_used_at,
        "last_used_from": token.last_used_from,
        "expires_at": token.expires_at,
    }
