"""The command that starts the web process, as the image calls it."""

import socket

import pytest

from tests.services import Studio, answers, free_port, wait_until

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    studio, port = Studio(tmp_path_factory.mktemp("studio")), free_port()
    try:
        studio.start("-m", "studio.serving.command", "--port", str(port))
        wait_until(lambda: answers(port), "the web process")
        yield port
    finally:
        studio.close()


def test_connections_without_a_request_are_closed(port):
    with socket.create_connection(("127.0.0.1", port), timeout=300) as silent:
        assert silent.recv(1) == b""


def test_idle_connections_keep_nobody_out(port):
    """More than the server takes by default: the rest would wait until some of them go."""
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(1100)]
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=300) as client:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 200")
    finally:
        for each in silent:
            each.close()
