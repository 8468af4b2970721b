"""Fixtures for tests of sandboxes."""

import os
import tempfile

import pytest

from runs.sandbox import SANDBOXES
from tests.runs.sandbox.containers import InImage, forget_client, reason_without, started_engine


@pytest.fixture(scope="session")
def engine_address(tmp_path_factory):
    """Where a container engine of the session's own listens; skips where none can be had."""
    if reason_without():
        pytest.skip(reason_without())
    with started_engine(tmp_path_factory.mktemp("engine")) as address:
        yield address


@pytest.fixture
def container_engine(engine_address, monkeypatch):
    """The address of a container engine that this test finds, and no other test by accident."""
    monkeypatch.setenv("DOCKER_HOST", engine_address)
    forget_client()
    yield engine_address
    forget_client()


@pytest.fixture(params=list(SANDBOXES))
def sandbox(request):
    if request.param == "container":
        request.getfixturevalue("container_engine")
        return InImage()
    kind = SANDBOXES[request.param]
    if kind.obstacle():
        pytest.skip(f"{request.param}: {kind.obstacle()}")
    return kind


@pytest.fixture
def passable():
    """A folder that every user may pass; pytest's own are closed to others whenever another pytest starts."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o711)
        yield folder
