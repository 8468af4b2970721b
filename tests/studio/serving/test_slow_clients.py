"""The web process while clients send byte by byte, and never end."""

import re
import socket
import urllib.request

import pytest

from tests.services import Studio, free_port

pytestmark = pytest.mark.services

SLOW = 12
HEAD = (
    "POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    "Cookie: csrftoken={token}\r\nContent-Length: 100000\r\n\r\n"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where a web process listens that has fewer threads than there are slow clients."""
    studio, port = Studio(tmp_path_factory.mktemp("studio"), PACKWRIGHT_WEB_THREADS="2"), free_port()
    try:
        studio.start_web(port)
        yield "127.0.0.1", port
    finally:
        studio.close()


def get(address, path):
    return urllib.request.urlopen("http://{}:{}{}".format(*address, path), timeout=300)


def test_pages_answer_while_clients_send_bodies_without_end(address):
    token = re.search("csrftoken=([^;]+)", get(address, "/sign-in/").headers["Set-Cookie"])[1]
    slow = [socket.create_connection(address) for _ in range(SLOW)]
    try:
        for client in slow:
            client.sendall(HEAD.format(token=token).encode() + b"x")
        # None of the bodies ends, so a request that waited for a thread of theirs would wait for ever.
        assert get(address, "/healthz").status == 200
        assert b"Sign in" in get(address, "/sign-in/").read()
    finally:
        for client in slow:
            client.close()


def test_a_body_that_comes_too_slowly_is_answered(address):
    with socket.create_connection(address, timeout=300) as client:
        client.sendall(HEAD.format(token="x").encode() + b"x")
        assert client.recv(1000).startswith(b"HTTP/1.1 408")
