"""Every door of the studio, and texts that a database or a file cannot keep: half a character, and U+0000.

PostgreSQL has no text with U+0000, no database has half a character, and UTF-8 can write neither half.
"""

import json
from collections.abc import Iterator, Mapping
from http.cookies import SimpleCookie
from typing import Any

from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from packs.access import Role
from packs.jobs import execute_job
from packs.models import Job, JobStatus
from tests.access.walk import ROWS, quiet
from tests.access.world import World, as_json, make_staff
from tests.studio.texts import BODIES, FORMS, Sent

# As JSON says them; forms and addresses hold the characters themselves, as far as UTF-8 can write them.
HOSTILE = ("half \ud800 character", "zero \0 byte")
# What every database refuses, and what PostgreSQL alone refuses.
HALF, ZERO = ((text,) for text in HOSTILE)
Texts = tuple[str, ...]


def variants(value: Any, texts: Texts) -> Iterator[Any]:
    """A value with one of its texts replaced by a hostile one, and with one more key."""
    if isinstance(value, str):
        yield from texts
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from ({**value, key: other} for other in variants(inner, texts))
        yield from ({**value, text: text} for text in texts)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in variants(inner, texts))


def hostile(sent: Sent, texts: Texts) -> Iterator[Sent]:
    """Requests like this one with a hostile text in the query or the body."""
    escaped = [json.dumps({"a": text, text: 1}) for text in texts]
    asked = sent.get("query_params", {})
    yield from ({**sent, "query_params": other} for other in variants(asked, HOSTILE[1:]) if asked)
    data = sent.get("data")
    if sent.get("content_type") == "application/json":
        yield from ({**sent, "data": json.dumps(other)} for other in variants(json.loads(data), texts))
    elif isinstance(data, str | bytes):
        plain = data.encode() if isinstance(data, str) else data
        yield from ({**sent, "data": plain + text.encode("utf-8", "surrogatepass")} for text in (*texts, *escaped))
    elif data:
        yield from ({**sent, "data": other} for other in variants(data, (HOSTILE[1], *escaped)))


def requests(world: World) -> Iterator[tuple[str, str, str, Sent]]:
    """Every route with every method that it takes: its name, the method, the address, and what is sent."""
    for name, row in ROWS.items():
        for method in row.needs:
            sent = row.sends[method](world) if method in row.sends else {}
            if method == "GET" and "data" in sent:
                sent = {"query_params": sent["data"]}
            place = next(iter(row.places(world)))
            yield name, method, reverse(name, kwargs=place), sent
    for name, place, fields in FORMS:
        data = {field: value(world) if callable(value) else value for field, value in fields.items()}
        yield name, "POST", reverse(name, kwargs=place(world) if place else {}), {"data": data}
    for name, method, place, body in BODIES:
        sent = as_json(filled(body, world), **{"If-Match": "*"})
        yield name, method, reverse(name, kwargs=place(world) if place else {}), sent


def filled(value: Any, world: World) -> Any:
    """A body with the ids of the things of the world in place of their functions."""
    if isinstance(value, dict):
        return {key: filled(inner, world) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, world) for inner in value]
    return value(world) if callable(value) else value


def client_of_staff(world: World) -> Client:
    client = Client(raise_request_exception=False, headers={"Host": "localhost"})
    client.force_login(make_staff(world.people[Role.ADMINISTRATOR]))
    return client


def broken(world: World, texts: Texts) -> Iterator[str]:
    """Requests with these texts that the studio answered with a mistake of its own."""
    client = client_of_staff(world)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    for name, method, url, sent in requests(world):
        for other in hostile(sent, texts):
            client.cookies = SimpleCookie({settings.SESSION_COOKIE_NAME: session})
            status = answer(client, method, url, other)
            if status >= 500:
                yield f"{method} {name} {ascii(other.get('data', other))[:300]}: {status}"
    for address in ("/sign-in/", "/packs/", "/api/v1/packs/"):
        sent = {"headers": {"Cookie": f'{settings.SESSION_COOKIE_NAME}="\\000{"a" * 31}"'}}
        if answer(client, "GET", address, sent) >= 500:
            yield f"a session of zero bytes at {address}"


def answer(client: Client, method: str, url: str, sent: Sent) -> int:
    """The status of an answer, 500 where a job that the request began fails; whatever it did is taken back."""
    with quiet(), transaction.atomic():
        answered = getattr(client, method.lower())(url, **sent)
        failed = [job for job in Job.objects.filter(status=JobStatus.QUEUED) if fails(job)]
        transaction.set_rollback(True)
    return 500 if failed else answered.status_code


def fails(job: Job) -> bool:
    """Whether a job ends by a mistake of the studio."""
    execute_job(job.pk)
    job.refresh_from_db()
    return bool(job.status == JobStatus.FAILED)
