"""`manage.py up` as a new user starts it: real processes on data of their own."""

import io
import os
import re
import shutil
import signal
import socket
import sqlite3
import time
import urllib.request
from contextlib import closing
from threading import Timer

import psutil
import pytest
from django.core.management import CommandError

from runs.sandbox import bubblewrap
from studio.management.commands.up import STEADY_SECONDS, Child, Command, static_files_are_stale
from tests.services import ENDING_SECONDS, STARTING_SECONDS, StartedStudio, answers, wait_until

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def first_start(tmp_path_factory):
    """What the first start of a studio printed, and the data that it left."""
    studio = StartedStudio(tmp_path_factory.mktemp("first") / "data", settings="studio.settings")
    studio.wait_for("Packwright is ready")
    assert studio.get("/readyz") == 200
    page = urllib.request.urlopen(f"{studio.address}/", timeout=ENDING_SECONDS).read().decode()
    studio.looks = {path: studio.get(path) for path in re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', page)}
    studio.stop()
    return studio


def again(first_start, folder, *arguments):
    """Start a studio on a copy of what was started once before; the static files are the same."""
    if not folder.exists():
        shutil.copytree(first_start.folder, folder, ignore=shutil.ignore_patterns("static"))
        (folder / "static").symlink_to(first_start.folder / "static")
    return StartedStudio(folder, *arguments)


@pytest.fixture
def start(first_start, tmp_path):
    """Starts a studio that was started once before."""
    started = []

    def start_studio(*arguments):
        studio = again(first_start, tmp_path / "data", *arguments)
        started.append(studio)
        return studio

    yield start_studio
    for studio in started:
        studio.stop()


@pytest.fixture(scope="module")
def working(first_start, tmp_path_factory):
    """A second start, with a worker."""
    studio = again(first_start, tmp_path_factory.mktemp("working") / "data")
    studio.wait_for("Packwright is ready")
    yield studio
    studio.stop()


def test_a_first_start_ends_with_an_address_and_a_password(first_start):
    assert first_start.address in first_start.output
    assert len(first_start.password) >= 12


def test_a_first_start_answers_the_script_and_the_style_of_its_pages(first_start):
    assert set(first_start.looks.values()) == {200}
    assert {path.rsplit(".", 1)[1] for path in first_start.looks} == {"css", "js"}


def test_a_second_start_makes_no_second_administrator(working):
    assert "password" not in working.output.lower()


def test_two_studios_cannot_share_their_data(working):
    second = StartedStudio(working.folder, "--no-worker")
    assert second.process.wait(STARTING_SECONDS) != 0
    assert working.get("/healthz") == 200


EVERY_SECOND = """\
from django_celery_beat.models import IntervalSchedule, PeriodicTask
every = IntervalSchedule.objects.create(every=1, period="seconds")
PeriodicTask.objects.create(name="sweep", task="runs.jobs.sweep", interval=every)
"""


def test_what_the_timetable_says_is_sent(working):
    working.manage("shell", "--no-imports", "--command", EVERY_SECOND)
    counted = "SELECT sum(total_run_count) FROM django_celery_beat_periodictask"
    with closing(sqlite3.connect(working.folder / "packwright.sqlite3")) as database:
        wait_until(lambda: database.execute(counted).fetchone()[0], "a message of the timetable")


def web_and_what_it_started(studio):
    """The web process, and the one that answers at the port."""
    children = psutil.Process(studio.process.pid).children()
    web = next(child for child in children if "granian" in child.cmdline())
    return web, web.children(recursive=True)


def wait_for_the_end_of(processes):
    assert processes
    assert psutil.wait_procs(processes, timeout=ENDING_SECONDS)[1] == []


def test_what_answered_at_the_port_ends_with_its_parent_and_another_takes_its_place(working):
    web, answering = web_and_what_it_started(working)
    web.kill()
    wait_for_the_end_of(answering)
    wait_until(lambda: answers(working.port), "another web process")
    assert working.get("/healthz") == 200
    assert "The web process ended (code -9); starting it again" in working.output


def test_stopping_leaves_nothing_of_a_web_process_that_was_killed_just_before(start):
    studio = start("--no-worker")
    studio.wait_for("Packwright is ready")
    web, answering = web_and_what_it_started(studio)
    web.kill()
    studio.process.send_signal(signal.SIGINT)
    studio.process.wait(ENDING_SECONDS)
    wait_for_the_end_of(answering)


def test_a_killed_supervisor_does_not_block_the_next_start_which_stops_without_a_process_left(start):
    first = start("--no-worker")
    first.wait_for("Packwright is ready")
    children = first.children()
    first.process.kill()
    first.process.wait(ENDING_SECONDS)
    second = start()
    second.wait_for("Packwright is ready")
    wait_for_the_end_of(children)
    children = second.children()
    second.stop()
    wait_for_the_end_of(children)


def test_children_of_a_killed_supervisor_end_by_themselves(start):
    studio = start()
    studio.wait_for("Packwright is ready")
    children = studio.children()
    studio.process.kill()
    wait_for_the_end_of(children)


def test_what_is_left_of_a_killed_supervisor_and_a_killed_web_process_does_not_hold_the_port(start):
    first = start("--no-worker")
    first.wait_for("Packwright is ready")
    web, answering = web_and_what_it_started(first)
    first.process.send_signal(signal.SIGSTOP)
    web.kill()
    first.process.kill()
    first.process.wait(ENDING_SECONDS)
    second = start("--no-worker", "--port", str(first.port))
    second.wait_for("Packwright is ready")
    wait_for_the_end_of(answering)


def test_a_port_is_waited_for_when_something_of_before_is_still_ending():
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        with pytest.raises(CommandError, match="is taken"):
            Command().require_free_port(port, 0)
        ending = Timer(0.3, held.close)
        ending.start()
        Command().require_free_port(port, ENDING_SECONDS)
        ending.join()


@pytest.mark.parametrize("kind", ["local", "no-such-kind", "landlock"])
def test_a_start_tells_where_programs_are_not_fully_confined(settings, kind):
    settings.SANDBOX, settings.ALLOW_LOCAL_COMMANDS = kind, True
    told = io.StringIO()
    Command(stdout=told).tell_isolation()
    assert "doctor" in told.getvalue()


@pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle())
def test_a_start_has_nothing_to_tell_where_they_are(settings):
    settings.SANDBOX = "bubblewrap"
    told = io.StringIO()
    Command(stdout=told).tell_isolation()
    assert told.getvalue() == ""


def test_a_process_that_keeps_ending_is_started_more_and_more_slowly_but_not_after_a_steady_run():
    child, pauses = Child("web", []), []
    for _ in range(7):
        child.started = time.monotonic()
        pauses.append(child.plan_restart())
    assert pauses == [1, 3, 7, 15, 30, 30, 30]
    child.started = time.monotonic() - STEADY_SECONDS - 1
    assert child.plan_restart() == 0


def test_a_new_front_end_is_collected_again(settings, tmp_path):
    bundle, collected = tmp_path / "dist" / "app.css", tmp_path / "static" / "staticfiles.json"
    settings.STATICFILES_DIRS = [("dist", bundle.parent)]
    settings.STATIC_ROOT = collected.parent
    for path in (bundle, collected):
        path.parent.mkdir()
        path.touch()
    os.utime(bundle, (1000, 1000))
    assert not static_files_are_stale()
    os.utime(bundle, (time.time() + 60, time.time() + 60))
    assert static_files_are_stale()
