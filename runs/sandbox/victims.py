"""A harmless process of the worker's user with a secret in its environment, for attacks to look for."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def open_victim(variables: Mapping[str, str]) -> Iterator[int]:
    """The number of a process that waits."""
    # Its environment can be read when it has said a word; before, the kernel may still be setting it up.
    program = ["/bin/sh", "-c", "echo; read line"]
    with subprocess.Popen(program, env=dict(variables), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.read(1)
            yield process.pid
        finally:
            process.kill()
