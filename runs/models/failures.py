"""Names that people gave to groups of failures."""

from django.conf import settings
from django.db import models

from packs.access import InPackQuerySet
from packs.models import Pack


class FailureGroup(models.Model):
    """A group of failures of a pack that got a name.

    `kind` and `source` say who found the failure, `text` what stands for the group, in the words of
    `runs.results.causes`; `digest` is over these three. What falls into a group is found anew whenever it is shown.
    """

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="failure_groups")
    digest = models.CharField(max_length=32)
    kind = models.CharField(max_length=20)
    source = models.CharField(max_length=300)
    text = models.TextField(blank=True)
    name = models.CharField(max_length=120)
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pack", "digest"], name="one_name_per_failure_group")]

    def __str__(self) -> str:
        return self.name
