"""The studio's settings for tests: data in a folder of their own, quick passwords, static files as they are."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

# Processes that a test starts inherit the variable and with it the same data.
if "PACKWRIGHT_VAR" not in os.environ:
    os.environ["PACKWRIGHT_VAR"] = tempfile.mkdtemp(prefix="packwright-test-")

# Processes that share the tests have this folder in common, for what is made once and copied.
if "PACKWRIGHT_TEST_SHARED" not in os.environ:
    os.environ["PACKWRIGHT_TEST_SHARED"] = tempfile.mkdtemp(prefix="packwright-shared-")
    atexit.register(shutil.rmtree, os.environ["PACKWRIGHT_TEST_SHARED"], ignore_errors=True)

# Processes that share the tests among them share no data: one would find the messages of the other in its queue.
# What a test starts in turn inherits the name of its process, and keeps the data that it is given.
if os.environ.get("PYTEST_XDIST_WORKER", "") not in {"", os.environ.get("PACKWRIGHT_TEST_WORKER")}:
    os.environ["PACKWRIGHT_TEST_WORKER"] = os.environ["PYTEST_XDIST_WORKER"]
    os.environ["PACKWRIGHT_VAR"] = str(Path(os.environ["PACKWRIGHT_VAR"], os.environ["PYTEST_XDIST_WORKER"]))

# Jobs that a test works off in its own process stay in its own thread, which alone sees the test's transaction.
os.environ.setdefault("PACKWRIGHT_TRIAL_THREADS", "1")

from studio.settings import *  # noqa: F403
from studio.settings import DATABASES, SQLITE_OPTIONS, STATIC_ROOT, STORAGES, VAR_DIR

STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, as in real life: the threads of a live server would lock each other out of a database in memory.
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
    # Data of tests outlives processes that are killed, but need not outlive a power cut.
    unsynced = SQLITE_OPTIONS["init_command"].replace("synchronous=NORMAL", "synchronous=OFF")
    DATABASES["default"]["OPTIONS"] = {**SQLITE_OPTIONS, "init_command": unsynced}
# A test asks as often as it likes.
API_PER_MINUTE = 0
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_USE_FINDERS = True
# Each client of a test has middleware of its own, which would look up all files before the first request.
WHITENOISE_AUTOREFRESH = True
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
# Where this Python lies, so that programs of tests can be Python also in a sandbox.
SANDBOX_READ_ONLY_PATHS = sorted({sys.prefix, sys.base_prefix})
