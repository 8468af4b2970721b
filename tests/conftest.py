"""Fixtures that every part shares: a team with a member of each role, a stranger, their sessions."""

import gc
import shutil
import threading
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.files.storage import FileSystemStorage, default_storage

from packs.access import Role
from packs.models import Team
from runs.jobs.gating.cases import standings_of
from runs.jobs.queue import heartbeats
from runs.jobs.trials import execution
from runs.jobs.trials.frozen import frozen_set, frozen_version
from runs.results.memory import MEMORY
from tests import database_file
from tests.openai_server import serving
from tests.people import client_of, make_member
from tests.services import migrated

database_file.watch()
# Collected tests are a million objects that stay; looking for garbage among them takes a tenth of the time of tests.
gc.set_threshold(200_000)

# A busy machine is no trouble of what is generated.
hypothesis.settings.register_profile("patient", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("patient")
# The same examples each time: what the first of them find is found, and more of them would find nothing new.
hypothesis.settings.register_profile("ci", hypothesis.settings.get_profile("ci"), max_examples=40)


# Files of tests that wait long, for processes or pages, or that work long.
LONG = ("services", "browser", "long")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Long files come first, or one process would work on the last of them while all others have nothing to do."""
    long = {item.path for item in items if any(map(item.get_closest_marker, LONG))}
    items.sort(key=lambda item: item.path not in long)


def pytest_collection_finish():
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings):
    """Tests begin with a copy of a migrated database: a migration of their own takes seven seconds in each process."""
    database = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3"):
        yield False
        return
    place = Path(database["TEST"]["NAME"])
    shutil.copy(migrated(), place)
    yield True
    place.unlink()


@pytest.fixture(scope="session")
def folders_of_files(tmp_path_factory):
    """Names for folders, which are made when something is stored in them; most tests store nothing."""
    folder = tmp_path_factory.mktemp("files")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def files_of_their_own(settings, folders_of_files):
    """Each test keeps its uploaded files in a folder of its own."""
    settings.MEDIA_ROOT = next(folders_of_files)
    # A test that changes settings of static files leaves the storage without what it wraps.
    default_storage._wrapped = FileSystemStorage(location=settings.MEDIA_ROOT)


@pytest.fixture(autouse=True)
def jobs_that_end_their_work(monkeypatch):
    """A job in a test begins all trials of its run, however slow the machine is: no other job follows it here."""
    monkeypatch.setattr(execution, "TURN_SECONDS", execution.SHIFT_SECONDS)


@pytest.fixture(autouse=True)
def leases_that_wait_for_no_test(request, monkeypatch):
    """A test that is one transaction waits for the end of its job, whose heartbeat would wait for that transaction."""
    mark = request.node.get_closest_marker("django_db")
    commits = mark is not None and mark.kwargs.get("transaction", False)
    if not commits and not {"transactional_db", "live_server"}.intersection(request.fixturenames):
        monkeypatch.setattr(heartbeats, "BEAT_SECONDS", threading.TIMEOUT_MAX)


@pytest.fixture(autouse=True)
def nothing_kept_of_others():
    """Ids come again after a rollback; what is kept of a version or a run would then be another test's."""
    frozen_version.cache_clear()
    frozen_set.cache_clear()
    standings_of.cache_clear()
    MEMORY.forget()
    cache.clear()


@pytest.fixture
def team(db):
    return Team.objects.create(slug="default", name="Default team")


@pytest.fixture
def other_team(db):
    return Team.objects.create(slug="other", name="Other team")


@pytest.fixture
def members(team):
    """A user per role of `team`."""
    return {role: make_member(team, role) for role in Role}


@pytest.fixture
def author(team):
    return make_member(team, Role.AUTHOR)


@pytest.fixture
def administrator(team):
    return make_member(team, Role.ADMINISTRATOR)


@pytest.fixture
def stranger(other_team):
    """Signed in, all powers in another team, no member of `team`."""
    return make_member(other_team, Role.ADMINISTRATOR)


@pytest.fixture
def as_author(author):
    return client_of(author)


@pytest.fixture
def as_administrator(administrator):
    return client_of(administrator)


@pytest.fixture
def as_stranger(stranger):
    return client_of(stranger)


@pytest.fixture
def as_nobody(db):
    return client_of(None)


@pytest.fixture(scope="session")
def running_model_server():
    with serving() as server:
        yield server


@pytest.fixture
def model_server(running_model_server):
    """A place where models answer as a test scripts them (`tests.openai_server`)."""
    running_model_server.reset()
    return running_model_server
