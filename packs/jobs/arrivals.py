"""Files that come in, looked at or imported: at once where a request can do it, else by a job.

Both ways do the same work. A draft that is large itself is changed by a job too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from packs import blobs, importing
from packs.editing.sizes import is_large
from packs.formats.adapter import Files
from packs.formats.archives import read_within
from packs.formats.choosing import choose
from packs.formats.costs import MAX_BYTES, is_costly
from packs.importing import Preview
from packs.importing.previewing import find_upload, kept
from packs.importing.reading import Reading, read
from packs.importing.writing import carry_out
from packs.jobs import start
from packs.models import Blob, Job, Pack, Team, Upload
from packs.repositories import bind_arrived


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where files go: the team, who sends them, what they are called together, format and slug where given, and
    which pack of several."""

    team: Team
    user: User
    name: str
    format: str | None = None
    slug: str | None = None
    pack: str = ""


def preview(wanted: Wanted, given: Sequence[tuple[str, bytes]]) -> Preview | Job:
    """What an import of uploads would do, or the job that looks at them."""
    found = _read(wanted, given)
    if found is None:
        return later("look", wanted, _stored(given))
    files, reading = found
    return kept(wanted.team, wanted.user, files, wanted.name, reading)


def take(wanted: Wanted, given: Sequence[tuple[str, bytes]]) -> Pack | Job:
    """The draft that uploads were imported as, or the job that imports them. Raises ImportRefused."""
    found = _read(wanted, given)
    if found is None:
        return later("import", wanted, _stored(given))
    files, reading = found
    return carry_out(wanted.team, wanted.user, files, wanted.name, reading)


def confirm(user: User, token: str) -> Pack | Job:
    """The draft that the files of a preview were imported as, or the job that imports them. Raises ImportRefused."""
    waiting = find_upload(user, token)
    if _is_quick(waiting):
        with transaction.atomic():
            pack = importing.confirm(user, token)
            bind_arrived(pack, user, waiting)
        return pack
    columns = {"team": waiting.team, "user": user, "title": f"Import {waiting.name}"[:300]}
    return start("import", parameters={"token": str(waiting.token)}, **columns)


def later(kind: str, wanted: Wanted, stored: Sequence[tuple[str, Blob]]) -> Job:
    """The job that looks at stored uploads (`kind` is look) or imports them (import)."""
    names = [name for name, _ in stored]
    # Of two files of one name none is left out: reading them says that they clash.
    keys = [f"{names[:at].count(name)}/{name}" if name in names[:at] else name for at, name in enumerate(names)]
    files = {key: blob.digest for key, (_, blob) in zip(keys, stored, strict=True)}
    title = f"{'Import' if kind == 'import' else 'Look at'} {wanted.name}"[:300]
    parameters = {"files": files, "name": wanted.name, "format": wanted.format, "slug": wanted.slug}
    parameters |= {"chosen": wanted.pack}
    return start(kind, team=wanted.team, user=wanted.user, title=title, parameters=parameters)


def _stored(given: Sequence[tuple[str, bytes]]) -> list[tuple[str, Blob]]:
    return [(name, blobs.put(data)) for name, data in given]


def _read(wanted: Wanted, given: Sequence[tuple[str, bytes]]) -> tuple[Files, Reading] | None:
    """The files of uploads and what they say; None where they, or the draft that they change, are too much."""
    unpacked = read_within(given, MAX_BYTES)
    if unpacked is None or is_costly(unpacked[0]):
        return None
    files, missing = choose(unpacked[0], wanted.pack)
    reading = read(wanted.team, files, wanted.name, wanted.format, wanted.slug, [*unpacked[1], *missing])
    return None if reading.pack is not None and is_large(reading.pack) else (files, reading)


def _is_quick(waiting: Upload) -> bool:
    """Whether a request can import an upload that waits."""
    if waiting.blob.size > MAX_BYTES:
        return False
    unpacked = read_within([(waiting.inner_name, blobs.read(waiting.blob))], MAX_BYTES)
    if unpacked is None or is_costly(unpacked[0]):
        return False
    draft = Pack.objects.filter(team=waiting.team, slug=waiting.slug).first()
    return draft is None or not is_large(draft)
