"""The bridge from ASGI to WSGI: what the application gets, what the client gets, and who holds a thread."""

import asyncio
import json
import threading
from wsgiref.validate import validator

import pytest

from studio.serving.bodies import IN_MEMORY, Reader
from studio.serving.bridge import Bridge
from tests.studio.serving.loops import run

HEADERS = [(b"host", b"testserver"), (b"x-two", b"1"), (b"x-two", b"2"), (b"x_two", b"forged")]


def scope(**more):
    found = {"type": "http", "http_version": "1.1", "method": "POST", "scheme": "http", "path": "/", "raw_path": b"/"}
    found |= {"query_string": b"", "headers": HEADERS, "client": ("192.0.2.1", 5), "server": ("127.0.0.1", 80)}
    return found | more


async def ask(application, body=b"", send=None, threads=1, **more):
    """The messages that a client gets."""
    got, bridge = [], Bridge(application, threads, lambda peer, forwarded: peer, Reader())

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def keep(message):
        got.append(message)

    await bridge(scope(**more), receive, send or keep)
    return got


def answer(application, body=b"", **more):
    messages = run(ask(application, body, **more))
    head = messages[0]
    return head["status"], dict(head["headers"]), b"".join(m.get("body", b"") for m in messages[1:])


def test_the_application_gets_a_request_as_wsgi_has_it():
    seen = {}

    def application(environ, start_response):
        seen.update(environ, body=environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        start_response("201 Created", [("Content-Type", "text/plain"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")])
        return [b"done"]

    more = {"raw_path": b"/a%20b/%FF", "query_string": b"q=%C3%A4"}
    messages = run(ask(validator(application), b"words", **more, headers=[*HEADERS, (b"content-length", b"5")]))
    assert messages[0]["status"] == 201
    assert messages[0]["headers"].count((b"set-cookie", b"a=1")) == 1
    assert b"".join(m["body"] for m in messages[1:]) == b"done"
    assert (seen["PATH_INFO"], seen["QUERY_STRING"]) == ("/a b/\xff", "q=%C3%A4")
    assert (seen["REMOTE_ADDR"], seen["HTTP_X_TWO"], seen["body"]) == ("192.0.2.1", "1,2", b"words")


def test_a_body_of_unknown_length_gets_its_length():
    def application(environ, start_response):
        start_response("200 OK", [])
        return [environ["CONTENT_LENGTH"].encode()]

    assert answer(application, b"chunked")[2] == b"7"


def test_an_answer_is_closed_in_the_thread_that_made_it():
    threads = []

    class Parts:
        def __iter__(self):
            threads.append(threading.current_thread())
            yield b"a"

        def close(self):
            threads.append(threading.current_thread())

    def application(environ, start_response):
        threads.append(threading.current_thread())
        start_response("200 OK", [])
        return Parts()

    assert answer(application)[2] == b"a"
    assert len(threads) == 3
    assert len(set(threads)) == 1


@pytest.mark.parametrize("size", [10_000, 3 * IN_MEMORY])
def test_a_client_that_reads_nothing_holds_no_thread(size):
    """The second request is answered by the only thread while the first client has taken nothing."""

    def application(environ, start_response):
        start_response("200 OK", [])
        return [b"x" * 1000] * (size // 1000)

    async def both():
        begun, stuck, free = asyncio.Event(), asyncio.Event(), []
        bridge = Bridge(application, 1, lambda peer, forwarded: peer, Reader())

        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        async def never(message):
            begun.set()
            await stuck.wait()

        async def keep(message):
            free.append(message)

        slow = asyncio.create_task(bridge(scope(), receive, never))
        await begun.wait()
        await bridge(scope(), receive, keep)
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        return free

    assert sum(len(message.get("body", b"")) for message in run(both())) == size // 1000 * 1000


def test_a_page_does_not_wait_behind_an_upload():
    """The only thread for uploads is at work until a page was answered."""
    is_answered = threading.Event()

    def application(environ, start_response):
        start_response("200 OK", [])
        if environ.get("CONTENT_LENGTH"):
            assert is_answered.wait(300)
        else:
            is_answered.set()
        return [b"done"]

    async def both():
        begun, bridge = asyncio.Event(), Bridge(application, 1, lambda peer, forwarded: peer, Reader())

        def client(body):
            async def receive():
                begun.set()
                return {"type": "http.request", "body": body, "more_body": False}

            return receive

        async def nothing(message):
            pass

        upload = asyncio.create_task(bridge(scope(), client(b"pack"), nothing))
        await begun.wait()
        await bridge(scope(method="GET"), client(b""), nothing)
        await upload

    run(both())
    assert is_answered.is_set()


def test_an_answer_that_breaks_off_is_no_answer():
    closed = []

    class Parts:
        def __iter__(self):
            yield b"half"
            raise ValueError("broken")

        def close(self):
            closed.append(True)

    def application(environ, start_response):
        start_response("200 OK", [])
        return Parts()

    sent = []
    with pytest.raises(ValueError, match="broken"):
        run(ask(application, send=sent.append))
    assert (sent, closed) == ([], [True])


@pytest.mark.parametrize("error", [ConnectionResetError, TimeoutError])
def test_a_client_that_leaves_is_no_error(error):
    def application(environ, start_response):
        start_response("200 OK", [])
        return [b"x"]

    async def leave(message):
        raise error

    run(ask(application, send=leave))


def test_a_refused_request_reaches_no_thread():
    def application(environ, start_response):
        raise AssertionError("asked")

    status, headers, body = answer(application, headers=[(b"content-length", b"999999999999")])
    assert (status, headers[b"connection"]) == (413, b"close")
    assert b"larger than 256 MiB" in body


@pytest.mark.parametrize("path", [b"/api/v1/packs/import/", b"/%61pi/v1/runs/"])
def test_programs_read_a_refusal_as_a_finding(path):
    length = [(b"content-length", b"999999999999")]
    status, headers, body = answer(None, headers=length, raw_path=path)
    assert (status, headers[b"content-type"]) == (413, b"application/json")
    [found] = json.loads(body)["findings"]
    assert (found["code"], found["severity"]) == ("api.too_large", "error")
    assert answer(None, headers=length, raw_path=b"/packs/")[1][b"content-type"].startswith(b"text/plain")


def test_connections_of_other_types_are_refused():
    with pytest.raises(NotImplementedError):
        run(ask(None, type="websocket"))
