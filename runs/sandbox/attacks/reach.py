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

attempt("TCP", lambda: socket.create_connection(("127.0.0.1", scene["tcp_port"]), 2).close())
attempt("abstract socket", connect_abstract)
try:
    send()
except OSError:
    pass
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
    Attack("use_network", "Reach servers on loopback: TCP, UDP, abstract sockets", USE_NETWORK, judge=_by_packets),
    Attack("signal_others", "Signal processes of the machine", SIGNAL_OTHERS),
    Attack("become_more", "Become another user, hold capabilities", BECOME_MORE),
    Attack("ask_kernel", "User namespaces, mounts, ptrace, BPF, io_uring, keys", ASK_KERNEL),
)
