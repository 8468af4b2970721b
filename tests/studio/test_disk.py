"""A full disk: a file system of its own that takes nothing more, and a database that may not grow."""

import os
from contextlib import suppress

import pytest
from django.db import DatabaseError, connection
from django.urls import reverse
from kombu.transport.filesystem import Channel

from packs.celery import app
from packs.messages import send_job
from runs.models import Agent, Run
from runs.sandbox import mounts
from studio.disk import is_for_want_of_room
from tests.runs.studio_packs import pack_text, publish_text


@pytest.fixture
def full_disk(tmp_path):
    """A folder on a file system without room."""
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        mounts.mount_memory(folder, size=64 * 1024, inodes=100, user=os.geteuid())
    except OSError as error:
        pytest.skip(f"nothing can be mounted here: {error}")
    try:
        with (folder / "fill").open("wb", buffering=0) as opened, suppress(OSError):
            while opened.write(b"x" * 4096):
                pass
        yield folder
    finally:
        mounts.unmount(folder)


@pytest.fixture
def fill_database(transactional_db):
    """Let the database of this test grow no further; SQLite then says what it says on a full disk."""
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite can be told how large it may get")

    def fill():
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE fill (line BLOB)")
            most = cursor.execute("PRAGMA page_count").fetchone()[0]
            cursor.execute(f"PRAGMA max_page_count = {most}")
            with suppress(DatabaseError):
                while True:
                    cursor.execute("INSERT INTO fill VALUES (zeroblob(100))")

    yield fill
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1073741823")
        cursor.execute("DROP TABLE IF EXISTS fill")


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["VAR_DIR", "MEDIA_ROOT"])
def test_a_studio_without_room_on_disk_is_not_ready(client, settings, full_disk, name):
    assert client.get("/readyz").status_code == 200
    setattr(settings, name, full_disk)
    answered = client.get("/readyz")
    assert (answered.status_code, answered.json()["reason"]) == (503, "the disk is full")


def test_a_job_that_finds_no_room_is_left_to_the_sweeper(full_disk, monkeypatch):
    if not app.conf.broker_url.startswith("filesystem"):
        pytest.skip("the broker keeps its messages elsewhere")
    # A property: channels that are open already have looked up their folder.
    monkeypatch.setattr(Channel, "data_folder_out", property(lambda channel: str(full_disk)))
    assert send_job("runs.jobs.nothing", 1) is False


def test_a_new_run_that_finds_no_room_is_answered_with_a_message(fill_database, author, as_author, team):
    version = publish_text(team, author, pack_text({"default": 3}, slug="single"), slug="single")
    agent = Agent.objects.create(team=team, name="echo", kind="echo")
    fill_database()
    page = as_author.post(reverse("runs:new"), {"version": version.pk, "trials": "50", "agent": agent.pk})
    assert (page.status_code, "disk of the studio is full" in page.content.decode()) == (507, True)
    wanted = {"pack": "single", "agents": ["echo"], "trials": 50}
    told = as_author.post("/api/v1/runs/", wanted, content_type="application/json")
    assert (told.status_code, [finding["code"] for finding in told.json()["findings"]]) == (507, ["api.disk_full"])
    assert not Run.objects.exists()


def test_other_trouble_of_the_database_stays_a_mistake(db):
    with pytest.raises(DatabaseError) as raised, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM nowhere")
    assert not is_for_want_of_room(raised.value)
