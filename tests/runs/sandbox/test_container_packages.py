"""Packages that tasks ask for, in container images of a real engine."""

import io
import re
import subprocess
import tarfile
from pathlib import Path

import docker
import pytest

from runs.sandbox import container
from runs.sandbox.container.packages import REPOSITORY
from runs.sandbox.contract import Command, Room, SandboxUnavailable
from runs.sandbox.packages import STATUS
from tests.runs.sandbox.containers import add

pytestmark = pytest.mark.services

IMAGE = "packwright-debian:1"
# A package manager that knows how to install and how to fail, and counts in a file how often it was called.
APT = """\
#!/bin/sh
[ "$1" = install ] || exit 0
while [ "$1" != -- ]; do shift; done
shift
for name; do
  [ "$name" = nowhere ] && { echo "E: Unable to locate package nowhere"; exit 100; }
  printf 'Package: %s\\nStatus: install ok installed\\n\\n' "$name" >> /var/lib/dpkg/status
done
echo called >> /var/lib/dpkg/calls
"""
THERE = "Package: dash\nStatus: install ok installed\n\n"


def debian():
    """An image with a shell and the package manager, and no other program."""
    told = subprocess.run(["ldd", "/bin/dash"], check=True, capture_output=True, text=True).stdout
    libraries = re.findall(r"(/\S+) \(0x", told)
    programs = {"bin/sh": Path("/bin/dash").read_bytes(), "usr/bin/apt-get": APT.encode()}
    files = programs | {name.lstrip("/"): Path(name).read_bytes() for name in libraries}
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        for name in ("tmp", "etc", "dev", "proc", "sys", "sbin", "workspace"):
            add(archive, name, tarfile.DIRTYPE)
        for name, content in {**files, STATUS.lstrip("/"): THERE.encode()}.items():
            add(archive, name, content=content)
    return written.getvalue()


@pytest.fixture
def client(container_engine):
    found = docker.DockerClient(base_url=container_engine)
    name, tag = IMAGE.split(":")
    found.api.import_image_from_data(debian(), repository=name, tag=tag)
    yield found
    for image in found.images.list(REPOSITORY):
        found.images.remove(image.id, force=True)
    found.images.remove(IMAGE, force=True)
    found.close()


def read(name, *packages):
    """What a program of a task with the network reads of a file of its image."""
    with container.open_workspace(Room(image=IMAGE, packages=packages, network=True)) as workspace:
        line = 'while read -r line; do echo "$line"; done < "$0"'
        return workspace.run(Command(["sh", "-c", line, name])).stdout.decode()


def test_packages_are_installed_once_for_all_tasks_that_ask_for_them(client):
    assert "Package: jq" in read(STATUS, "jq", "dash")
    assert read("/var/lib/dpkg/calls", "jq") == "called\n"
    assert len(client.images.list(REPOSITORY)) == 1
    assert "Package: jq" not in read(STATUS)
    assert client.containers.list(all=True) == []


def test_an_image_that_has_all_packages_is_taken_as_it_is(client):
    with container.open_workspace(Room(image=IMAGE, packages=("dash",))) as workspace:
        assert workspace.run(Command(["sh", "-c", "echo it runs"])).stdout == b"it runs\n"
    assert client.images.list(REPOSITORY) == []


def test_without_network_access_the_lacking_packages_are_named(client):
    lacked = Room(image=IMAGE, packages=("dash", "jq"))
    with pytest.raises(SandboxUnavailable, match=r"lacks the packages jq\."), container.open_workspace(lacked):
        pass


def test_a_package_that_cannot_be_had_is_told_with_what_was_said(client):
    lacked = Room(image=IMAGE, packages=("nowhere",), network=True)
    with pytest.raises(SandboxUnavailable, match="Unable to locate"), container.open_workspace(lacked):
        pass
    assert client.containers.list(all=True) == []
