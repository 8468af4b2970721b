"""How long pages take while slow bodies, hostile uploads and twenty writers come at once, next to a quiet studio.

Run by `python -m benchmarks crowd`. It starts a studio of its own with `manage.py up`; exits with 1 when an answer in
twenty takes longer than the target, or a writer's edit is refused. The crowd is in processes of its own.
"""

import io
import json
import re
import socket
import tempfile
import threading
import time
import urllib.request
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.cookiejar import CookieJar
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from queue import Queue
from statistics import median, quantiles
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode

from tests.services import StartedStudio

TARGET_SECONDS = 1.0
ASKED = 60
SLOW, WRITERS = 5, 20
PATIENCE_SECONDS = 300
HEAD = "POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n"
Ask = Callable[[str], object]


def main(names: list[str]) -> int:
    """Print the table; 1 when a target is missed."""
    with tempfile.TemporaryDirectory(prefix="packwright-bench-") as folder:
        studio = StartedStudio(Path(folder) / "data", settings="studio.settings")
        try:
            studio.wait_for("Packwright is ready")
            studio.wait_for_worker()
            key = studio.manage("token", "create", "admin", "--name", "benchmark").split()[0]
            return int(not measured(studio, key))
        finally:
            studio.stop()


def measured(studio: StartedStudio, key: str) -> bool:
    """Whether pages answer in time, and writers can write, while the crowd is there."""
    ask, paths, client = visitor(studio), ("/healthz", "/sign-in/", "/packs/"), Client(studio.address, key)
    places = [own_challenge(client, number) for number in range(WRITERS)]
    quiet = {path: times(ask, path) for path in paths}
    with crowd(studio.port, client, places) as statuses:
        busy = {path: times(ask, path) for path in paths}
    print(f"{'':12}{'quiet s':>9}{'crowd s':>9}{'of 20 s':>9}{'worst s':>9}{'x quiet':>9}")
    late = {path: quantiles(found, n=20)[-1] for path, found in busy.items()}
    for path, found in busy.items():
        before, middle = median(quiet[path]), median(found)
        figures = f"{before:9.3f}{middle:9.3f}{late[path]:9.3f}{max(found):9.3f}{middle / before:9.1f}"
        print(f"{path:12}{figures}")
    print("\n".join(f"{who}: {dict(found)}" for who, found in statuses.items()))
    wrote = statuses["writers"]
    return max(late.values()) <= TARGET_SECONDS and wrote[200] > 0 and set(wrote) == {200}


def visitor(studio: StartedStudio) -> Ask:
    """Asks for pages as somebody who has signed in."""
    opened = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(path: str, data: bytes | None = None) -> bytes:
        with opened.open(studio.address + path, data, timeout=PATIENCE_SECONDS) as answer:
            content: bytes = answer.read()
            return content

    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', ask("/sign-in/").decode())
    assert token
    given = {"username": "admin", "password": studio.password, "csrfmiddlewaretoken": token[1]}
    ask("/sign-in/", urlencode(given).encode())
    return ask


def times(ask: Ask, path: str) -> list[float]:
    """Seconds of each of many answers; the first, which loads templates, does not count."""
    ask(path)
    found = []
    for _ in range(ASKED):
        began = time.perf_counter()
        ask(path)
        found.append(time.perf_counter() - began)
    return found


@contextmanager
def crowd(port: int, client: "Client", places: list[str]) -> Iterator[dict[str, Counter[int]]]:
    """Everybody at once, until the block is left; then the answers that they got, by status."""
    context, statuses = get_context("spawn"), dict[str, Counter[int]]()
    is_over, reported = context.Event(), context.Queue()
    with ExitStack() as stack:
        for _ in range(SLOW):
            stack.enter_context(dripping(port))
        for group in (writers, uploads):
            process = context.Process(target=at_it, args=(group, client, places, is_over, reported), daemon=True)
            process.start()
            stack.callback(process.join)
            # The group says when all of it is at work.
            reported.get(timeout=PATIENCE_SECONDS)
        try:
            yield statuses
        finally:
            is_over.set()
            statuses |= dict(reported.get(timeout=PATIENCE_SECONDS) for _ in range(2))


@contextmanager
def dripping(port: int) -> Iterator[None]:
    """A client that sends a body byte by byte, and begins anew when it is refused."""
    is_over = threading.Event()

    def drip() -> None:
        while not is_over.is_set():
            with socket.create_connection(("127.0.0.1", port)) as client:
                try:
                    client.sendall(HEAD.encode())
                    while not is_over.wait(0.5):
                        client.sendall(b"x")
                except OSError:
                    continue

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


class Client:
    """A client of the API."""

    def __init__(self, address: str, key: str) -> None:
        self.root, self.key = f"{address}/api/v1/", key

    def send(self, method: str, path: str, data: bytes = b"", **headers: str) -> tuple[int, Any, str]:
        """Status, body and ETag of an answer."""
        sent = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/octet-stream"} | headers
        request = urllib.request.Request(self.root + path, data or None, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                return answer.status, json.loads(answer.read()), answer.headers.get("ETag", "")
        except HTTPError as error:
            return error.code, error.read(), ""

    def send_json(self, method: str, path: str, value: object, **headers: str) -> tuple[int, Any, str]:
        return self.send(method, path, json.dumps(value).encode(), **{"Content-Type": "application/json"} | headers)


Repeat = Callable[[], int]
Group = Callable[[Client, list[str]], list[Repeat]]


def at_it(group: Group, client: Client, places: list[str], is_over: Event, reported: "Queue[Any]") -> None:
    """Repeat all acts of a group at the same time; tells when it begins, and in the end what was answered."""
    statuses: Counter[int] = Counter()

    def work(act: Repeat) -> None:
        while not is_over.is_set():
            statuses[act()] += 1

    threads = [threading.Thread(target=work, args=(act,)) for act in group(client, places)]
    for thread in threads:
        thread.start()
    reported.put(group.__name__)
    for thread in threads:
        thread.join()
    reported.put((group.__name__, statuses))


def writers(client: Client, places: list[str]) -> list[Repeat]:
    """People who edit a challenge of their own pack, one edit after the other."""
    return [writer(client, place) for place in places]


def own_challenge(client: Client, number: int) -> str:
    """The address of a challenge in a new pack."""
    _, pack, _ = client.send_json("POST", "packs/", {"title": f"Pack {number}", "slug": f"pack-{number}"})
    _, nodes, _ = client.send("GET", f"packs/{pack['id']}/challenges/")
    return f"challenges/{nodes['results'][0]['id']}/"


def writer(client: Client, place: str) -> Repeat:
    _, node, tag = client.send("GET", place)

    def edit() -> int:
        nonlocal node, tag
        document = node["document"] | {"title": f"{time.time()}"}
        status, node, tag = client.send_json("PUT", place, {"document": document}, **{"If-Match": tag})
        return status

    return edit


def uploads(client: Client, places: list[str]) -> list[Repeat]:
    """The four uploads, each by a client of its own, again and again."""

    def again(file: str, data: bytes) -> Repeat:
        return lambda: client.send("POST", f"packs/import/?name={file}&dry_run=true", data)[0]

    return [again(*upload) for upload in hostile()]


def hostile() -> Iterator[tuple[str, bytes]]:
    """Uploads that cost more than their size says: names and bytes."""
    yield "deep.yaml", b"pack: " + b"[" * 100_000
    yield "keys.yaml", b"pack: {slug: wide}\n" + b"".join(b"unknown_%d: 1\n" % at for at in range(60_000))
    yield "bomb.zip", archive({"pack.yaml": bytes(1_000_000_000)})
    manifest = b"id: long\nversion: 1\n"
    yield "row.zip", archive({"manifest.yaml": manifest, "tasks.jsonl": b'{"id": "' + b"x" * 50_000_000 + b'"}\n'})


def archive(files: dict[str, bytes]) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as written:
        for name, data in files.items():
            written.writestr(name, data)
    return kept.getvalue()
