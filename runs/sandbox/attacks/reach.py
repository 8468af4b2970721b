"""Attacks that reach for what lies outside: files, processes, the network, the kernel."""

from runs.sandbox.attacks.contract import Attack, Scene, by_what_it_says
from runs.sandbox.contract import CommandResult, Workspace

READ_FILES = """
for path in [scene["secret_file"], "/etc/shadow", *scene["extra_files"]]:
    try:
        with open(path, "rb") as opened:
            text = opened.read(100_000)
    except OSError:
        continue
    if text:
        got(path)
attempt("names in another folder", os.listdir, os.path.dirname(scene["secret_file"]))
"""
READ_ENVIRONMENTS = """
for name, value in os.environ.items():
    if name.startswith(("PACKWRIGHT", "DJANGO", "DATABASE", "SECRET")):
        got(name)
try:
    numbers = [name for name in os.listdir("/proc") if name.isdigit()]
except OSError:
    numbers = []
for number in {*numbers, "1", str(os.getppid()), str(scene["process"])}:
    try:
        with open(f"/proc/{number}/environ", "rb") as opened:
            print(opened.read().replace(bytes(1), b" ").decode("utf-8", "replace"))
    except OSError:
        continue
"""
WRITE_FILES = """
targets = [scene["victim_file"], "/usr/packwright", "/etc/packwright", "/packwright", "../packwright"]
targets += ["/proc/sys/kernel/core_pattern", "/proc/sys/vm/overcommit_memory", "/proc/sysrq-trigger", "/dev/packwright"]
for path in targets:
    attempt(path, open, path, "ab")
attempt("a device", os.mknod, "device", 0o600 | 0o020000, os.makedev(1, 1))
"""
USE_NETWORK = """
def send():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.sendto(b"here I am", ("127.0.0.1", scene["udp_port"]))

def connect_abstract():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(bytes(1) + scene["abstract_name"].encode())

def connect_path():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(scene["stream_path"])

def send_to_path(kind):
    with kind() as client:
        client.sendto(b"here I am", scene["datagram_path"])

attempt("TCP", lambda: socket.create_connection(("127.0.0.1", scene["tcp_port"]), 2).close())
attempt("abstract socket", connect_abstract)
attempt("socket with a path", connect_path)
for kind in (socket.socket, lambda *given: socket.socketpair(*given)[0]):
    attempt("datagrams to a path", send_to_path, lambda: kind(socket.AF_UNIX, socket.SOCK_DGRAM))
try:
    send()
except OSError:
    pass
"""
# The machine around a virtual machine (AF_VSOCK), the kernel's own ciphers, raw packets: all but four families.
OPEN_SOCKETS = """
for family in set(range(64)) - {socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK}:
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        attempt(f"a socket of family {family}", lambda: socket.socket(family, kind).close())
"""
# What lies there belongs to the scene; what is made would stay.
SHARE_BY_NUMBER = """
for call in ("shmget", "msgget", "semget"):
    if getattr(libc, call)(scene["number"], 0, 0) >= 0:
        got(call)
place = libc.shmget(scene["number"], 0, 0)
libc.shmat.restype = ctypes.c_void_p
address = libc.shmat(place, None, 0o10000) if place >= 0 else None
if address and address != ctypes.c_void_p(-1).value:
    print(ctypes.string_at(address))
"""
SIGNAL_OTHERS = """
attempt("signal to another process", os.kill, scene["process"], 0)
attempt("signal to the parent of the sandbox", os.kill, os.getppid(), signal.SIGCONT) if os.getppid() > 1 else None
"""
BECOME_MORE = """
attempt("user 0", os.setuid, 0)
attempt("group 0", os.setgid, 0)
try:
    with open("/proc/self/status") as opened:
        if not any(line.split() == ["CapEff:", "0" * 16] for line in opened if line.startswith("CapEff")):
            got("capabilities")
except OSError:
    pass
"""
# Numbers of calls for x86_64 and aarch64: what the C library has no name for.
ASK_KERNEL = """
column = 0 if os.uname().machine == "x86_64" else 1
NEW_USER, NEW_MOUNTS, TRACE_ME = 0x10000000, 0x00020000, 0

def call(what, *given):
    if libc.syscall(*given) >= 0:
        got(what)

call("new user namespace", (272, 97)[column], NEW_USER)
call("new mounts", (272, 97)[column], NEW_MOUNTS)
call("clone into a user namespace", (56, 220)[column], NEW_USER | signal.SIGCHLD, 0, 0, 0, 0)
call("ptrace", (101, 117)[column], TRACE_ME, 0, 0, 0)
call("mount", (165, 40)[column], b"none", b"/tmp", b"tmpfs", 0, 0)
call("bpf", (321, 280)[column], 0, (ctypes.c_char * 128)(), 128)
call("io_uring", 425, 8, (ctypes.c_char * 256)())
call("keyctl", (250, 219)[column], 0, -3, 1)
call("perf", (298, 241)[column], (ctypes.c_char * 128)(), 0, -1, -1, 0)
call("userfaultfd", (323, 282)[column], 0)
"""


def _by_packets(scene: Scene, workspace: Workspace, result: CommandResult) -> str:
    """A packet that was sent may still have arrived nowhere, so it is the other end that tells."""
    found = [by_what_it_says(scene, workspace, result)]
    if scene.has_packet():
        found.append("UDP")
    return ", ".join(filter(None, found))


REACHES = (
    Attack("read_files", "Read the studio's files and the system's secrets", READ_FILES),
    Attack("read_environments", "Read the environment of the worker and of other processes", READ_ENVIRONMENTS),
    Attack("write_files", "Write outside the workspace, into kernel settings, make devices", WRITE_FILES),
    Attack(
        "use_network",
        "Reach servers of the machine: TCP, UDP, sockets with and without paths",
        USE_NETWORK,
        judge=_by_packets,
    ),
    Attack("open_sockets", "Open sockets of other families than IP, UNIX and NETLINK", OPEN_SOCKETS),
    Attack("share_by_number", "Reach the machine's memory, messages and semaphores of System V", SHARE_BY_NUMBER),
    Attack("signal_others", "Signal processes of the machine", SIGNAL_OTHERS),
    Attack("become_more", "Become another user, hold capabilities", BECOME_MORE),
    Attack("ask_kernel", "User namespaces, mounts, ptrace, BPF, io_uring, keys", ASK_KERNEL),
)
