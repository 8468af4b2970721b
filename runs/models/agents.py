"""The systems under test."""

from django.conf import settings
from django.db import models

from packs.columns import DocumentField
from packs.models import Team
from packs.models.searched import Searched, SearchedInTeam, SearchedRow


class Agent(SearchedRow):
    """A system under test, as configured by a user. `kind` is a key of `runs.agents.AGENTS`.

    `concurrency` is how many of its trials may be at work at once in all runs together; None means any number.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="agents")
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=40)
    config = DocumentField(default=dict, blank=True)
    concurrency = models.PositiveIntegerField(null=True, blank=True)
    is_active = models.BooleanField(default=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    # Since when it lies in the bin, and who put it there.
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False, related_name="+"
    )

    objects = SearchedInTeam.as_manager()
    searched = Searched("agent", "team_id", ("name",), ("kind", "config"), is_of_team=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["team", "name"], condition=models.Q(deleted_at=None), name="one_agent_per_name"
            )
        ]

    def __str__(self) -> str:
        return self.name
