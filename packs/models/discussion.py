"""What people say about a draft: comments on its fields."""

from django.conf import settings
from django.db import models

from packs.access import InPackQuerySet
from packs.columns import DocumentField
from packs.formats.document import NodeKind
from packs.models.drafts import Pack


class Comment(models.Model):
    """A comment on a field of a draft, or an answer to one.

    `node` is the row's id and `pointer` a JSON Pointer into its document as it was at `revision` of the draft; empty
    for the whole node. What an answer is about, whom it mentions and whether it is done stands in its `thread`.
    """

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="comments")
    thread = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="answers")
    kind = models.CharField(max_length=20, choices=[(kind.value, kind.value) for kind in NodeKind])
    node = models.PositiveBigIntegerField()
    pointer = DocumentField(default="", blank=True)
    revision = models.PositiveIntegerField()
    text = models.TextField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    mentions = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="mentions")
    done_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    done_at = models.DateTimeField(null=True, blank=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["pack", "thread", "done_at"])]

    def __str__(self) -> str:
        return self.text[:80]
