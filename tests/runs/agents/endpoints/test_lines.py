"""Connections to allowed addresses only."""

import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from ipaddress import ip_address

import httpcore
import pytest

from runs.agents.endpoints import lines
from runs.agents.endpoints.addresses import AllowList
from runs.agents.endpoints.contract import EndpointFailed, Trouble
from runs.agents.endpoints.lines import Lines, look_up
from runs.agents.endpoints.watch import CURRENT, Watch


@pytest.fixture
def watch():
    token = CURRENT.set(Watch.of(480))
    yield CURRENT.get()
    CURRENT.reset(token)


@pytest.fixture
def silent():
    """A port on which somebody listens and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_name_that_stands_for_an_inner_address_is_refused(watch, silent):
    with pytest.raises(EndpointFailed) as caught:
        Lines(AllowList.read(["public"])).connect_tcp("localhost", silent)
    assert caught.value.trouble is Trouble.NOT_ALLOWED


def test_the_connection_goes_to_the_address_that_was_checked(watch, silent, monkeypatch):
    answers = iter(["127.0.0.1", "10.0.0.1"])
    asked = []

    def resolve(host, port, **more):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), 0))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    line = Lines(AllowList.read(["127.0.0.1"])).connect_tcp("rebinding.example.org", silent)
    assert line.get_extra_info("socket").getpeername() == ("127.0.0.1", silent)
    assert asked == ["rebinding.example.org"]
    line.close()


def test_a_host_that_nobody_knows_is_unreachable(watch):
    with pytest.raises(EndpointFailed) as caught:
        look_up("nobody.invalid", watch)
    assert caught.value.trouble is Trouble.UNREACHABLE


def test_a_port_on_which_nobody_listens_is_told_at_once(watch):
    with pytest.raises(httpcore.ConnectError):
        Lines(AllowList.read(["127.0.0.1"])).connect_tcp("127.0.0.1", 9)


def test_the_next_address_of_a_host_is_tried_where_the_first_does_not_answer(watch, silent, monkeypatch):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in ("127.0.0.2", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, port, **more: found)
    line = Lines(AllowList.read(["127.0.0.1", "127.0.0.2"])).connect_tcp("two.example.org", silent)
    assert line.get_extra_info("socket").getpeername() == ("127.0.0.1", silent)
    line.close()


def test_an_address_with_a_scope_is_checked_as_the_address_that_it_is(watch, monkeypatch):
    found = [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("fe80::1%eth0", 0, 0, 2))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, port, **more: found)
    assert look_up("near.example.org", watch) == [ip_address("fe80::1")]


def test_all_of_a_long_request_is_sent(watch):
    sent = bytes(range(256)) * 80_000
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:

        def read_all():
            with server.accept()[0] as other, other.makefile("rb") as file:
                return file.read()

        heard = pool.submit(read_all)
        line = Lines(AllowList.read(["127.0.0.1"])).connect_tcp("127.0.0.1", server.getsockname()[1])
        line.write(sent)
        line.close()
        assert heard.result() == sent


def test_a_connection_that_the_other_side_closed_is_seen_before_it_is_used_again(watch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        line = Lines(AllowList.read(["127.0.0.1"])).connect_tcp("127.0.0.1", server.getsockname()[1])
        other, _ = server.accept()
        assert not line.get_extra_info("is_readable")
        other.close()
    assert line.read(1) == b""
    assert line.get_extra_info("is_readable")
    line.close()


def test_reading_ends_with_the_watch(silent):
    token = CURRENT.set(Watch.of(0.3))
    line = Lines(AllowList.read(["127.0.0.1"])).connect_tcp("127.0.0.1", silent)
    with pytest.raises(EndpointFailed) as caught:
        line.read(10)
    assert caught.value.trouble is Trouble.TIMEOUT
    line.close()
    CURRENT.reset(token)


def test_a_server_that_does_not_speak_tls_is_not_waited_for_longer_than_the_watch(silent):
    token = CURRENT.set(Watch.of(0.3))
    line = Lines(AllowList.read(["127.0.0.1"])).connect_tcp("127.0.0.1", silent)
    with pytest.raises(EndpointFailed) as caught:
        line.start_tls(ssl.create_default_context(), "example.org")
    assert caught.value.trouble is Trouble.TIMEOUT
    CURRENT.reset(token)


@pytest.fixture
def busy():
    """A server that takes nobody in any more: callers wait."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, ExitStack() as waiting:
        for _ in range(4):
            caller = waiting.enter_context(socket.socket())
            caller.setblocking(False)
            caller.connect_ex(server.getsockname())
        yield server


def test_connecting_may_not_take_all_the_time_of_a_request(busy, monkeypatch):
    monkeypatch.setattr(lines, "CONNECT_SECONDS", 0.3)
    watch = Watch.of(120)
    token = CURRENT.set(watch)
    with pytest.raises(EndpointFailed) as caught:
        Lines(AllowList.read(["127.0.0.1"])).connect_tcp(*busy.getsockname())
    assert (caught.value.trouble, watch.left() > 0) == (Trouble.TIMEOUT, True)
    CURRENT.reset(token)


def test_a_connection_that_is_refused_while_it_is_waited_for_is_none(busy):
    address = busy.getsockname()
    token = CURRENT.set(Watch(is_cancelled=lambda: bool(busy.close())))
    with pytest.raises(httpcore.ConnectError):
        Lines(AllowList.read(["127.0.0.1"])).connect_tcp(*address)
    CURRENT.reset(token)
