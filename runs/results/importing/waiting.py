"""Records that wait between looking at them and importing them."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from packs import blobs
from packs.formats.characters import storable
from packs.mirror import as_uuid
from packs.models import PackVersion
from packs.quotas import heed_storage
from runs.models import RecordUpload, Run
from runs.models.records import forget_old_uploads
from runs.results.importing.matching import Wish, look
from runs.results.importing.reading import read_records
from runs.results.importing.writing import import_records

WAITS = timedelta(hours=24)


class NoSuchUpload(Exception):
    """Nothing waits under a token: it is unknown, too old, used already or another user's."""


def wait(version: PackVersion, user: User, name: str, data: bytes, wish: Wish) -> RecordUpload:
    """Keep an upload until its import is confirmed; those that nobody confirmed in a day go.

    Raises QuotaReached.
    """
    heed_storage(version.pack.team, len(data))
    forget_old_uploads()
    return RecordUpload.objects.create(
        version=version,
        user=user,
        name=storable(name)[:300],
        blob=blobs.put(data),
        wish={"case": storable(wish.case), "name": storable(wish.name)},
        expires_at=timezone.now() + WAITS,
    )


def confirm(user: User, token: str) -> Run:
    """Import what waits under a token, once, even if that is asked for twice at a time. What is refused goes
    on waiting.

    Raises NoSuchUpload, ImportRefused, LaunchRefused.
    """
    alive: QuerySet[RecordUpload] = RecordUpload.objects.runnable_by(user).select_related("version__pack__team", "blob")
    wanted = as_uuid(token)
    known = alive.filter(user=user, expires_at__gt=timezone.now())
    waiting = known.filter(token=wanted).first() if wanted is not None else None
    if waiting is None:
        raise NoSuchUpload
    given = read_records(waiting.name, blobs.read(waiting.blob))
    found = look(waiting.version, given, Wish(**waiting.wish))
    with transaction.atomic():
        # Taken before anything is written: of two at once only one finds it there.
        taken, _ = RecordUpload.objects.filter(pk=waiting.pk).delete()
        if not taken:
            raise NoSuchUpload
        return import_records(found, user)
