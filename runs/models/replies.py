"""Replies of models that runs keep for later ones."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from packs.models import Team
from runs.agents.endpoints.contract import ModelReply
from runs.agents.endpoints.remembering import as_text, from_text
from runs.models.clerk import by_clerk
from runs.models.runs import ResponseCache, Run
from runs.models.sealing import SealedField, Unsealable, seal, unseal


class StoredReply(models.Model):
    """A reply of a model, sealed as keys are: an answer may hold what only its team may know.

    `key` is that of `runs.agents.endpoints.remembering`.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=64)
    sealed_reply = SealedField(remade=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "key"], name="one_stored_reply_per_key")]

    def __str__(self) -> str:
        return self.key


@dataclass(frozen=True, slots=True)
class TeamReplies:
    """The replies that a team keeps; `writes` says whether new ones are added."""

    team_id: int
    writes: bool

    @classmethod
    def of(cls, run: Run) -> "TeamReplies":
        """The replies of a run's team, as the run may use them."""
        return cls(run.team_id, run.response_cache == ResponseCache.WRITE)

    @by_clerk
    def find(self, key: str) -> ModelReply | None:
        """The reply that is kept and can be opened with the present key."""
        rows = StoredReply.objects.filter(team=self.team_id, key=key).values_list("sealed_reply", flat=True)
        for sealed in rows:
            try:
                return from_text(unseal(sealed))
            except Unsealable:
                return None
        return None

    def keep(self, key: str, reply: ModelReply) -> None:
        """Keep a reply in place of an older one."""
        if self.writes:
            self._keep(key, seal(as_text(reply)))

    @by_clerk
    def _keep(self, key: str, sealed: str) -> None:
        StoredReply.objects.update_or_create(team_id=self.team_id, key=key, defaults={"sealed_reply": sealed})


def forget_old_replies() -> int:
    """Drop the replies that are older than `RESPONSE_CACHE_DAYS`; gives how many."""
    oldest = timezone.now() - timedelta(days=settings.RESPONSE_CACHE_DAYS)
    return StoredReply.objects.filter(created_at__lt=oldest).delete()[0]
