"""What an import would do, before anything is written; and the confirmation of it."""

import re
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from itertools import islice
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from packs import blobs
from packs.editing import Plan, plan
from packs.formats import adapter_of, document
from packs.formats.abilities import COLLECTORS
from packs.formats.adapter import Files
from packs.formats.archives import read_again
from packs.formats.choosing import packs_in
from packs.formats.document import NodeKind
from packs.formats.findings import MAX_FINDINGS, TOO_MANY, Finding, kinds_of, render_path
from packs.formats.repositories import refused
from packs.importing.reading import Reading, read
from packs.importing.values import ImportRefused, Item, Preview
from packs.importing.writing import carry_out, keep_source
from packs.mirror import as_uuid
from packs.models import Blob, Pack, Team, Upload
from packs.quotas import heed_storage

LISTED = 200
WAITS = timedelta(hours=24)
# As the format of an upload: a table that waits to be taken into an input set.
TABLE = "table"
COMMENT = re.compile(rb"^[ \t]*#", re.M)
# What a format's specification calls a key that it does not know (challenge-pack e).
UNKNOWN_KEY = "D6"

Node = document.Challenge | document.InputSet | document.Case | document.Asset


def preview(
    team: Team,
    user: User,
    files: Files,
    name: str,
    *,
    format: str | None = None,  # noqa: A002
    slug: str | None = None,
    before: Iterable[Finding] = (),
) -> Preview:
    """Say what an import of these files would create, change, remove, ignore and refuse.

    Nothing of the pack is written; the files wait under the preview's token for `confirm`, for a day, unless the
    import would be refused.
    """
    return kept(team, user, files, name, read(team, files, name, format, slug, before))


def kept(team: Team, user: User, files: Files, name: str, reading: Reading) -> Preview:
    """The preview of files that were read, which wait from now on. Raises QuotaReached."""
    found = described(reading, files)
    if found.can_import or found.packs:
        heed_storage(team, sum(map(len, files.values())))
        found.token = keep_upload(team, user, name, reading, keep_source(files, name)).token
    return found


def described(reading: Reading, files: Files) -> Preview:
    """What an import of files that were read would do; nothing is kept."""
    found = Preview(None, reading.format, reading.slug, pack=reading.pack)
    found.findings, found.refused, found.kinds = reading.findings, reading.refused, reading.kinds
    if reading.tree is None:
        found.packs = {} if reading.format else packs_in(files)
        return found
    adapter = adapter_of(reading.format)
    more = not_fetched(reading)
    # That there are more is what the kinds say.
    listed_already = (finding for finding in reading.findings if finding.code != TOO_MANY.code)
    found.findings = [*listed_already, *adapter.place(files, more)]
    found.kinds = [*reading.kinds, *kinds_of(more)]
    found.title = adapter.title(reading.tree.document)
    found.counts = dict(Counter(address.kind.value for address, _ in reading.tree.nodes()))
    found.has_comments = any(COMMENT.search(data) for path, data in files.items() if path.endswith((".yaml", ".yml")))
    everything = [*reading.findings, *(reading.content or ())]
    found.ignored = listed(found, "ignored", ignored(reading.tree, everything, files))
    if reading.pack is None or reading.refused:
        found.created = listed(found, "created", (item_of(node, kind) for kind, node in nodes_of(reading.tree)))
    else:
        compare(found, plan(reading.pack, reading.tree))
    return found


def not_fetched(reading: Reading) -> list[Finding]:
    """What of the pack this studio may not fetch when trials run; the pack alone cannot say that."""
    collector = COLLECTORS.get(reading.format)
    if collector is None or reading.tree is None:
        return []
    repositories = collector.repositories_in(reading.tree)
    return list(islice(refused(settings.WORKSPACE_SOURCES, repositories), MAX_FINDINGS))


def listed(found: Preview, list_name: str, items: Iterable[Item]) -> list[Item]:
    """The first items; the preview's `totals` say how many there are."""
    waiting = iter(items)
    first = list(islice(waiting, LISTED))
    found.totals[list_name] = len(first) + sum(1 for _ in waiting)
    return first


def nodes_of(tree: document.Pack) -> Iterator[tuple[NodeKind, Node]]:
    """The nodes below the pack, each set before its cases."""
    for challenge in tree.challenges:
        yield NodeKind.CHALLENGE, challenge
    for asset in tree.assets:
        yield NodeKind.ASSET, asset
    for input_set in tree.input_sets:
        yield NodeKind.INPUT_SET, input_set
        for case in input_set.cases:
            yield NodeKind.CASE, case


def item_of(node: Node, kind: NodeKind) -> Item:
    return Item(kind.value, node.key)


def ignored(tree: document.Pack, findings: Iterable[Finding], files: Files) -> Iterator[Item]:
    """What stays without effect: keys that the format does not know, and files that nothing refers to."""
    for path in dict.fromkeys(finding.path for finding in findings if finding.rule == UNKNOWN_KEY):
        yield Item("key", str(path[-1]) if path else "", render_path(path))
    for file in tree.files:
        yield Item("file", file.path)


def compare(found: Preview, steps: Plan) -> None:
    """Fill in what an import into an existing draft would do."""
    added = (item for arrival in steps.added for item in arrivals(arrival.kind, arrival.node))
    found.created = listed(found, "created", added)
    found.removed = listed(found, "removed", (Item(row.kind.value, row.key) for row in steps.removed))
    changed = {(row.kind, row.pk): Item(row.kind.value, key_of(row), "changed") for row, _ in steps.changed}
    moved = {(row.kind, row.pk): Item(row.kind.value, key_of(row), "moved") for row, _ in steps.moved}
    items = list((moved | changed).values())
    if steps.files is not None:
        items.append(Item("file", "", "changed"))
    found.changed = listed(found, "changed", items)


def arrivals(kind: NodeKind, node: document.InputSet) -> Iterator[Item]:
    yield Item(kind.value, node.key)
    if kind is NodeKind.INPUT_SET:
        for case in node.cases:
            yield Item(NodeKind.CASE.value, case.key)


def key_of(row: Pack | object) -> str:
    return row.slug if isinstance(row, Pack) else str(getattr(row, "key", ""))


def keep_upload(team: Team, user: User, name: str, reading: Reading, source: Mapping[str, Any], **more: Any) -> Upload:
    """Keep the stored files until the import is confirmed; uploads that nobody confirmed in time go. `more` are other
    columns."""
    forget_old_uploads()
    return Upload.objects.create(
        team=team,
        user=user,
        name=name[:300],
        inner_name=source["name"],
        blob_id=source["blob"],
        is_archive=source["is_archive"],
        format=reading.format,
        slug=reading.slug,
        expires_at=timezone.now() + WAITS,
        **more,
    )


def forget_old_uploads() -> int:
    """Drop uploads that nobody confirmed in time; gives how many."""
    return Upload.objects.filter(expires_at__lte=timezone.now()).delete()[0]


def keep_table(team: Team, user: User, name: str, blob: Blob, slug: str = "") -> Upload:
    """Keep a table until it is taken: for the draft of a slug, or as a new pack.

    Raises QuotaReached.
    """
    heed_storage(team, blob.size)
    columns = {"name": name[:300], "inner_name": name[:300], "format": TABLE, "slug": slug}
    return Upload.objects.create(team=team, user=user, blob=blob, expires_at=timezone.now() + WAITS, **columns)


def confirm(user: User, token: uuid.UUID | str) -> Pack:
    """Import the files of a preview.

    Raises ImportRefused: no_such_upload when the token is unknown, expired, or of a user or team that the user is not
    (or no longer an author in); import_refused when the files cannot be imported any more.
    """
    waiting = find_upload(user, token)
    files = files_of(waiting)
    reading = read(waiting.team, files, waiting.name, waiting.format, waiting.slug)
    row = carry_out(waiting.team, user, files, waiting.name, reading)
    waiting.delete()
    return row


def find_upload(user: User, token: uuid.UUID | str) -> Upload:
    """The upload of a preview. Raises ImportRefused (no_such_upload)."""
    alive = Upload.objects.editable_by(user).filter(user=user, expires_at__gt=timezone.now()).exclude(format=TABLE)
    waiting: Upload | None = alive.filter(token=as_uuid(str(token))).first()
    if waiting is None:
        raise ImportRefused(code="no_such_upload")
    return waiting


def files_of(waiting: Upload) -> Files:
    """The files of an upload."""
    data = blobs.read(waiting.blob)
    return read_again(waiting.inner_name, data) if waiting.is_archive else {waiting.inner_name: data}
