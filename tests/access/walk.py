"""Walking: who asks, what is answered, and what the table says should be answered."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver, resolve, reverse

from packs.access import Permission, Role
from tests.access.endpoints import ENDPOINTS
from tests.access.needs import AnyNeed, InSomeTeam, Need, Row
from tests.access.pages import PAGES
from tests.access.roles import MAY
from tests.access.world import World
from tests.people import client_of

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ROWS: dict[str, Row] = {**PAGES, **ENDPOINTS}
REFUSALS = {401, 403, 404, 405}
# Leaving; files of scripts; forms whose fields readers get disabled, or without anything that sends them.
FRAME = {"studio:sign-out", "studio:session-end", "", "packs:edit-node", "packs:edit-yaml", "packs:edit-rows-bulk"}
SIGN_IN = "sign in"
CURATION = "sign in to curation"
ALLOWED = "allowed"
GONE = "gone"  # how curation answers for a row that is out of reach


@dataclass(frozen=True, slots=True)
class Walker:
    """Somebody who asks, and what they may do in the team of the world that is walked.

    `elsewhere` is what they may do in another team. With a `key` they ask by it and not by a session.
    """

    user: User | None
    may: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A request of a walk: the answer, what the table promises, the text, and whether nobody else may keep it."""

    name: str
    method: str
    url: str
    answer: int | str
    promise: int | str
    text: str
    is_own: bool

    def __str__(self) -> str:
        return f"{self.method} {self.url} ({self.name}): {self.answer} instead of {self.promise}"


def member(world: World, role: Role) -> Walker:
    return Walker(world.people[role], MAY[role])


def routes(patterns: Any = None, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    """All routes of the site by their names with name spaces; one without a name by its pattern."""
    for entry in patterns if patterns is not None else get_resolver().url_patterns:
        if isinstance(entry, URLPattern):
            yield prefix + (entry.name or str(entry.pattern)), entry
        else:
            inner = f"{prefix}{entry.namespace}:" if entry.namespace else prefix
            yield from routes(entry.url_patterns, inner)


@contextmanager
def quiet() -> Iterator[None]:
    """No log: each refusal would be written with its whole traceback, which takes far longer than the request."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def ask(client: Client, method: str, url: str, **sent: Any) -> tuple[int | str, str]:
    """The answer to a request and its text; whatever the request did is taken back."""
    response, text = ask_whole(client, method, url, **sent)
    return kind_of(response), text


def ask_whole(client: Client, method: str, url: str, **sent: Any) -> tuple[Any, str]:
    """The whole response to a request and its text; whatever the request did is taken back."""
    with quiet(), transaction.atomic():
        response = getattr(client, method.lower())(url, **sent)
        content = b"".join(response) if response.streaming else response.content
        transaction.set_rollback(True)
    return response, content.decode(errors="replace")


def is_own(response: Any) -> bool:
    """Whether no proxy may keep a response, and no browser without asking again."""
    kept = response.headers.get("Cache-Control", "")
    return "private" in kept and ("no-store" in kept or ("no-cache" in kept and "ETag" in response.headers))


def kind_of(response: Any) -> int | str:
    place = response.headers.get("Location", "")
    if response.status_code == 401 or place.startswith(f"{reverse('studio:sign-in')}?next="):
        return SIGN_IN
    if place.startswith(f"{reverse('admin:login')}?next="):
        return CURATION
    if place == reverse("admin:index"):
        return GONE
    return ALLOWED if response.status_code < 400 else response.status_code


def offers(text: str) -> Iterator[tuple[str, str]]:
    """What a page offers to do: the method and the address of each link, form and part that it loads."""
    for tag in re.findall(r"<(?:a|form|button|div|span|details|input|select)\b[^>]*>", text):
        given = {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        method = "POST" if given.get("method", "").lower() == "post" else "GET"
        pairs = {"href": "GET", "action": method, "formaction": "POST", "hx-get": "GET", "hx-post": "POST"}
        for name, how in pairs.items():
            if given.get(name, "").startswith("/"):
                yield how, given[name]


def dead_offers(walker: Walker, steps: Iterable[Step]) -> Iterator[str]:
    """What the pages of a walk offer that is answered by 403; each view is asked once by each method."""
    client, steps = client_of(walker.user), list(steps)
    session, asked = client.cookies.copy(), set()
    answers = {(step.method, step.url): step.answer for step in steps}
    for method, url in (offer for step in steps if step.method == "GET" for offer in offers(step.text)):
        path = urlsplit(url).path
        view = (method, resolve(path).view_name)
        if view in asked or view[1] in FRAME:
            continue
        asked.add(view)
        client.cookies = SimpleCookie(session)
        # Most of what is offered was walked: who may not do a thing is refused whatever else is sent.
        answer = answers.get((method, path)) or ask(client, method, url)[0]
        if answer == 403:
            yield f"{method} {url}"


def expected(walker: Walker, need: AnyNeed, owner: User, absent: int = 404) -> int | str:
    """What the table promises: 404 to those who may not see a thing, 403 to those who may not do this."""
    user = walker.user
    if need is Need.STAFF:
        return ALLOWED if user and user.is_active and user.is_staff else CURATION
    if need not in (Need.NOTHING, Need.LINK) and (user is None or not user.is_active):
        return SIGN_IN
    if need in (Need.NOTHING, Need.LINK, Need.ACCOUNT):
        return ALLOWED
    if need is Need.OWNER:
        return ALLOWED if user == owner else absent
    if isinstance(need, InSomeTeam):
        return ALLOWED if need.permission in walker.may | walker.elsewhere else 403
    without = 403 if Permission.READ in walker.may else absent
    return ALLOWED if need in walker.may else without


def walk(world: World, walker: Walker, rows: Mapping[str, Row] = ROWS) -> Iterator[Step]:
    """Every route with every method that it takes."""
    client = Client(headers={"authorization": f"Bearer {walker.key}"}) if walker.key else client_of(walker.user)
    session = client.cookies.copy()
    for name, row in rows.items():
        for place in row.places(world):
            url = reverse(name, kwargs=place)
            for method, need in row.needs.items():
                # The rows of the session come back after each request; what signing out took from the client does not.
                client.cookies = SimpleCookie(session)
                sent = row.sends[method](world) if method in row.sends else {}
                response, text = ask_whole(client, method, url, **sent)
                answer = kind_of(response)
                promise = expected(walker, need, world.people[Role.AUTHOR], row.absent)
                if walker.key and row.key and row.key not in walker.may:
                    promise = 403
                if promise == ALLOWED and answer in row.content:
                    answer = ALLOWED
                yield Step(name, method, url, answer, promise, text, is_own(response))
