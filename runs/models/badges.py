"""Links that show the pass rate of a pack to everybody who has them."""

import secrets

from django.conf import settings
from django.db import models

from packs.access import InPackQuerySet
from packs.models import Pack


def new_token() -> str:
    return secrets.token_urlsafe(24)


class Badge(models.Model):
    """A picture of a pack's results for pages elsewhere: who has the link sees it without an account.

    `agent` is the name of the one that is shown; `input_set` what its runs were of, as `runs.results.trends.set_name`
    says it. The link is taken back by deleting the row.
    """

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="badges")
    agent = models.CharField(max_length=120)
    input_set = models.CharField(max_length=255)
    token = models.CharField(max_length=64, unique=True, default=new_token)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.agent} on {self.input_set} of {self.pack}"
