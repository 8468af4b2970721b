"""A harmless process of the worker's user with a secret in its environment, for attacks to look for."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def open_victim(variables: Mapping[str, str]) -> Iterator[int]:
    """The number of a process that sleeps."""
    with subprocess.Popen(["/bin/sleep", "600"], env=dict(variables)) as process:
        try:
            yield process.pid
        finally:
            process.kill()
