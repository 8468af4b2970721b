"""The system calls that containers are refused, in the words of their engines: a seccomp profile.

It stands in the place of the engine's own, which allows AF_VSOCK in releases that are still in use, and refuses what
that one refuses to programs without rights.
"""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from runs.sandbox.seccomp import CLONE_NEW, ENOSYS, EPERM, FAMILIES, REFUSED, TIOCLINUX, TIOCSTI

# Calls for the placing of memory, for ports of devices, and of kernels of long ago. The call for all sockets of 32-bit
# programs keeps its arguments in memory, where no filter can look.
REFUSED_HERE = (
    *("get_mempolicy", "mbind", "migrate_pages", "move_pages", "set_mempolicy", "ioperm", "iopl", "vm86", "vm86old"),
    *("_sysctl", "create_module", "get_kernel_syms", "nfsservctl", "query_module", "stime", "sysfs", "umount"),
    *("uselib", "ustat", "socketcall"),
)
# With those that run on the same kernel: engines end programs of processors that are not named.
ARCHITECTURES = (
    {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": ["SCMP_ARCH_X86", "SCMP_ARCH_X32"]},
    {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": ["SCMP_ARCH_ARM"]},
)
WORD = 0xFFFFFFFF


@cache
def profile() -> str:
    """The profile as JSON, as the engine takes it."""
    return json.dumps({"defaultAction": "SCMP_ACT_ALLOW", "archMap": ARCHITECTURES, "syscalls": list(_refusals())})


def _refusals() -> Iterator[dict[str, Any]]:
    yield _refused(*REFUSED, *REFUSED_HERE)
    yield _refused("clone3", error=ENOSYS)
    for bit in (1 << place for place in range(32) if CLONE_NEW >> place & 1):
        yield _refused("clone", where=_condition(0, "SCMP_CMP_MASKED_EQ", bit, bit))
    for value in (TIOCSTI, TIOCLINUX):
        yield _refused("ioctl", where=_condition(1, "SCMP_CMP_MASKED_EQ", WORD, value))
    # Conditions of one rule hold for different arguments, so each family that is refused has a rule.
    for family in set(range(max(FAMILIES))).difference(FAMILIES):
        yield _refused("socket", "socketpair", where=_condition(0, "SCMP_CMP_EQ", family))
    yield _refused("socket", "socketpair", where=_condition(0, "SCMP_CMP_GT", max(FAMILIES)))


def _refused(*names: str, error: int = EPERM, where: dict[str, Any] | None = None) -> dict[str, Any]:
    conditions = [where] if where else []
    return {"names": list(names), "action": "SCMP_ACT_ERRNO", "errnoRet": error, "args": conditions}


def _condition(index: int, operator: str, value: int, second: int = 0) -> dict[str, Any]:
    return {"index": index, "value": value, "valueTwo": second, "op": operator}
