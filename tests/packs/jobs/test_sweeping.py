"""The sweep of bytes: what nothing refers to goes, and nothing else does."""

import os
import random
import re
import shutil
from contextlib import suppress
from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from packs import blobs, editing
from packs.editing import undo, undoable
from packs.exporting import export_draft, export_version, source_files
from packs.formats.document import NodeKind
from packs.importing import ImportRefused, confirm, import_pack, preview
from packs.importing.previewing import forget_old_uploads
from packs.jobs import sweeping
from packs.jobs.sweeping import forget_old_jobs, sweep, sweep_bytes
from packs.models import AuditEvent, Blob, Job, JobStatus, Pack, PackVersion, Upload
from packs.publish import PublishRefused, publish
from runs.bin import KINDS, BinRefused, bring_back, delete, in_bin, purge
from runs.jobs.trials.control import cancel
from runs.launch.launching import launch, seed_agents
from runs.launch.refusals import LaunchRefused
from runs.models import Agent, Run
from runs.results.importing.matching import Wish
from runs.results.importing.waiting import wait
from studio.backups.rows import applied_migrations, lines_of, tables_at
from tests.drawing import drawn
from tests.packs.drafts import draft_of, pack_text

pytestmark = pytest.mark.django_db
DAYS = timedelta(days=2)


def pass_time():
    """Two days go by for all bytes and uploads."""
    Blob.objects.update(stored_at=timezone.now() - DAYS)
    Upload.objects.update(expires_at=timezone.now() - DAYS)
    for name in stored():
        os.utime(default_storage.path(name), (0, 0))


def stored():
    """Every file of the storage."""
    root = default_storage.path(blobs.ROOT)
    found = [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names]
    return [os.path.relpath(name, default_storage.location) for name in found]


def named():
    """Digests that stand in any row of any table but that of bytes, as a backup would write them."""
    tables = tables_at(applied_migrations())
    lines = (line for name, model in tables.items() if name != "packs_blob" for line in lines_of(model))
    return {found.decode() for line in lines for found in re.findall(rb"[0-9a-f]{64}", line)}


def test_previews_that_nobody_confirmed_leave_nothing(team, author):
    for number in range(3):
        preview(team, author, {"pack.yaml": pack_text(), "notes.txt": b"%d" % number * 1000}, f"{number}.zip")
    assert Blob.objects.count() == 3
    sweep_bytes()
    assert Blob.objects.count() == 3
    freed = sum(Blob.objects.values_list("size", flat=True))
    pass_time()
    sweep_bytes()
    assert (Blob.objects.count(), Upload.objects.count(), stored()) == (0, 0, [])
    sweep_bytes()
    assert [event.subject for event in AuditEvent.objects.filter(kind="sweep.bytes")] == [f"{freed:,} bytes"]


def test_jobs_that_ended_long_ago_go_with_their_bytes(team, author):
    given = {"files": {"a.zip": blobs.put(b"given").digest}}
    columns = {"team": team, "user": author, "kind": "look", "parameters": given}
    long_ago = timezone.now() - timedelta(days=30)
    Job.objects.create(status=JobStatus.COMPLETED, finished_at=long_ago, blob=blobs.put(b"made"), **columns)
    waiting = Job.objects.create(title="waits", **{**columns, "parameters": {"files": {"b": blobs.put(b"w").digest}}})
    pass_time()
    sweep_bytes()
    assert [job.pk for job in Job.objects.all()] == [waiting.pk]
    assert blobs.read(blobs.digest_of(b"w")) == b"w"
    assert Blob.objects.count() == 1


def test_files_that_no_row_knows_go_when_they_are_old():
    lost, fresh = blobs.name_of("a" * 64), blobs.name_of("b" * 64)
    half = f"{blobs.ROOT}/aa/.incoming-4711"
    kept = blobs.put(b"kept")
    for name in (lost, half):
        blobs.write(name, b"no row")
    for name in stored():
        os.utime(default_storage.path(name), (0, 0))
    blobs.write(fresh, b"just now")
    sweep()
    assert set(stored()) == {fresh, blobs.name_of(kept.digest)}


def test_bytes_that_are_given_again_stay(team, author):
    digest = blobs.put(b"again").digest
    pass_time()
    blobs.put(b"again")
    assert sweep() == 0
    assert blobs.read(digest) == b"again"


def test_what_is_referred_to_after_it_was_found_stays(team):
    digest = blobs.put(b"late").digest
    pass_time()
    [found] = sweeping.unreferred()
    draft_of(team, source_id=digest)
    assert sweeping.remove(found) == 0
    assert blobs.read(digest) == b"late"


def contents(chance):
    """Files of a pack, some of them often the same."""
    return {"pack.yaml": pack_text(chance.randint(1, 3)), "notes.txt": b"note %d" % chance.randint(0, 5)}


def one_of(chance, *kinds):
    """One of these rows, by chance; None where there is none."""
    rows = [row for kind in kinds for row in kind]
    return chance.choice(rows) if rows else None


def import_some(team, author, chance):
    import_pack(team, author, contents(chance), "given.zip", slug=f"parcels-{chance.randint(0, 2)}")


def preview_some(team, author, chance):
    found = preview(team, author, contents(chance), "seen.zip", slug=f"parcels-{chance.randint(0, 2)}")
    if chance.random() < 0.5:
        confirm(author, found.token)


def edit_some(team, author, chance):
    for draft in Pack.objects.all()[:2]:
        asset = one_of(chance, draft.assets.all())
        if asset is None or chance.random() < 0.3:
            editing.add_node(draft, NodeKind.ASSET, author, document={"key": f"file-{draft.revision}"})
        elif chance.random() < 0.7:
            editing.set_asset_content(draft, asset.pk, blobs.put(b"bytes %d" % chance.randint(0, 8)), author)
        else:
            editing.remove_node(draft, NodeKind.ASSET, asset.pk, author)


def undo_some(team, author, chance):
    for draft in Pack.objects.filter(edits__undone=False).distinct():
        undo(draft, author)


def publish_some(team, author, chance):
    for draft in Pack.objects.all()[:1]:
        publish(draft, author)


def run_some(team, author, chance):
    """A run that was stopped at once, and records that wait to be imported."""
    version = one_of(chance, PackVersion.objects.kept())
    if version is not None:
        seed_agents(team, author)
        cancel(launch(author, version, [Agent.objects.get(team=team, name="echo")]))
        wait(version, author, "records.jsonl", b"record %d" % chance.randint(0, 5), Wish())


def delete_some(team, author, chance):
    row = one_of(chance, Pack.objects.all(), Run.objects.all())
    if row is not None:
        delete(row, author)


def binned(team):
    return [row for kind in KINDS for row in in_bin(team, kind)]


def bring_back_some(team, author, chance):
    row = one_of(chance, binned(team))
    if row is not None:
        bring_back(row, author)


def purge_some(team, author, chance):
    row = one_of(chance, binned(team))
    if row is not None:
        purge(row, author)


def sweep_some(team, author, chance):
    """A sweep on the way, when all of this is a day old."""
    pass_time()
    sweep_bytes()


ACTS = [import_some, preview_some, edit_some, edit_some, undo_some, publish_some, run_some]
ACTS += [delete_some, delete_some, bring_back_some, purge_some, sweep_some]
REFUSALS = (ImportRefused, PublishRefused, editing.EditRefused, LaunchRefused, BinRefused)


@settings(max_examples=drawn(10), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 1000)), min_size=3, max_size=14))
def test_after_a_sweep_the_bytes_that_nothing_refers_to_are_gone_and_nothing_else(team, author, steps):
    shutil.rmtree(default_storage.path(blobs.ROOT), ignore_errors=True)
    with transaction.atomic():
        do(steps, team, author)
        transaction.set_rollback(True)


def do(steps, team, author):
    for act, seed in steps:
        try:
            act(team, author, random.Random(seed))
        except REFUSALS:
            continue
    pass_time()
    forget_old_uploads()
    forget_old_jobs()
    before, wanted = {blob.pk for blob in Blob.objects.all()}, named()
    sweep()
    assert {blob.pk for blob in Blob.objects.all()} == before & wanted
    assert set(stored()) == {blobs.name_of(digest) for digest in before & wanted}
    read_everything(team, author)


def read_everything(team, author):
    """Nothing that somebody can come to misses bytes: drafts as they were and are, versions, all of the bin."""
    for row in binned(team):
        with suppress(BinRefused):
            bring_back(row, author)
    for draft in Pack.objects.all():
        export_draft(draft)
        source_files(draft)
        while undoable(draft, author):
            undo(draft, author)
        export_draft(draft)
    for version in PackVersion.objects.kept():
        export_version(version)
