"""Edits that wait for a review before they come into a draft, and what reviewers say of drafts as a whole."""

from django.conf import settings
from django.db import models

from packs.access import InPackQuerySet
from packs.models.drafts import Pack


class Proposal(models.Model):
    """A copy of a pack's draft, made at `base_revision`, in which edits are collected apart from it.

    `draft` is a draft like all others, but for the lists of packs, which leave it out.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", "Being written"
        ASKED = "asked", "Waits for a review"
        MERGED = "merged", "Merged"
        CLOSED = "closed", "Closed"

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="proposals")
    draft = models.OneToOneField(Pack, models.CASCADE, related_name="proposal")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    base_revision = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["pack", "number"], name="one_proposal_per_number")]

    def __str__(self) -> str:
        return f"Proposal {self.number}: {self.title}"

    @property
    def is_open(self) -> bool:
        return self.status in {self.Status.DRAFT, self.Status.ASKED}


class Assessment(models.Model):
    """A draft, of a pack or of a proposal, was approved or sent back as it was at a revision."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="assessments")
    revision = models.PositiveIntegerField()
    approves = models.BooleanField()
    text = models.TextField(blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{'approved' if self.approves else 'sent back'} at revision {self.revision}"
