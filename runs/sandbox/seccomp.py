"""The filter of system calls: a classic BPF program (linux/filter.h, linux/seccomp.h) that the kernel runs for each.

It refuses what an escape needs and ordinary programs do without: new namespaces and mounts, tracing, kernel modules
and keys, io_uring, BPF, typing into a terminal from outside, sockets of other families than four. Everything else
passes.
"""

import platform
import struct
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache

ALLOW = 0x7FFF0000
REFUSE = 0x00050000
EPERM, ENOSYS = 1, 38

# Codes of instructions: load a word, compare and jump, mask, return.
LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
# Places in what the filter is given (struct seccomp_data).
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24

CLONE_NEW = 0x7E020000  # every CLONE_NEW* flag that clone can be given
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
# Of the others one leads to the machine around a virtual machine (AF_VSOCK), and most to code that hardly anybody uses.
FAMILIES = (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK)
# The kinds of a pair that lead to nobody else. One of datagrams can send to any name.
SOCK_STREAM, SOCK_SEQPACKET, KIND_OF_SOCKET = 1, 5, 0xF
# Calls of the x32 interface carry this bit and would slip past the numbers below.
X32 = 0x40000000

# Numbers by architecture: (x86_64, aarch64), from the kernel's tables.
REFUSED = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224),
    "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60), "syslog": (103, 116), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266), "sethostname": (170, 161),
    "setdomainname": (171, 162), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    "lookup_dcookie": (212, 18), "fanotify_init": (300, 262), "vhangup": (153, 58),
}  # fmt: skip
# Memory, messages and semaphores under numbers and names that all programs of an IPC namespace share.
SHARED_IPC = {
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "msgget": (68, 186), "msgsnd": (69, 189),
    "msgrcv": (70, 188), "msgctl": (71, 187), "semget": (64, 190), "semop": (65, 193), "semtimedop": (220, 192),
    "semctl": (66, 191), "mq_open": (240, 180), "mq_unlink": (241, 181),
}  # fmt: skip
CLONE, CLONE3, IOCTL, SOCKET, SOCKETPAIR = (56, 220), (435, 435), (16, 29), (41, 198), (53, 199)
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


class NoFilter(Exception):
    """There is no filter for this kind of processor."""


@dataclass(slots=True)
class Program:
    """A filter that grows instruction by instruction. Jumps go forward over the next instructions."""

    code: list[tuple[int, int, int, int]] = field(default_factory=list)

    def load(self, offset: int) -> None:
        self.code.append((LOAD, 0, 0, offset))

    def refuse_equal(self, value: int, error: int = EPERM) -> None:
        """Refuse when the loaded word is this value."""
        self.code += [(EQUAL, 0, 1, value), (RETURN, 0, 0, REFUSE | error)]

    def refuse_unless(self, values: Collection[int], error: int = EPERM) -> None:
        """Refuse when the loaded word is none of these."""
        # Each that is met jumps over the others and over the refusal.
        self.code += [(EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
        self.code.append((RETURN, 0, 0, REFUSE | error))

    def refuse_at_least(self, value: int, error: int) -> None:
        self.code += [(AT_LEAST, 0, 1, value), (RETURN, 0, 0, REFUSE | error)]

    def refuse_any_bit(self, bits: int) -> None:
        self.code += [(ANY_BIT, 0, 1, bits), (RETURN, 0, 0, REFUSE | EPERM)]

    def mask(self, bits: int) -> None:
        """Leave only these bits of the loaded word."""
        self.code.append((AND, 0, 0, bits))

    def for_call(self, number: int, body: "Program") -> None:
        """Run `body` for one call only; afterwards the call's number is loaded again."""
        self.code += [(EQUAL, 0, len(body.code), number), *body.code]
        self.load(NUMBER)

    def packed(self) -> bytes:
        finished = [*self.code, (RETURN, 0, 0, ALLOW)]
        return b"".join(struct.pack("=HBBI", *instruction) for instruction in finished)


@cache
def filter_of_calls(*, families: tuple[int, ...] = FAMILIES, has_own_ipc: bool = True, machine: str = "") -> bytes:
    """The packed filter. `families` are those of the sockets that programs may make.

    Without AF_UNIX among them two ends that are made together are left. A sandbox that has no IPC namespace of its own
    says so: what the machine shares by number is refused then. Raises NoFilter for a processor that is not known.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        raise NoFilter(f"there is no filter of system calls for {machine}")
    column, architecture = ARCHITECTURES[machine]
    program = Program()
    program.load(ARCHITECTURE)
    program.refuse_unless([architecture], ENOSYS)
    program.load(NUMBER)
    program.refuse_at_least(X32, ENOSYS)
    # Its flags lie in memory where no filter can look; C libraries fall back to clone.
    program.refuse_equal(CLONE3[column], ENOSYS)
    for numbers in (REFUSED if has_own_ipc else REFUSED | SHARED_IPC).values():
        program.refuse_equal(numbers[column])
    program.for_call(CLONE[column], _without_namespaces())
    program.for_call(IOCTL[column], _without_typing())
    program.for_call(SOCKET[column], _of_families(families))
    program.for_call(SOCKETPAIR[column], _pairs(is_any=AF_UNIX in families))
    return program.packed()


def _without_namespaces() -> Program:
    body = Program()
    body.load(FIRST_ARGUMENT)
    body.refuse_any_bit(CLONE_NEW)
    return body


def _without_typing() -> Program:
    body = Program()
    body.load(SECOND_ARGUMENT)
    for value in (TIOCSTI, TIOCLINUX):
        body.refuse_equal(value)
    return body


def _of_families(families: Collection[int]) -> Program:
    body = Program()
    body.load(FIRST_ARGUMENT)
    body.refuse_unless(families)
    return body


def _pairs(*, is_any: bool) -> Program:
    body = _of_families([AF_UNIX])
    if not is_any:
        body.load(SECOND_ARGUMENT)
        body.mask(KIND_OF_SOCKET)
        body.refuse_unless([SOCK_STREAM, SOCK_SEQPACKET])
    return body
