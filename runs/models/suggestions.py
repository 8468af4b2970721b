"""Answers that a model suggests for the proof of a case, until a person says what they are."""

from django.conf import settings
from django.db import models

from packs.access import InPackQuerySet
from packs.models import Case, Pack
from runs.proof.probes import WORTHS


class Suggestion(models.Model):
    """An answer that a model suggests as a probe. It proves nothing until a person keeps it in `proof.yaml`.

    `node` is the id of the case's row. `kind` is what the model takes the answer for, and `known` what the case or its
    author calls this very answer; empty where neither states it. `verdict` and `reason` are those of the graders.
    """

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="suggestions")
    node = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=10, choices=[(kind, kind) for kind in WORTHS])
    text = models.TextField(blank=True)
    why = models.TextField(blank=True)
    known = models.CharField(max_length=10, blank=True)
    verdict = models.CharField(max_length=20)
    reason = models.TextField(blank=True)
    model = models.CharField(max_length=200)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["pack", "node"], name="suggestions_of_a_case")]

    def __str__(self) -> str:
        return f"Suggestion {self.pk} of {self.model}"

    @property
    def is_doubtful(self) -> bool:
        """Whether the graders say otherwise than the model: one of the two is wrong."""
        return self.verdict in ("passed", "failed") and (self.verdict == "passed") != (self.kind == "right")


def forget_suggestions(pack: Pack) -> None:
    """Drop the suggestions of cases that the draft does not have any more."""
    Suggestion.objects.filter(pack=pack).exclude(node__in=Case.objects.filter(pack=pack).values("pk")).delete()
