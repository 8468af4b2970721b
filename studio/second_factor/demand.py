"""Who has to have a second factor, and has none."""

from django.contrib.auth.models import User
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, QuerySet
from django.http import HttpRequest

from packs.models import Membership, Team
from studio.models import SecondFactor

# Whether the user of a session came from the directory.
FROM_DIRECTORY = "from_directory"


def with_demand(users: QuerySet[User]) -> QuerySet[User]:
    """Users who know whether they lack a second factor (`lacks_factor`), in the query that reads them."""
    asked = Membership.objects.filter(user=OuterRef("pk"), team__needs_second_factor=True)
    lacks = Exists(asked) & ~Exists(SecondFactor.objects.filter(user=OuterRef("pk")))
    return users.annotate(lacks_factor=ExpressionWrapper(lacks, BooleanField()))


def is_demanded(request: HttpRequest) -> bool:
    """Whether the user of a session has to set up a second factor before anything else."""
    return getattr(request.user, "lacks_factor", False) and not request.session.get(FROM_DIRECTORY)


def demanding_teams(user: User) -> list[Team]:
    """The teams of a user that want their members to have a second factor."""
    return list(Team.objects.filter(memberships__user=user, needs_second_factor=True).order_by("name"))
