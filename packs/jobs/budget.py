"""What one job may use of its worker: processor time and memory. A job that needs more ends, and says so."""

import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from packs.formats.costs import MUCH_MEMORY, MUCH_TIME
from packs.formats.findings import Finding

# Processor seconds beyond the budget after which the system itself ends a worker that cannot be interrupted.
GRACE_SECONDS = 60
# How soon the work is interrupted again where Python dropped the interruption.
AGAIN_SECONDS = 0.01
_STATM = Path("/proc/self/statm")


class Overspent(BaseException):
    """The work needs more than it may use; `finding` says of what. No handler of ordinary errors takes it for one."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


@contextmanager
def budget(seconds: float, mebibytes: int) -> Iterator[None]:
    """Do work with so much processor time, and with so much memory beyond what the process has already.

    Raises Overspent. Only the main thread of a process can do such work; workers do jobs there.
    """
    with _memory(mebibytes), _time(seconds):
        try:
            yield
        except MemoryError as error:
            raise Overspent(MUCH_MEMORY.at((), mebibytes=mebibytes)) from error


@contextmanager
def _time(seconds: float) -> Iterator[None]:
    """Python code is interrupted once; for code that hears no signal the system has a limit of its own.

    Where the interruption falls into a finalizer or a callback of the garbage collector, Python drops it.
    """

    def stop(number: int, frame: object) -> None:
        raise Overspent(MUCH_TIME.at((), seconds=f"{seconds:g}"))

    def dropped(unraisable: "sys.UnraisableHookArgs") -> None:
        if isinstance(unraisable.exc_value, Overspent):
            signal.setitimer(signal.ITIMER_PROF, AGAIN_SECONDS)
        else:
            hook(unraisable)

    hook, sys.unraisablehook = sys.unraisablehook, dropped
    before = signal.signal(signal.SIGPROF, stop)
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    with _limited(resource.RLIMIT_CPU, int(used + seconds + GRACE_SECONDS)):
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
            sys.unraisablehook = hook


@contextmanager
def _memory(mebibytes: int) -> Iterator[None]:
    """Where the system does not say how much the process has, memory has no limit."""
    if not _STATM.exists():
        yield
        return
    data_pages = int(_STATM.read_text().split()[5])
    with _limited(resource.RLIMIT_DATA, data_pages * os.sysconf("SC_PAGE_SIZE") + mebibytes * 1024 * 1024):
        yield


@contextmanager
def _limited(kind: int, value: int) -> Iterator[None]:
    """Lower a limit of the process for a while; one that is lower already stays."""
    soft, hard = resource.getrlimit(kind)
    known = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(kind, (min([value, *known]), hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, (soft, hard))
