"""Server time of the workbench's requests, in small and large packs: what a person waits for while typing.

Beside it stands what one typed field passes through: files of the project whose code runs, and queries.

Run by `python -m benchmarks workbench`, in a database of its own (see `benchmarks.database`).
"""

import statistics
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from benchmarks.packs import simple_pack
from packs.access import Role
from packs.importing import import_pack
from packs.models import Membership, Pack, Team

SIZES = (10, 1_000, 10_000)
REQUESTS = 20
# Milliseconds, median, in the largest pack.
TARGETS = {"changed field": 50.0, "changed key": 50.0, "page of a case": 150.0, "YAML lens": 150.0}
# Of one typed field; shown only.
GOALS = {"files": 30, "queries": 12}
ROOMS = ("studio", "packs", "runs")
# The names of bundled files need no manifest here.
PLAIN_FILES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}


def median(act: Callable[[int], Any]) -> float:
    """Milliseconds of a request; the first one, which warms caches up, does not count."""
    costs = []
    for number in range(REQUESTS + 1):
        start = time.perf_counter()
        response = act(number)
        costs.append((time.perf_counter() - start) * 1000)
        if response.status_code != 200:
            raise RuntimeError(f"answered {response.status_code}")
    return statistics.median(costs[1:])


def field(client: Client, url: str, pointer: str) -> Callable[[int], Any]:
    def post(number: int) -> Any:
        data = {"at": pointer, "seen": "99999999", f"t:{pointer}": f"text {number}"}
        return client.post(f"{url}field/", data, headers={"HX-Request": "true"})

    return post


def passed_through(act: Callable[[int], Any]) -> dict[str, int]:
    """How many files of the project run during a request, and how many queries it makes; the second one counts."""
    act(0)
    files: set[str] = set()
    folders = tuple(f"{settings.BASE_DIR / room}/" for room in ROOMS)

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if frame.f_code.co_filename.startswith(folders):
            files.add(frame.f_code.co_filename)

    with CaptureQueriesContext(connection) as queries:
        sys.setprofile(note)
        try:
            act(1)
        finally:
            sys.setprofile(None)
    return {"files": len(files), "queries": len(queries)}


def edit_and_recheck(client: Client, url: str) -> Callable[[int], Any]:
    """A changed field and, as after a pause, the check of the whole draft."""
    post = field(client, url, "/inputs/0/value")

    def act(number: int) -> Any:
        post(number)
        return client.post(f"{url}recheck/")

    return act


def url_of_case(row: Pack) -> str:
    """The page of the case in the middle of a draft."""
    cases = row.cases.order_by("position")
    return f"/packs/{row.team.slug}/{row.slug}/edit/cases/{cases[cases.count() // 2].pk}/"


def measure(client: Client, row: Pack) -> dict[str, float]:
    base, url = f"/packs/{row.team.slug}/{row.slug}/edit/", url_of_case(row)
    return {
        "changed field": median(field(client, url, "/inputs/0/value")),
        "changed key": median(field(client, url, "/case_key")),
        "page of a case": median(lambda _: client.get(url)),
        "YAML lens": median(lambda _: client.get(f"{url}lens/?lens=yaml")),
        "page of the scorecard": median(lambda _: client.get(f"{base}pack/?section=version.evaluation_spec.scorecard")),
        "field and whole check": median(edit_and_recheck(client, url)),
        "problems": median(lambda _: client.get(f"{base}problems/")),
    }


def run() -> int:
    """Print the table; 1 when a target is missed."""
    team = Team.objects.create(slug="bench", name="Bench")
    user = User.objects.create_user("author")
    Membership.objects.create(team=team, user=user, role=Role.AUTHOR)
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    results = {}
    with override_settings(STORAGES={**settings.STORAGES, **PLAIN_FILES}):
        for size in SIZES:
            files = {"pack.yaml": simple_pack(size)}
            row = import_pack(team, user, files, "pack.yaml", slug=f"pack-{size}")
            results[size] = measure(client, row)
        passed = passed_through(field(client, url_of_case(row), "/inputs/0/value"))
    largest = results[SIZES[-1]]
    print(f"{'milliseconds':24}" + "".join(f"{size:>10,}" for size in SIZES) + f"{'target':>10}")
    for work in largest:
        target = f"{TARGETS[work]:10,.0f}" if work in TARGETS else ""
        print(f"{work:24}" + "".join(f"{results[size][work]:10,.1f}" for size in SIZES) + target)
    for name, goal in GOALS.items():
        print(f"{name + ' of a field':24}{'':20}{passed[name]:10}{goal:10}")
    return int(any(largest[work] > target for work, target in TARGETS.items()))
