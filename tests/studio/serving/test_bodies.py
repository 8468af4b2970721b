"""Bodies of requests: read whole, or refused."""

import asyncio

import pytest

from studio.serving.bodies import Limits, Reader, Refused

QUICK = Limits(largest=100, grace=0.05, speed=1000, longest=0.2, at_once=2, in_all=3, in_memory=10)


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


def refusal(receive, reader=None, announced=None):
    with pytest.raises(Refused) as caught:
        asyncio.run((reader or Reader(QUICK)).read(receive, "192.0.2.1", announced))
    return caught.value.status


@pytest.mark.parametrize("chunks", [[b""], [b"abc"], [b"a" * 60, b"b" * 40]])
def test_a_body_is_there_whole_in_memory_or_on_disk(chunks):
    reader = Reader(QUICK)
    with asyncio.run(reader.read(client(*chunks), "192.0.2.1", None)) as body:
        assert body.read() == b"".join(chunks)
    assert not reader.under_way


def test_a_body_that_comes_too_slowly_is_refused():
    assert refusal(client(b"x", then="silence")) == 408


def test_a_body_that_is_too_large_is_refused_when_announced_and_when_sent():
    assert refusal(client(b"x"), announced=101) == 413
    assert refusal(client(b"x" * 60, b"x" * 60)) == 413


def test_a_client_that_leaves_is_told_nothing():
    with pytest.raises(ConnectionError):
        asyncio.run(Reader(QUICK).read(gone, "192.0.2.1", None))


def test_bodies_at_once_are_limited_for_an_address_and_for_all():
    reader = Reader(Limits(at_once=2, in_all=3))

    async def crowd():
        waiting = [asyncio.create_task(reader.read(client(b"x", then="silence"), "a", None)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="Too many"):
            await reader.read(client(b"x"), "a", None)
        (await reader.read(client(b"x"), "b", None)).close()
        waiting.append(asyncio.create_task(reader.read(client(b"x", then="silence"), "b", None)))
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="Too many"):
            await reader.read(client(b"x"), "c", None)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(crowd())
    assert not reader.under_way
