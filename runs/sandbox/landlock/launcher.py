"""Confine and start one program with Landlock and a filter of system calls; run by `python -I -S`.

It stays as the parent of everything that the program starts, daemons included, and ends all of it when the program has
ended, when it is told to end (SIGTERM), or when the worker dies. Everything comes as JSON through the first handle that
is named on the command line. Only the standard library, and little of it: this starts for each command.
"""

import ctypes
import json
import os
import resource
import signal
import sys
from types import FrameType
from typing import Any

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION, PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEVICE = 1, 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 15
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE
READ = EXECUTE | READ_FILE | READ_DIR
# How many kinds of access each version of Landlock knows (linux/landlock.h): 13, then renaming, truncating, devices.
KINDS_OF_VERSION = {1: 13, 2: 14, 3: 15, 4: 15}
LATEST_KINDS = 16
FROM_NETWORK, FROM_SCOPES = 4, 6
ALL_TCP, ALL_SCOPES = 3, 3
SET_PARENT_DEATH, SET_NO_NEW_PRIVILEGES, SET_SECCOMP, SET_SUBREAPER, FILTER = 1, 38, 22, 36, 2
NOT_STARTED = 125

libc = ctypes.CDLL(None, use_errno=True)


class Filter(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def main() -> int:
    with open(int(sys.argv[1]), "rb") as opened:
        plan = json.load(opened)
    reported, *locks = map(int, sys.argv[2:])
    # Also when the worker is dead, nobody else gets the user's number until `kill_user` has done its work.
    for handle in (reported, *locks):
        os.set_inheritable(handle, False)
    libc.prctl(SET_PARENT_DEATH, signal.SIGTERM)
    libc.prctl(SET_SUBREAPER, 1)
    if os.getppid() != plan["parent"]:
        return NOT_STARTED
    signal.signal(signal.SIGTERM, lambda number, frame: end(plan, frame))
    child = os.fork()
    if child == 0:
        start(plan, reported)
    os.close(reported)
    # Its ends of the pipes would keep them open after the program.
    empty = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(empty, handle)
    status = wait_for(child)
    end_all(plan)
    return status


def start(plan: dict[str, Any], reported: int) -> None:
    """Become the program; what prevents that is reported as `step error-number`."""
    step = "prepare"
    try:
        # Python ignores the last two, and programs would inherit that.
        for number in (signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        if plan["user"] is not None:
            os.setgroups([])
            os.setgid(plan["user"])
            os.setuid(plan["user"])
        libc.prctl(SET_PARENT_DEATH, signal.SIGKILL)
        for kind, value in plan["limits"]:
            lower(kind, value)
        must(libc.prctl(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
        confine(plan)
        code = bytes.fromhex(plan["filter"])
        must(libc.prctl(SET_SECCOMP, FILTER, ctypes.byref(Filter(len(code) // 8, code)), 0, 0))
        # From here on it is what programs left in the workspace that can stand in the way.
        step = "execute"
        os.chdir(plan["directory"])
        os.execvpe(plan["arguments"][0], plan["arguments"], plan["variables"])
    except OSError as error:
        os.write(reported, f"{step} {error.errno}".encode())
    os._exit(NOT_STARTED)


def confine(plan: dict[str, Any]) -> None:
    """Leave only the named paths. Raises OSError."""
    version = libc.syscall(CREATE_RULESET, None, 0, ASK_VERSION)
    handled = (1 << KINDS_OF_VERSION.get(version, LATEST_KINDS)) - 1
    network = 0 if plan["network"] or version < FROM_NETWORK else ALL_TCP
    scopes = ALL_SCOPES if version >= FROM_SCOPES else 0
    words = [handled, network, scopes][: 3 if version >= FROM_SCOPES else 2 if version >= FROM_NETWORK else 1]
    attributes = (ctypes.c_uint64 * len(words))(*words)
    ruleset = must(libc.syscall(CREATE_RULESET, ctypes.byref(attributes), ctypes.sizeof(attributes), 0))
    for path in plan["read"]:
        allow(ruleset, path, READ & handled)
    for path in plan["write"]:
        allow(ruleset, path, handled)
    must(libc.syscall(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def allow(ruleset: int, path: str, access: int) -> None:
    """Allow access below a path; one that the user does not see anyway is left out."""
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    rights = access if os.path.isdir(path) else access & OF_FILES
    rule = rights.to_bytes(8, sys.byteorder) + handle.to_bytes(4, sys.byteorder)
    must(libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0))
    os.close(handle)


def lower(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (wanted, wanted))


def must(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def wait_for(child: int) -> int:
    """The exit code of the program, for a signal as shells tell it. Orphans are reaped on the way."""
    while True:
        pid, status = os.wait()
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            return 128 - code if code < 0 else code


def end(plan: dict[str, Any], frame: FrameType | None) -> None:
    end_all(plan)
    os._exit(128 + signal.SIGTERM)


def end_all(plan: dict[str, Any]) -> None:
    """Kill and reap until there are no children; those of a child that died have become children of this process."""
    while True:
        for pid in children():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        if plan["user"] is not None:
            kill_user(plan["user"])
        try:
            os.wait()
        except ChildProcessError:
            return


def kill_user(user: int) -> None:
    """Kill all processes of the user at once, so that none can start another in time. Only this workspace has it."""
    pid = os.fork()
    if pid == 0:
        os.setgid(user)
        os.setuid(user)
        os.kill(-1, signal.SIGKILL)
        os._exit(0)
    os.waitpid(pid, 0)


def children() -> list[int]:
    with open(f"/proc/self/task/{os.getpid()}/children") as opened:
        return [int(pid) for pid in opened.read().split()]


if __name__ == "__main__":
    sys.exit(main())
