"""`manage.py up`: one command that prepares the studio and keeps its web, worker and beat processes running."""

import ctypes
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command

from runs.apps import OF_SETTINGS
from runs.jobs.queue.workers import is_at_work
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.sandbox.contract import Isolation
from studio.first_password import handed_over
from studio.first_start import ADMINISTRATOR, prepare
from studio.rights import close_places, words_for
from studio.serving.command import web_command

HOST = "127.0.0.1"
STOP_SECONDS = 10
# How long workers have to notice the end before it is asked whether they are at work at all.
IDLE_SECONDS = 0.8
# A process that ends sooner than this after its start is started again more and more slowly.
STEADY_SECONDS = 20
MAX_PAUSE_SECONDS = 30
SET_PARENT_DEATH = 1
libc = ctypes.CDLL(None)


def static_files_are_stale() -> bool:
    """Whether the bundled front end is newer than what was collected from it, or nothing was collected."""
    collected = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if not collected.exists():
        return True
    bundled = (path.stat().st_mtime for _, folder in settings.STATICFILES_DIRS for path in Path(folder).rglob("*"))
    return max(bundled, default=0.0) > collected.stat().st_mtime


def ask_to_end_with_parent() -> None:
    """In a child: have it asked to end when this process dies, however that happens."""
    libc.prctl(SET_PARENT_DEATH, signal.SIGTERM)


def members_of(group: int) -> Iterator[int]:
    """The processes of a process group."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(ProcessLookupError):
            if os.getpgid(int(entry.name)) == group:
                yield int(entry.name)


def works_here(pid: int) -> bool:
    """Whether a process works in the folder of this studio, as all its processes do."""
    try:
        return Path(os.readlink(f"/proc/{pid}/cwd")) == Path(settings.BASE_DIR)
    except OSError:
        return False


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


@dataclass
class Child:
    """A supervised process. It leads a process group of its own, so that all it started can be stopped with it."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0
    due: float = 0.0
    waits_for_pages: bool = False

    def start(self) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            self.command, cwd=settings.BASE_DIR, process_group=0, preexec_fn=ask_to_end_with_parent
        )

    def has_ended(self) -> bool:
        """Look without reaping, so that the number of the group cannot belong to anybody else when it is killed."""
        if self.process is None:
            return False
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def plan_restart(self) -> float:
        """Note the end of the process; gives the seconds until it is started again.

        What it had started ends as well: a web process without its parent would go on answering at the port.
        """
        self.kill()
        self.process = None
        ran = time.monotonic() - self.started
        self.failures = 0 if ran > STEADY_SECONDS else self.failures + 1
        pause = min(MAX_PAUSE_SECONDS, 2.0**self.failures - 1)
        self.due = time.monotonic() + pause
        return pause

    def ask_to_end(self) -> None:
        """Signal the leader alone: it ends its own children when their present work is done."""
        if self.process is not None and self.is_alive():
            self.process.terminate()

    def kill(self) -> None:
        """End whatever is left of the group."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Command(BaseCommand):
    help = "Prepare the studio and run its web, worker and beat processes until interrupted."
    requires_system_checks = (OF_SETTINGS,)
    stopping = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="port of the web process (8000)")
        parser.add_argument(
            "--no-worker", action="store_true", help="run the web process only: no trials, no schedules"
        )
        parser.add_argument("--slots", type=int, default=2, help="worker processes (2), each for several trials")

    def handle(self, *args: Any, **options: Any) -> None:
        settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
        with (settings.VAR_DIR / "up.lock").open("w") as lock:
            self.claim(lock)
            self.require_free_port(options["port"], STOP_SECONDS if self.stop_leftovers() else 0)
            self.prepare()
            self.supervise(self.children(options), options["port"])

    def claim(self, lock: IO[str]) -> None:
        """Raise CommandError when another `up` serves the same data."""
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError("The studio is running already on this data. Stop it first (Ctrl+C there).") from None

    def require_free_port(self, port: int, seconds: float) -> None:
        """Raise CommandError when the port is still taken after so many seconds."""
        deadline = time.monotonic() + seconds
        while not is_free(port):
            if time.monotonic() >= deadline:
                raise CommandError(f"Port {port} is taken. Choose another: manage.py up --port {port + 1}")
            time.sleep(0.05)

    def prepare(self) -> None:
        self.say("Bringing the database up to date ...")
        call_command("migrate", verbosity=0, interactive=False)
        if static_files_are_stale():
            self.say("Collecting static files ...")
            call_command("collectstatic", verbosity=0, interactive=False)
        password = prepare()
        if password:
            self.say(handed_over(ADMINISTRATOR, password, on_terminal=self.stdout.isatty()))
        if still_open := close_places():
            self.say(f"Look at this: {words_for(still_open)}.")
        self.tell_isolation()
        if os.geteuid() == 0:
            self.say(
                "The studio runs as root: fine for a trial; give it a user of its own before a team works with it."
            )

    def tell_isolation(self) -> None:
        """Say it where programs of agents are not fully confined, or cannot run at all."""
        choice = chosen_sandbox()
        if choice.ISOLATION is not Isolation.FULL:
            found = f"Programs of agents run in: {choice.LABEL} (isolation: {choice.ISOLATION})."
            self.say(f"{choice.obstacle() or found} `manage.py doctor` says more.")
            if shutil.which("bwrap") is None:
                self.say("For better isolation install bubblewrap (Debian, Ubuntu: apt install bubblewrap).")

    def children(self, options: dict[str, Any]) -> list[Child]:
        children = [Child("web", web_command(HOST, options["port"], workers=1))]
        if not options["no_worker"]:
            celery = [sys.executable, "-m", "celery", "--quiet", "-A", "studio"]
            worker = [*celery, "worker", "--pool", "prefork"]
            worker += ["--concurrency", str(options["slots"]), "--without-gossip", "--without-mingle"]
            worker += ["--loglevel", "warning", "--hostname", f"worker-{os.getpid()}@%h"]
            beat = [*celery, "beat", "--loglevel", "warning", "--pidfile="]
            beat += ["--scheduler", "django_celery_beat.schedulers:DatabaseScheduler"]
            # Schedules can wait until the pages are there, which then come sooner.
            children += [Child("worker", worker), Child("beat", beat, waits_for_pages=True)]
        return children

    def supervise(self, children: list[Child], port: int) -> None:
        """Keep the children running until a signal asks to stop."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.ask_to_stop)
        for child in children:
            if not child.waits_for_pages:
                child.start()
        self.remember(children)
        is_ready = False
        try:
            while not self.stopping:
                is_ready = is_ready or self.announce(port)
                self.revive([child for child in children if is_ready or not child.waits_for_pages])
                time.sleep(0.2 if is_ready else 0.05)
        finally:
            self.stop(children)

    def ask_to_stop(self, number: int, frame: object) -> None:
        self.stopping = True

    def announce(self, port: int) -> bool:
        """Whether the pages are there; says so when they are."""
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)):
                return False
        self.say(f"Packwright is ready: http://{HOST}:{port}/   (Ctrl+C stops it)")
        return True

    def revive(self, children: list[Child]) -> None:
        now = time.monotonic()
        for child in children:
            if child.has_ended():
                process, pause = child.process, child.plan_restart()
                code = process.returncode if process else None
                self.say(f"The {child.name} process ended (code {code}); starting it again in {pause:.0f} s.")
            elif child.process is None and now >= child.due:
                child.start()
                self.remember(children)

    def stop(self, children: list[Child]) -> None:
        self.say("Stopping ...")
        for child in children:
            child.ask_to_end()
        began = time.monotonic()
        while any(child.is_alive() for child in children) and time.monotonic() - began < STOP_SECONDS:
            # Celery takes its time to end even without work; nothing is lost when an idle worker is not waited for.
            if time.monotonic() - began >= IDLE_SECONDS and not children[0].is_alive() and not is_at_work():
                break
            time.sleep(0.1)
        for child in children:
            child.kill()
        self.pids_path.unlink(missing_ok=True)

    @property
    def pids_path(self) -> Path:
        return Path(settings.VAR_DIR) / "up.json"

    def remember(self, children: list[Child]) -> None:
        pids = [child.process.pid for child in children if child.process is not None]
        self.pids_path.write_text(json.dumps(pids))

    def stop_leftovers(self) -> bool:
        """End the children of an `up` that was killed: they would hold the port and the broker's messages.

        Gives whether an `up` was killed: what ends holds its port a little longer than it can be seen at work.
        """
        if not self.pids_path.exists():
            return False
        for group in json.loads(self.pids_path.read_text() or "[]"):
            # The leader can be gone while what it started goes on. Any other group of that number works elsewhere.
            deadline = time.monotonic() + STOP_SECONDS
            while any(works_here(pid) for pid in members_of(group)) and time.monotonic() < deadline:
                with suppress(ProcessLookupError):
                    os.killpg(group, signal.SIGKILL)
                time.sleep(0.05)
        self.pids_path.unlink()
        return True

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
