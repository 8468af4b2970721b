"""The container engine of this machine: Docker, or whatever answers like it at `DOCKER_HOST`."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import docker
import requests
from docker.errors import DockerException, ImageNotFound

from runs.sandbox.contract import SandboxUnavailable

ANSWER_SECONDS = 120
DEFAULT_HOST = "unix:///var/run/docker.sock"
LABEL_OF_PLACE = "packwright.place"

# The library has no types.
Client = Any


def engine() -> Client:
    """The client of this process. Raises SandboxUnavailable when no engine can be reached."""
    kind, _, place = os.environ.get("DOCKER_HOST", DEFAULT_HOST).partition("://")
    if kind == "unix" and not Path(place).exists():
        raise SandboxUnavailable(f"there is no socket {place}")
    with described():
        return _client(os.getpid())


@cache
def _client(process: int) -> Client:
    # One for each process: connections that a parent opened must not be shared with its children.
    return docker.from_env(timeout=ANSWER_SECONDS)


@contextmanager
def described() -> Iterator[None]:
    """Turn what the engine's library raises into SandboxUnavailable."""
    try:
        yield
    except (DockerException, requests.RequestException) as error:
        raise SandboxUnavailable(f"the container engine failed: {error}") from error


def need_image(client: Client, image: str) -> None:
    """Raises SandboxUnavailable where the engine does not have an image; it is never fetched in silence."""
    with described():
        try:
            client.images.get(image)
        except ImageNotFound as error:
            raise SandboxUnavailable(
                f"the container engine has no image {image!r}; an administrator fetches it with: docker pull {image}"
            ) from error


def processors_of(client: Client) -> int:
    """How many processors the engine's machine has. Raises SandboxUnavailable."""
    with described():
        return int(client.info()["NCPU"])


def remove_left(client: Client, is_left: Callable[[str], bool]) -> int:
    """Remove the containers whose place is left by its worker; gives how many there were."""
    with described():
        found = client.containers.list(all=True, filters={"label": LABEL_OF_PLACE}, ignore_removed=True)
        left = [container for container in found if is_left(container.labels[LABEL_OF_PLACE])]
        for container in left:
            container.remove(force=True)
    return len(left)
