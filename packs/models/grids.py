"""What a user has chosen for the grids of a pack."""

from django.conf import settings
from django.db import models

from packs.access import InPackQuerySet
from packs.columns import DocumentField
from packs.models.drafts import Pack


class GridChoice(models.Model):
    """The columns that a user sees in the grids of a pack, and what the columns of the user's tables stand for.

    `columns` are pointers as in `packs.grid.columns`; `mapping` leads from the first line of a table to pointers.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    pack = models.ForeignKey(Pack, models.CASCADE, related_name="grid_choices")
    columns = DocumentField(default=list, blank=True)
    mapping = DocumentField(default=dict, blank=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "pack"], name="one_grid_choice_per_user")]

    def __str__(self) -> str:
        return f"{self.user} in {self.pack}"
