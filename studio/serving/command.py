"""The command that starts the web process: the same for `manage.py up`, the image and tests.

`python -m studio.serving.command` becomes that command.
"""

import os
import sys
import tempfile
from argparse import ArgumentParser

# HTTP/2 is the proxy's: here it would only let one connection ask for hundreds of things at once.
# A connection that sends no head of a request is closed, also where it sends nothing at all: with HTTP/2 allowed, the
# server waits for ever for the first byte. Idle ones do not keep others out, as they do by default from the 1,024th on.
LIMITS = ["--http", "1", "--http1-header-read-timeout", "20000", "--http1-buffer-size", "131072"]
LIMITS += ["--backlog", "4096", "--backpressure", "8192"]


def web_command(host: str, port: int, workers: int) -> list[str]:
    """The command of a web server with so many processes that answer."""
    server = [sys.executable, "-m", "granian", "--interface", "asginl", "--no-access-log", "--log-level", "warning"]
    return [*server, *LIMITS, "--host", host, "--port", str(port), "--workers", str(workers), "studio.asgi:application"]


def main() -> None:
    """Replace this process by the web server."""
    parser = ArgumentParser(prog="python -m studio.serving.command", description="Run the web server.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--workers", type=int, default=1)
    chosen = parser.parse_args()
    command = web_command(chosen.host, chosen.port, chosen.workers)
    # Where the processes add up what they count (`studio.metrics.requests`).
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="packwright-metrics-"))
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
