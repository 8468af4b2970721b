"""What the words of a command line name: teams, packs and users."""

from django.contrib.auth.models import User

from packs.management.answers import Misuse
from packs.models import Pack, Team

MAX_CHOICES = 50


def find_team(slug: str) -> Team:
    """The team of a slug. Raises Misuse with those that there are."""
    team: Team | None = Team.objects.filter(slug=slug).first()
    if team is None:
        choices = [{"team": known} for known in Team.objects.order_by("slug").values_list("slug", flat=True)]
        advice = "" if choices else " Run `manage.py prepare` first."
        raise Misuse(f"There is no team {slug!r}.{advice}", "unknown_team", choices)
    return team


def find_pack(team: Team, slug: str) -> Pack:
    """The pack of a slug. Raises Misuse with some of those that there are."""
    pack: Pack | None = Pack.objects.filter(team=team, slug=slug).first()
    if pack is None:
        known = Pack.objects.filter(team=team).order_by("slug").values_list("slug", flat=True)
        choices = [{"pack": one} for one in known[:MAX_CHOICES]]
        raise Misuse(f"There is no pack {slug!r} in the team {team.slug!r}.", "unknown_pack", choices)
    return pack


def find_user(name: str | None) -> User | None:
    """The user of a name, None without one. Raises Misuse."""
    if name is None:
        return None
    user = User.objects.filter(username=name).first()
    if user is None:
        raise Misuse(f"There is no user {name!r}.")
    return user
