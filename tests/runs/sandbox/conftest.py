"""Fixtures for tests of sandboxes."""

import os

import pytest

from tests.runs.sandbox.containers import forget_client, reason_without, started_engine


@pytest.fixture(scope="session")
def container_engine(tmp_path_factory):
    """A container engine for the whole session, found by whoever asks for one; skips where none can be had."""
    if reason_without():
        pytest.skip(reason_without())
    with started_engine(tmp_path_factory.mktemp("engine")) as address:
        os.environ["DOCKER_HOST"] = address
        forget_client()
        yield address
        forget_client()
        del os.environ["DOCKER_HOST"]
