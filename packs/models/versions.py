"""Versions: what was published, never to change."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from packs.access import FrozenError, FrozenInPackQuerySet, FrozenInVersionQuerySet
from packs.columns import DocumentField
from packs.models.drafts import Pack
from packs.models.teams import Blob


class VersionStatus(models.TextChoices):
    """The life of a version."""

    RUNNABLE = "runnable", "Runnable"
    DEPRECATED = "deprecated", "Deprecated"
    ARCHIVED = "archived", "Archived"


class Frozen(models.Model):
    """A row that is written once; `MUTABLE` names the columns that may still change."""

    MUTABLE: ClassVar[frozenset[str]] = frozenset()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write the row.

        Raises FrozenError when an existing row would change in a column that is not mutable.
        """
        fields = kwargs.get("update_fields")
        if not self._state.adding and (fields is None or not set(fields) <= self.MUTABLE):
            raise FrozenError(f"{type(self).__name__} {self.pk} is published and cannot change")
        super().save(*args, **kwargs)


class PackVersion(Frozen):
    """A published, immutable state of a pack.

    `digest` is the SHA-256 over the canonical files; `archive` the blob of the zip that holds them. `document` is the
    pack node's document; `challenges` holds `{"key", "document"}`, `assets` `{"key", "path", "document", "blob"}` (the
    digest of the bytes or null), `files` `{"path", "blob"}`. `lineage` is what all versions of a pack share.
    """

    MUTABLE = frozenset({"status", "notes"})

    pack = models.ForeignKey(Pack, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    archive = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    document = DocumentField()
    challenges = DocumentField(default=list)
    assets = DocumentField(default=list)
    files = DocumentField(default=list)
    lineage = DocumentField(default=dict)
    case_count = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=20, choices=VersionStatus.choices, default=VersionStatus.RUNNABLE)
    notes = models.TextField(blank=True)
    revision = models.PositiveIntegerField()
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    published_at = models.DateTimeField(auto_now_add=True)

    objects = FrozenInPackQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["pack", "number"], name="one_version_per_number")]

    def __str__(self) -> str:
        return f"{self.pack}@{self.number}"


class VersionInputSet(Frozen):
    """An input set of a version; `position` counts from 0."""

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="input_sets")
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=255)
    name = models.CharField(max_length=255, blank=True)
    document = DocumentField(default=dict)
    case_count = models.PositiveIntegerField(default=0)

    objects = FrozenInVersionQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["version", "key"], name="one_set_per_key")]

    def __str__(self) -> str:
        return self.key


class VersionCase(Frozen):
    """A case of a version; `position` counts from 0 in its input set.

    `stored` is its stored document, `digest` the SHA-256 over that as canonical JSON.
    """

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="cases")
    input_set = models.ForeignKey(VersionInputSet, models.CASCADE, related_name="cases")
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=255)
    challenge_key = models.CharField(max_length=255)
    document = DocumentField(default=dict)
    stored = DocumentField(default=dict)
    digest = models.CharField(max_length=64)

    objects = FrozenInVersionQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["input_set", "position"], name="one_case_per_position"),
        ]

    def __str__(self) -> str:
        return self.key
