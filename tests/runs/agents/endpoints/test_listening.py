"""The small server on a Unix socket, as a program sees it through its relay."""

import http.client
import json
import os
import socket
import threading
from contextlib import closing

import pytest

from runs.agents.endpoints.listening import MAX_BODY, HttpReply, listen


class Through(http.client.HTTPConnection):
    """A connection to a socket in a folder, whatever the length of its path."""

    def __init__(self, folder, name="door"):
        super().__init__("localhost", timeout=240)
        self.place = folder, name

    def connect(self):
        folder, name = self.place
        handle = os.open(folder, os.O_RDONLY)
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(f"/proc/self/fd/{handle}/{name}")
        os.close(handle)


@pytest.fixture
def folder(tmp_path):
    """A folder whose path alone is longer than the address of a socket may be."""
    deep = tmp_path / ("long" * 30)
    deep.mkdir()
    return str(deep)


def ask(folder, method="POST", path="/invoke", body=b"{}", **headers):
    with closing(Through(folder)) as connection:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def repeat(asked):
    return HttpReply(
        200, {"method": asked.method, "path": asked.path, "token": asked.token, "body": asked.body.decode()}
    )


def test_a_request_comes_with_its_token_and_body(folder):
    with listen(folder, "door", repeat):
        found = ask(folder, body=b"hub", Authorization="Bearer sesame")
        assert found == (200, {"method": "POST", "path": "/invoke", "token": "sesame", "body": "hub"})
        assert ask(folder, "GET", "/info", None)[1]["token"] == ""


def test_a_connection_can_be_used_again(folder):
    with listen(folder, "door", repeat), closing(Through(folder)) as connection:
        for path in ("/one", "/two"):
            connection.request("GET", path)
            assert json.loads(connection.getresponse().read())["path"] == path


def test_a_body_without_length_or_with_too_much_of_it_is_refused(folder):
    with listen(folder, "door", repeat), closing(Through(folder)) as connection:
        assert ask(folder, body=b"", **{"Content-Length": str(MAX_BODY + 1)})[0] == 413
        # The body is not sent: the server may hang up before it is.
        connection.putrequest("POST", "/invoke")
        connection.putheader("Transfer-Encoding", "chunked")
        connection.endheaders()
        assert connection.getresponse().status == 411


def test_several_callers_are_answered_at_once(folder):
    together = threading.Barrier(3, timeout=240)

    def meet(asked):
        together.wait()
        return HttpReply(200, {})

    with listen(folder, "door", meet):
        callers = [threading.Thread(target=ask, args=(folder,)) for _ in range(3)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
    assert not together.broken


def test_nothing_is_left_of_it_when_it_ends(folder):
    with listen(folder, "door", repeat):
        assert os.listdir(folder) == ["door"]
        assert os.stat(f"{folder}/door").st_mode & 0o777 == 0o666
    assert os.listdir(folder) == []


def test_a_caller_that_keeps_its_connection_open_is_not_waited_for(folder):
    with closing(Through(folder)) as connection:
        with listen(folder, "door", repeat):
            connection.request("GET", "/one")
            connection.getresponse().read()
        assert connection.sock.recv(1) == b""
