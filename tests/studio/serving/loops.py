"""Coroutines in an event loop of their own: where a browser is under test, the thread of the tests has one already."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run(coroutine):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
