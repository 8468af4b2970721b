"""What teams pay for calls of models outside of trials: tryouts, proofs, suggestions, tests of connections.

What calls of trials and re-scores cost is kept with these.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from django.db import IntegrityError, models, transaction
from django.db.models import F, Sum
from django.utils import timezone

from packs.models import Team
from runs.agents.endpoints.contract import Around, Endpoint, ModelReply, ModelRequest
from runs.models.clerk import by_clerk


class Spending(models.Model):
    """What such calls of a team cost on one day together, in US dollars, as far as their prices are known."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    cost_usd = models.FloatField(default=0.0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "day"], name="one_spending_per_team_and_day")]

    def __str__(self) -> str:
        return f"{self.cost_usd} US dollars on {self.day}"


@by_clerk
def note_spending(team_id: int, cost_usd: float) -> None:
    """Add to what a team spent today."""
    rows = Spending.objects.filter(team=team_id, day=timezone.localdate())
    more = {"cost_usd": F("cost_usd") + cost_usd}
    if rows.update(**more):
        return
    try:
        with transaction.atomic():
            Spending.objects.create(team_id=team_id, day=timezone.localdate(), cost_usd=cost_usd)
    except IntegrityError:
        # Another process made the row of the day just now.
        rows.update(**more)


def spent_since(team: Team, day: date) -> float:
    """What such calls of a team cost from a day on, in US dollars."""
    found = Spending.objects.filter(team=team, day__gte=day).aggregate(total=Sum("cost_usd"))
    return found["total"] or 0.0


@dataclass(slots=True)
class Charged(Around):
    """An endpoint whose calls belong to no trial: what each costs is added to what its team spent."""

    team_id: int

    def ask(self, request: ModelRequest) -> ModelReply:
        """One answer. Raises EndpointFailed."""
        return self._paid(self.endpoint.ask(request))

    def respond(self, request: ModelRequest) -> ModelReply:
        """One call of the endpoint's own agent. Raises EndpointFailed."""
        return self._paid(self.endpoint.respond(request))

    def _paid(self, reply: ModelReply) -> ModelReply:
        if reply.usage.cost_usd:
            note_spending(self.team_id, reply.usage.cost_usd)
        return reply


def charged(endpoints: Callable[[str], Endpoint | None], team_id: int) -> Callable[[str], Endpoint | None]:
    """The same endpoints, with what their calls cost added to what a team spent."""

    def endpoint_for(model: str) -> Endpoint | None:
        found = endpoints(model)
        return None if found is None else Charged(found, team_id)

    return endpoint_for
