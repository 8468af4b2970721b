"""Bodies of requests: read whole, or refused."""

import asyncio
import resource

import pytest

from studio.serving.bodies import IN_MEMORY, Limits, Reader, Refused
from tests.studio.serving.loops import run

QUICK = Limits(largest=100, grace=0.05, speed=1000, longest=0.2)
HERE = "192.0.2.1"


def client(*chunks, then=None):
    """What a client sends: chunks, and then nothing more, or the end."""
    waiting = list(chunks)

    async def receive():
        if waiting:
            more = bool(waiting[1:]) or then == "silence"
            return {"type": "http.request", "body": waiting.pop(0), "more_body": more}
        return await asyncio.Event().wait()

    return receive


async def gone():
    return {"type": "http.disconnect"}


async def content(reader, receive, address=HERE, announced=None):
    async with reader.read(receive, address, announced) as body:
        return body.read()


def refusal(receive, limits=QUICK, announced=None):
    reader = Reader(limits)
    with pytest.raises(Refused) as caught:
        run(content(reader, receive, announced=announced))
    assert not reader.under_way
    return caught.value.status


@pytest.mark.parametrize("chunks", [[b""], [b"abc"], [b"a" * 60, b"b" * 40]])
def test_a_body_is_there_whole(chunks):
    assert run(content(Reader(Limits(largest=100)), client(*chunks))) == b"".join(chunks)


def test_a_body_that_is_too_long_for_memory_is_there_whole():
    large = [b"a" * IN_MEMORY, b"b" * IN_MEMORY]
    assert run(content(Reader(), client(*large))) == b"".join(large)


def test_a_body_that_comes_too_slowly_is_refused():
    assert refusal(client(b"x", then="silence")) == 408


def test_a_body_must_come_in_time_however_fast_it_began():
    assert refusal(client(b"x" * 90, then="silence"), Limits(grace=60, longest=0.1)) == 408


def test_a_body_that_is_too_large_is_refused_when_announced_and_when_sent():
    assert refusal(client(b"x"), announced=101) == 413
    assert refusal(client(b"x" * 60, b"x" * 60)) == 413


def test_a_body_for_which_the_disk_has_no_room_is_refused():
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (IN_MEMORY // 2, hard))
    try:
        assert refusal(client(b"x" * IN_MEMORY, b"x" * IN_MEMORY), Limits()) == 507
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_client_that_leaves_is_told_nothing():
    with pytest.raises(ConnectionError):
        run(content(Reader(QUICK), gone))


async def begin(reader, address, sent=b"x"):
    """A request whose body does not end."""
    task = asyncio.create_task(content(reader, client(sent, then="silence"), address))
    await asyncio.sleep(0)
    return task


async def end(*tasks):
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_requests_at_once_are_limited_for_an_address_and_for_all():
    reader = Reader(Limits(at_once=2, in_all=3))

    async def crowd():
        waiting = [await begin(reader, "a"), await begin(reader, "a")]
        with pytest.raises(Refused, match="Too many"):
            await content(reader, client(b"x"), "a")
        assert await content(reader, client(b"x"), "b") == b"x"
        waiting.append(await begin(reader, "b"))
        with pytest.raises(Refused, match="Too many"):
            await content(reader, client(b"x"), "c")
        await end(*waiting)
        assert await content(reader, client(b"x"), "a") == b"x"

    run(crowd())
    assert not reader.under_way


def test_what_one_address_sends_at_once_is_limited_in_all():
    reader = Reader(Limits(kept=100))

    async def crowd():
        waiting = await begin(reader, "a", b"x" * 80)
        assert await content(reader, client(b"x" * 80), "b") == b"x" * 80
        with pytest.raises(Refused, match="Too many large"):
            await content(reader, client(b"x" * 30), "a")
        await end(waiting)
        assert await content(reader, client(b"x" * 80), "a") == b"x" * 80

    run(crowd())


def test_a_request_counts_until_it_is_answered():
    reader = Reader(Limits(at_once=1))

    async def both():
        async with reader.read(client(b"x"), HERE, None):
            with pytest.raises(Refused):
                await content(reader, client(b"x"))
        assert await content(reader, client(b"x")) == b"x"

    run(both())
