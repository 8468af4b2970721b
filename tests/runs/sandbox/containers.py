"""A container engine of the tests' own, with an image that is next to nothing."""

import io
import os
import shutil
import subprocess
import tarfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import docker
import pytest
from docker.errors import DockerException

from runs.sandbox import container
from runs.sandbox.container.engine import _client
from runs.sandbox.contract import Isolation

IMAGE = "packwright-tests:1"
OPTIONS = ["--bridge=none", "--iptables=false", "--ip6tables=false", "--default-ulimit", "nofile=1024:4096"]
START_SECONDS = 30


def reason_without():
    """Why no engine can be started here; empty when one can."""
    if shutil.which("dockerd") is None:
        return "no container engine: dockerd is not installed"
    return "" if os.geteuid() == 0 else "only root can start a container engine"


@contextmanager
def started_engine(folder):
    """The address of an engine that has `IMAGE` and nothing else."""
    address = f"unix://{folder}/engine.sock"
    places = {"--data-root": "data", "--exec-root": "run", "--pidfile": "engine.pid"}
    arguments = [part for name, place in places.items() for part in (name, f"{folder}/{place}")]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(["dockerd", "--host", address, *arguments, *OPTIONS], stdout=log, stderr=log)
    try:
        client = connected(address, process)
        if client is None:
            pytest.skip(f"no container engine: {(folder / 'log').read_text()[-500:]}")
        client.api.import_image_from_data(bare_image(), repository=IMAGE.split(":")[0], tag=IMAGE.split(":")[1])
        client.close()
        yield address
    finally:
        process.terminate()
        process.wait(timeout=START_SECONDS)


def forget_client():
    """Close the connections that this process keeps, so that the engine is looked for anew."""
    if _client.cache_info().currsize:
        with suppress(DockerException):
            _client(os.getpid()).close()
    _client.cache_clear()


def connected(address, process):
    """A client of an engine that has come up; None when it has not."""
    socket = Path(address.removeprefix("unix://"))
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if not socket.exists():
            time.sleep(0.05)
            continue
        client = docker.DockerClient(base_url=address, version="1.41")
        with suppress(DockerException, OSError):
            client.ping()
            return client
        client.close()
        time.sleep(0.1)
    return None


def bare_image():
    """A file system without programs: those of this machine are put in by `InImage`, read-only."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        for name in ("usr", "tmp", "etc", "dev", "proc", "sbin", "sys", "workspace", "workspace/inner"):
            add(archive, name, tarfile.DIRTYPE)
        for name in ("bin", "lib", "lib64"):
            add(archive, name, tarfile.SYMTYPE, linkname=f"usr/{name}")
        add(archive, "workspace/inner/given.txt", content=b"of the image")
        add(archive, "workspace/inner/again.txt", tarfile.LNKTYPE, linkname="workspace/inner/given.txt")
        add(archive, "workspace/link", tarfile.SYMTYPE, linkname="inner/given.txt")
        add(archive, "workspace/out", tarfile.SYMTYPE, linkname="/etc/passwd")
    return written.getvalue()


def add(archive, name, kind=tarfile.REGTYPE, content=b"", linkname=""):
    entry = tarfile.TarInfo(name)
    entry.type, entry.size, entry.linkname, entry.mode = kind, len(content), linkname, 0o755
    archive.addfile(entry, io.BytesIO(content))


@dataclass(frozen=True)
class InImage:
    """The container sandbox with the tests' image in every room, and the machine's programs in that."""

    ISOLATION: Isolation = container.ISOLATION

    def open_workspace(self, room):
        return container.open_workspace(replace(room, image=IMAGE, shared_paths=(*room.shared_paths, "/usr")))
