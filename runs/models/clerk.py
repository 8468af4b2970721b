"""The thread of a job that makes the short statements of its other threads.

Hundreds of threads may wait for models. With a connection to the database each, they would be more than PostgreSQL
lets in, and their writes would wait for each other in SQLite.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")


class Clerk:
    """Makes statements one after the other while it is at work; at other times everybody makes their own."""

    def __init__(self) -> None:
        self.pool: ThreadPoolExecutor | None = None

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Have the statements of all threads of this process made by one, until the end."""
        pool = self.pool = ThreadPoolExecutor(1, "clerk")
        try:
            yield
        finally:
            self.pool = None
            pool.submit(close_connection)
            pool.shutdown()

    def do(self, act: Callable[[], T]) -> T:
        """What `act` gives, which may not ask the clerk in turn; what it raises comes through."""
        pool = self.pool
        if pool is None:
            return act()
        try:
            future = pool.submit(made, act)
        except RuntimeError:
            # The job has ended just now, and this thread has not noticed yet.
            return act()
        return future.result()


def made(act: Callable[[], T]) -> T:
    """What `act` gives. A connection that broke is not kept for the next one."""
    try:
        return act()
    except (OperationalError, InterfaceError):
        close_connection()
        raise


def close_connection() -> None:
    """Close the database connection of this thread."""
    connection.close()


CLERK = Clerk()


def by_clerk(act: Callable[P, T]) -> Callable[P, T]:
    """The function, made by the clerk where there is one."""

    @wraps(act)
    def do(*arguments: P.args, **named: P.kwargs) -> T:
        return CLERK.do(partial(act, *arguments, **named))

    return do
