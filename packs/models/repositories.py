"""Packs that also live in a folder of a Git repository."""

from django.conf import settings
from django.db import models

from packs.access import InPackQuerySet
from packs.models.drafts import Pack
from packs.models.teams import Blob


class GitFolder(models.Model):
    """Where a pack lives in a repository, as `packs.remotes.Folder`.

    `commit` and `base` (an archive of its files) are the last state that the draft and the repository had in common;
    `base` is empty before the first pull or push. `fetched_commit` and `fetched` are what the repository was last seen
    to have.
    """

    pack = models.OneToOneField(Pack, models.CASCADE, related_name="git_folder")
    address = models.CharField(max_length=500)
    branch = models.CharField(max_length=200)
    folder = models.CharField(max_length=500, blank=True)
    user_name = models.CharField(max_length=200, blank=True)
    secret = models.CharField(max_length=120, blank=True)
    host_keys = models.TextField(blank=True)
    commit = models.CharField(max_length=64, blank=True)
    base = models.ForeignKey(Blob, models.PROTECT, null=True, related_name="+")
    fetched_commit = models.CharField(max_length=64, blank=True)
    fetched = models.ForeignKey(Blob, models.PROTECT, null=True, related_name="+")
    fetched_at = models.DateTimeField(null=True)
    synced_at = models.DateTimeField(null=True)
    synced_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    objects = InPackQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.address} ({self.branch}{f', {self.folder}' if self.folder else ''})"

    @property
    def is_behind(self) -> bool:
        """Whether the repository was seen to have what the draft does not know."""
        return self.fetched_commit != self.commit
