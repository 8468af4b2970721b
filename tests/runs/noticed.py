"""Notices for tests."""

from packs.notices import RUN_ENDED, Notice
from runs.models import Webhook
from runs.models.sealing import seal


def notice(team, people, **more):
    about = {"kind": RUN_ENDED, "title": "nightly ended.", "place": "runs:list", "args": ()}
    return Notice(team=team.pk, people=frozenset(user.pk for user in people), **{**about, **more})


def webhook(team, url="https://hooks.example.org/", kinds=(RUN_ENDED,), secret="shared"):
    return Webhook.objects.create(team=team, url=url, kinds=list(kinds), sealed_secret=seal(secret))
