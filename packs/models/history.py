"""What a draft's history holds beside its edits: points with a name, and edits that were undone or made again."""

from django.conf import settings
from django.db import models

from packs.access import InPackQuerySet
from packs.models.drafts import Pack

MAX_NAME = 120


class Checkpoint(models.Model):
    """A revision of a draft that somebody gave a name, to find it again."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="checkpoints")
    revision = models.PositiveIntegerField()
    name = models.CharField(max_length=MAX_NAME)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["-revision", "-id"]

    def __str__(self) -> str:
        return self.name


class Travel(models.Model):
    """An undo (`undone`) or redo of the edits of a group; `revision` is the draft's after it."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="travels")
    revision = models.PositiveIntegerField()
    group = models.UUIDField()
    undone = models.BooleanField()

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["-revision"]
        indexes = [models.Index(fields=["pack", "revision"])]

    def __str__(self) -> str:
        return f"{'undo' if self.undone else 'redo'} {self.group}"
