"""What a workspace says of its container (agentv D.1): which limits there are, and which values count."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from packs.formats.agentv.reading import is_text
from packs.formats.document import Document
from packs.formats.sizes import bytes_of
from packs.formats.values import is_number

# What each limit must be, in words and as a test.
LIMITS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "timeout": ("a number of seconds of at least 1", lambda value: is_number(value) and value >= 1),
    "memory": ("a size such as 512m or 2g", lambda value: bytes_of(value) is not None),
    "cpus": ("a number of at least 0.1", lambda value: is_number(value) and value >= 0.1),
}


def unusable(docker: Document) -> Iterator[tuple[str, str]]:
    """The limits with which no container can be had, and what each must be."""
    for name, (wanted, is_usable) in LIMITS.items():
        if docker.get(name) is not None and not is_usable(docker[name]):
            yield name, wanted


def is_without_image(docker: Document) -> bool:
    """Whether limits are stated for a container that nothing runs in."""
    return not is_text(docker.get("image"))


def seconds_of(docker: Document) -> float | None:
    """How long a program of a grader may take; None where that is not said, or not in a way that can be used."""
    stated = docker.get("timeout")
    return float(stated) if stated is not None and LIMITS["timeout"][1](stated) else None
