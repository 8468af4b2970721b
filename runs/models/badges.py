"""Links that show the pass rate of a pack to everybody who has them."""

from django.db import models

from packs.models import Pack
from runs.models.links import LinkQuerySet, PublicLink


class BadgeQuerySet(LinkQuerySet):
    """Links below a pack."""

    team_path = "pack__team"
    pack_path = "pack"
    bin_path = "pack__deleted_at"


class Badge(PublicLink):
    """A picture of a pack's results for pages elsewhere, which stays until it is taken back.

    `agent` is the name of the one that is shown; `input_set` what its runs were of, as `runs.results.trends.set_name`
    says it.
    """

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="badges")
    agent = models.CharField(max_length=120)
    input_set = models.CharField(max_length=255)

    objects = BadgeQuerySet.as_manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.agent} on {self.input_set} of {self.pack}"
