"""Real servers for tests: PostgreSQL, Redis, and a studio of its own with worker and web processes.

Everything listens on 127.0.0.1 only and keeps its data in folders of the test.
"""

import fcntl
import json
import os
import pwd
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import closing, contextmanager
from functools import cache, cached_property
from pathlib import Path

import psutil

from studio.serving.command import web_command

ROOT = Path(__file__).resolve().parent.parent
# Long, for busy machines: a test waits for a condition, never for a time. A program that is waited for to its end has
# no limit of its own: that of the whole test ends what hangs.
STARTING_SECONDS = 480
ENDING_SECONDS = 240
DATABASE = "packwright.sqlite3"
# How Playwright launches the browser: Chromium without its own windows costs half the work of the whole one.
BROWSER = {"executable_path": "/usr/bin/chromium-headless-shell", "args": ["--disable-dev-shm-usage", "--disable-gpu"]}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def postgres_binaries():
    """The folder of the newest PostgreSQL server; None where there is none, or nobody who may run it."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    try:
        pwd.getpwnam("postgres")
    except KeyError:
        return None
    return folders[-1] if folders else None


class Server:
    """A server process that can be stopped and started again on the same port and data."""

    def __init__(self, command, port, address, ending, **more):
        self.command, self.port, self.address, self.ending, self.more = command, port, address, ending, more
        self.start()

    def start(self):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(self.command, **quiet, **self.more)
        wait_until(lambda: answers(self.port), self.command[0])

    def stop(self):
        self.process.send_signal(self.ending)
        self.process.wait(ENDING_SECONDS)

    def restart(self, away=0.0):
        """Stop it, stay away for so many seconds, start it again."""
        self.stop()
        time.sleep(away)
        self.start()


@contextmanager
def postgres():
    """A PostgreSQL server with a database whose tables are up to date."""
    made = made_once("postgres", migrate_postgres) / "data"
    with postgres_on(lambda data, **as_postgres: subprocess.run(["cp", "-a", made, data], check=True)) as server:
        yield server


def migrate_postgres(folder):
    """Put the data of a server into a folder, with all tables."""
    with postgres_on(initdb) as server:
        migrate(folder, DATABASE_URL=server.address)
        server.stop()
        subprocess.run(["cp", "-a", server.more["cwd"] / "data", folder], check=True)


def initdb(data, **as_postgres):
    command = [postgres_binaries() / "initdb", "-D", data, "-A", "trust", "-U", "studio", "-E", "UTF8"]
    subprocess.run([*command, "--locale=C.UTF-8", "--no-sync"], check=True, capture_output=True, **as_postgres)


@contextmanager
def postgres_on(fill):
    """A PostgreSQL server on data that `fill` puts into a folder."""
    user = pwd.getpwnam("postgres")
    folder = Path(tempfile.mkdtemp(prefix="packwright-pg-"))
    port = free_port()
    shutil.chown(folder, user.pw_uid, user.pw_gid)
    as_postgres = {"cwd": folder, "env": {"PATH": "/usr/bin:/bin"}}
    if os.geteuid() == 0:
        # The server refuses to run as root.
        as_postgres |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    fill(folder / "data", **as_postgres)
    settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": folder, "fsync": "off"}
    settings |= {"synchronous_commit": "off", "full_page_writes": "off"}
    command = [postgres_binaries() / "postgres", "-D", folder / "data", "-p", str(port)]
    command += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    address = f"postgres://studio@127.0.0.1:{port}/postgres"
    server = Server(command, port, address, signal.SIGINT, **as_postgres)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def redis():
    """A Redis server that keeps nothing when it is stopped."""
    folder = tempfile.mkdtemp(prefix="packwright-redis-")
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    server = Server([*command, "--dir", folder], port, f"redis://127.0.0.1:{port}/0", signal.SIGTERM)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition, what, seconds=STARTING_SECONDS):
    """Wait for a condition; its value when it is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what} was not there after {seconds} s")


@cache
def made_once(name, make):
    """A folder that `make` fills once, for all processes that share the tests."""
    folder = Path(os.environ["PACKWRIGHT_TEST_SHARED"], name)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = folder.with_suffix(".made")
        if not made.exists():
            folder.mkdir()
            make(folder)
            made.touch()
    return folder


def migrate(folder, **environment):
    """Bring the tables of a studio whose data lies in this folder up to date."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PACKWRIGHT_VAR": str(folder),
        **environment,
    }
    command = [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def migrated():
    """An SQLite database whose tables are up to date."""
    return made_once("sqlite", migrate) / DATABASE


class Studio:
    """A studio with data of its own, worked through its command line and real processes."""

    def __init__(self, folder, **environment):
        self.folder = Path(folder)
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "PYTHONPATH": str(ROOT),
            "PACKWRIGHT_VAR": str(self.folder),
            # Processes of their own use threads as real ones do.
            "PACKWRIGHT_TRIAL_THREADS": "500",
            **environment,
        }
        self.processes = []
        self.folder.mkdir(parents=True, exist_ok=True)
        if "DATABASE_URL" not in self.environment:
            shutil.copy(migrated(), self.folder)

    def manage(self, *arguments, expect=0):
        return self.python(str(ROOT / "manage.py"), *arguments, expect=expect)

    def python(self, *arguments, expect=0):
        command = [sys.executable, *(str(part) for part in arguments)]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == expect, f"{arguments}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def scene(self, *arguments):
        """Ask `tests.runs.scene` inside this studio; its answer is JSON."""
        code = f"from tests.runs.scene import act; act(*{arguments!r})"
        return json.loads(self.manage("shell", "--no-imports", "--verbosity", "0", "--command", code))

    def start(self, *command):
        with (self.folder / "processes.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *command], cwd=ROOT, env=self.environment, stdout=log, stderr=log, process_group=0
            )
        self.processes.append(process)
        return process

    def start_worker(self, slots=2):
        command = ["-m", "celery", "-A", "studio", "worker", "--pool", "prefork", "--concurrency", str(slots)]
        return self.start(*command, "--without-gossip", "--without-mingle", "--loglevel", "warning")

    def start_web(self, port):
        process = self.start(*web_command("127.0.0.1", port, workers=1)[1:])
        wait_until(lambda: answers(port), "the web process")
        return process

    def kill(self, process):
        """SIGKILL of a process and of everything that it started."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(ENDING_SECONDS)
        self.processes.remove(process)

    def close(self):
        for process in list(self.processes):
            self.kill(process)


class StartedStudio:
    """A running `manage.py up` and what it has printed."""

    def __init__(self, folder, *arguments, settings="tests.settings"):
        self.port, self.folder = free_port(), folder
        self.environment = {**os.environ, "PACKWRIGHT_VAR": str(folder), "DJANGO_SETTINGS_MODULE": settings}
        self.log = folder.with_name(f"up-{self.port}.log")
        if settings == "tests.settings" and not folder.exists():
            folder.mkdir()
            shutil.copy(migrated(), folder)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up", "--port", str(self.port), *arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    @cached_property
    def password(self):
        """The administrator's, which lies in a file until the first sign-in."""
        return Path(re.search(r"The password is in (\S+),", self.output)[1]).read_text().strip()

    @property
    def output(self):
        return self.log.read_text()

    def wait_for(self, text, seconds=STARTING_SECONDS):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if text in self.output:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError(f"{text!r} was not printed:\n{self.output}")

    def wait_for_worker(self):
        """Until a worker has given its first sign of life."""
        with closing(sqlite3.connect(self.folder / DATABASE)) as database:
            asked = "SELECT count(*) FROM runs_workerbeat"
            wait_until(lambda: database.execute(asked).fetchone()[0], "the worker")

    def get(self, path):
        with urllib.request.urlopen(f"{self.address}{path}", timeout=ENDING_SECONDS) as response:
            return response.status

    def manage(self, *arguments):
        """What a command of `manage.py` prints; its exit code may be anything."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)
        return done.stdout

    def children(self):
        return psutil.Process(self.process.pid).children(recursive=True)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(ENDING_SECONDS)
