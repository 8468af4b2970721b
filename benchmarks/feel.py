"""What people wait for in a browser: from the last key or click to the frame that shows it, pauses for typing included.

Run by `python -m benchmarks feel`, which starts a studio and a headless Chromium of its own. `python -m
benchmarks.database benchmarks.feel WORD ...` does only the acts whose names begin with one of the words. Each act is
repeated, and each time the browser opens a bare page of the same studio before it: how many times as long an act takes
says more on a busy machine than its milliseconds. Exits with 1 when the median of an act is above its goal.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page

from benchmarks import looking
from benchmarks.packs import simple_pack
from benchmarks.rows import large_pack
from benchmarks.runs import calls, tell
from benchmarks.watching import Act, Cost, Scene, Watched, focused, opened, waited, watching
from packs.access import Role
from packs.importing import import_pack
from packs.models import Membership, Pack, Team
from packs.publish import publish
from runs.jobs.queue.workers import worker_health
from tests.services import StartedStudio, wait_until

ROUNDS = 12
EVENTS = 10_000
MIDDLE, LARGE, ROWS = 1_000, 10_000, 100_000
SLOWEST_MS = 1_000
# Of a replay: how many steps its page holds, and how much memory of scripts it takes.
MOST_STEPS, MOST_MEGABYTES = 300, 80
EDIT = "/packs/bench/{}/edit/"
# Milliseconds.
GOALS = {
    "field to message": 400,
    "field to saved": 1_000,
    "form to YAML": 300,
    "YAML to form": 300,
    "problem to field": 100,
    "problem of the same node to field": 100,
    "grid: first paint": 500,
    "grid: filter": 300,
    "grid: edit 1,111 cases": 2_000,
    "grid: edit 100,000 rows": 30_000,
    "replay: first paint": 800,
    "replay: jump": 200,
    "replay: search": 400,
    "replay: next failed step": 1_000,
    "export: first byte": 500,
    "export of a draft: its job": 500,
    "publish: its job": 1_000,
    **looking.GOALS,
}


def run(*words: str) -> int:
    """Print the table; 1 when a goal is missed."""
    team, user = Team.objects.create(slug="bench", name="Bench"), User.objects.create_user("author")
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    client = Client()
    client.force_login(user)
    studio = StartedStudio(Path(settings.VAR_DIR), settings="studio.settings")
    try:
        studio.wait_for("Packwright is ready")
        wait_until(lambda: worker_health().workers, "the worker")
        with watching(studio, client.cookies["sessionid"].value) as watched:
            return int(not measured(watched, scenes(team, user), words))
    finally:
        studio.stop()
        studio.log.unlink()


def measured(watched: Watched, found: Iterator[Scene], words: tuple[str, ...]) -> bool:
    """Print a line for each act as it is done; whether all goals are met."""
    print("Milliseconds; those of the studio and of the browser are of processor time.")
    print(f"{'':36}{'median':>8}{'p95':>8}{'goal':>8}{'x bare':>8}{'studio':>8}{'browser':>8}")
    met = True
    for name, rounds, make in found:
        if words and not name.startswith(words):
            continue
        cost = watched.measure(make(watched), rounds)
        goal = GOALS.get(name)
        print(line(name, cost, goal), flush=True)
        met &= goal is None or median(cost.waits) <= goal
    path, slowest = max(watched.slowest.items(), key=lambda each: each[1])
    print(f"{'slowest request':36}{slowest:8,.0f}{'':8}{SLOWEST_MS:8,}   {path}")
    return met and slowest <= SLOWEST_MS


def line(name: str, cost: Cost, goal: int | None) -> str:
    figures = f"{median(cost.waits):8,.0f}{cost.late:8,.0f}{goal or '':>8}{cost.times:8.1f}"
    return f"{name:36}{figures}{cost.studio:8,.0f}{cost.browser:8,.0f}"


def scenes(team: Team, user: User) -> Iterator[Scene]:
    """Every act, and before the first that needs it, what it is done to."""
    yield from writing(team, user)
    yield from problems(team, user)
    yield from grid(team, user)
    yield from leaving(team, user)
    yield from replay(team, user)
    yield from looking.scenes(team, user)


def drafted(team: Team, user: User, slug: str, files: dict[str, bytes]) -> Pack:
    return Pack.objects.filter(slug=slug).first() or import_pack(team, user, files, slug, slug=slug)


def control(pointer: str) -> str:
    return f'#editor [name="t:{pointer}"]'


def writing(team: Team, user: User) -> Iterator[Scene]:
    """The form and the YAML of a case."""

    def in_case(act: Act, begin: Callable[[Page], None] | None = None) -> Callable[[Watched], Act]:
        def prepare(watched: Watched) -> Act:
            row, page = drafted(team, user, "middle", {"pack.yaml": simple_pack(MIDDLE)}), watched.page
            case = row.cases.order_by("position")[MIDDLE // 2]
            page.goto(watched.address(f"{EDIT.format('middle')}cases/{case.pk}/"))
            page.wait_for_selector(".cm-content")
            if begin:
                begin(page)
            return act

        return prepare

    yield "field to message", ROUNDS, in_case(message)
    yield "field to saved", ROUNDS, in_case(acknowledged)
    yield "form to YAML", ROUNDS, in_case(yaml_of_form)
    yield "YAML to form", ROUNDS, in_case(form_of_yaml, limited)


def message(watched: Watched, number: int) -> float:
    """A key is emptied: until the field says that it must not be."""
    key = watched.page.locator(control("/inputs/0/key"))
    key.fill("x")
    watched.settle()
    key.press("Backspace")
    found = waited(watched.page, "document.querySelector('[data-at=\"/inputs/0/key\"] .fld__finding--error')")
    key.fill("question")
    return found


def acknowledged(watched: Watched, number: int) -> float:
    """One more letter: until the page says that it is saved."""
    page = watched.page
    page.locator(control("/inputs/0/value")).press("End")
    revision = page.locator("#seen").input_value()
    watched.settle()
    page.keyboard.press("x")
    text = "document.querySelector('#savestate').textContent.includes('Saved')"
    return waited(page, f"document.querySelector('#seen').value !== '{revision}' && {text}")


def yaml_of_form(watched: Watched, number: int) -> float:
    """A letter in the form: until it stands in the YAML, while the caret stays where it is."""
    page, token = watched.page, f"turn{number}z"
    page.locator(control("/inputs/0/value")).fill(token[:-1])
    watched.settle()
    page.keyboard.press("z")
    found = waited(page, f"document.querySelector('.cm-content').textContent.includes('{token}')")
    assert page.evaluate("document.activeElement.name") == "t:/inputs/0/value"
    return found


def limited(page: Page) -> None:
    """Type a limit at the end of the YAML."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("case_timeout_seconds: 10")


def form_of_yaml(watched: Watched, number: int) -> float:
    """A digit in the YAML: until it stands in the form, while the caret stays where it is."""
    page, shown = watched.page, "10" if number % 2 else "105"
    watched.settle()
    page.keyboard.press("Backspace" if number % 2 else "5")
    found = waited(page, f"document.querySelector('#editor [name$=\":/case_timeout_seconds\"]')?.value === '{shown}'")
    assert page.evaluate("document.activeElement.matches('.cm-content')")
    return found


def problems(team: Team, user: User) -> Iterator[Scene]:
    """From a finding to the field where it is fixed."""
    text = simple_pack(MIDDLE).replace(b"challenge_key: locate", b"challenge_key: lcoate", ROUNDS)

    def at_each(place: Callable[[Pack, int], str], link: str) -> Callable[[Watched], Act]:
        def prepare(watched: Watched) -> Act:
            row = drafted(team, user, "wrong", {"pack.yaml": text})
            return lambda watched, number: followed(watched, place(row, number), link.format(number))

        return prepare

    def of_pack(row: Pack, number: int) -> str:
        return f"{EDIT.format('wrong')}problems/"

    def of_case(row: Pack, number: int) -> str:
        return f"{EDIT.format('wrong')}cases/{row.cases.order_by('position')[number].pk}/?lens=problems"

    yield "problem to field", ROUNDS, at_each(of_pack, ".finding .button >> nth={}")
    yield "problem of the same node to field", ROUNDS, at_each(of_case, ".bench__lens .finding .button >> nth=0")


def followed(watched: Watched, path: str, link: str) -> float:
    """A click on a finding, on whose link the pointer has come to rest: until its field has the focus."""
    watched.page.goto(watched.address(path), wait_until="networkidle")
    watched.page.locator(link).hover()
    watched.settle()
    watched.page.locator(link).click()
    return focused(watched.page)


def large(team: Team, user: User) -> Pack:
    return drafted(team, user, "large", {"pack.yaml": simple_pack(LARGE)})


def grid_of(row: Pack, query: str = "") -> str:
    return f"{EDIT.format(row.slug)}sets/{row.input_sets.get().pk}/rows/{query}"


def grid(team: Team, user: User) -> Iterator[Scene]:
    """The cases of a large pack as a table."""

    def paint(watched: Watched) -> Act:
        path, shown = grid_of(large(team, user)), "document.querySelectorAll('#rows-table tbody tr').length"
        return lambda watched, number: opened(watched.page, watched.address(path), shown)

    def filtering(watched: Watched) -> Act:
        watched.page.goto(watched.address(grid_of(large(team, user))), wait_until="networkidle")
        return filtered

    def changing(watched: Watched) -> Act:
        path = grid_of(large(team, user), "?q=PX-9")
        return lambda watched, number: changed(watched, path, "/expectations/[hub]/value")

    def changing_all(watched: Watched) -> Act:
        path = grid_of(drafted(team, user, "rows", large_pack(ROWS)))
        return lambda watched, number: changed(watched, path, "/input/question")

    yield "grid: first paint", ROUNDS, paint
    yield "grid: filter", ROUNDS, filtering
    yield "grid: edit 1,111 cases", 3, changing
    yield "grid: edit 100,000 rows", 1, changing_all


def leaving(team: Team, user: User) -> Iterator[Scene]:
    """Publishing and exporting a large pack."""

    def publishing(watched: Watched) -> Act:
        return lambda watched, number: published(watched, f"/packs/bench/{large(team, user).slug}/publish/")

    def first_byte(watched: Watched) -> Act:
        row = large(team, user)
        version = row.versions.first() or publish(row, user)
        return lambda watched, number: fetched(watched, f"/packs/bench/large/export/file/?version={version.number}")

    def job_of_export(watched: Watched) -> Act:
        return lambda watched, number: fetched(watched, f"/packs/bench/{large(team, user).slug}/export/file/")

    yield "publish: its job", 1, publishing
    yield "export: first byte", ROUNDS, first_byte
    yield "export of a draft: its job", ROUNDS, job_of_export


def filtered(watched: Watched, number: int) -> float:
    """The last letter of a word: until the grid shows what matches."""
    page, status = watched.page, "document.querySelector('#rows [role=status]').textContent"
    page.locator("#rows-words").fill(f"PX-{number + 1}")
    watched.settle()
    before = page.evaluate(status)
    page.keyboard.press("7")
    return waited(page, f"{status} !== {before!r}")


def changed(watched: Watched, path: str, pointer: str) -> float:
    """A field of all cases that match: until the page says that they are changed."""
    page = watched.page
    page.goto(watched.address(path), wait_until="networkidle")
    page.locator("#rows-scope").select_option("all")
    page.get_by_role("button", name="Edit a field").click()
    page.locator("#bulk-form [name=pointer]").select_option(pointer)
    page.locator("#bulk-form [name=text]").fill(f"value {time.time()}")
    page.locator("#plan ins").first.wait_for()
    watched.settle()
    page.locator("#bulk-form [name=go]").click()
    found = waited(page, "document.querySelector('#job .notice') || document.querySelector('#rows')")
    assert page.get_by_text("Undo takes it back").count() or page.locator("#rows").count()
    return found


def published(watched: Watched, path: str) -> float:
    """The button "Publish": until the page of its job is shown; its end is waited for."""
    page = watched.page
    page.goto(watched.address(path), wait_until="networkidle")
    watched.begin()
    page.get_by_role("button", name="Publish").click()
    found = waited(page, "document.querySelector('#job')")
    page.get_by_text("is published").wait_for()
    return found


FETCH = """async (path) => {
  const began = performance.now();
  const answer = await fetch(path);
  const found = performance.now() - began;
  await answer.arrayBuffer();
  return found;
}"""


def fetched(watched: Watched, path: str) -> float:
    """Until the first byte of an answer."""
    watched.begin()
    found: float = watched.page.evaluate(FETCH, path)
    return found


def replay(team: Team, user: User) -> Iterator[Scene]:
    """The replay of a long trial."""
    path = ""

    def place() -> str:
        nonlocal path
        if not path:
            row = drafted(team, user, "one", {"pack.yaml": simple_pack(1)})
            version = row.versions.first() or publish(row, user)
            path = f"/replays/{tell(user, version, f'busy {time.time()}', calls(EVENTS // 2)).pk}/"
        return path

    def paint(watched: Watched) -> Act:
        shown, address = "document.querySelector('#replay-list [aria-current]')", watched.address(place())
        return lambda watched, number: opened(watched.page, address, shown)

    def at_it(act: Act) -> Callable[[Watched], Act]:
        def prepare(watched: Watched) -> Act:
            watched.page.goto(watched.address(place()), wait_until="networkidle")
            return act

        return prepare

    yield "replay: first paint", ROUNDS, paint
    yield "replay: jump", ROUNDS, at_it(jumped)
    yield "replay: search", ROUNDS, at_it(searched)
    yield "replay: next failed step", ROUNDS, lambda watched: at_next_failure(watched.address(place()))


def jumped(watched: Watched, number: int) -> float:
    """A number of a step and Enter: until the step stands there."""
    page, step = watched.page, str(400 * (number + 1))
    page.locator("#step-number").fill(step)
    watched.settle()
    page.keyboard.press("Enter")
    shown = "document.querySelector('#replay-list [aria-current]')"
    return waited(page, f"location.search.includes('step={step}') && {shown}")


def at_next_failure(address: str) -> Act:
    """A key: until the next step that failed is the one that is shown."""

    def act(watched: Watched, number: int) -> float:
        page = watched.page
        page.goto(f"{address}?step=2", wait_until="networkidle")
        watched.settle()
        page.keyboard.press("]")
        shown = "document.querySelector('#replay-list [aria-current]')"
        return waited(page, f"!['', '2'].includes(new URLSearchParams(location.search).get('step') ?? '') && {shown}")

    return act


def searched(watched: Watched, number: int) -> float:
    """A text and Enter: until the number of its hits stands there, with a window of steps that stays small."""
    page, text = watched.page, f"result of call {number}"
    page.get_by_placeholder("Search all events").fill(text)
    watched.settle()
    page.keyboard.press("Enter")
    shown = "document.querySelector('#replay [role=search] [role=status]')"
    found = waited(page, f"new URLSearchParams(location.search).get('q') === '{text}' && {shown}")
    rows = page.locator("#replay-list li").count()
    megabytes = page.evaluate("performance.memory.usedJSHeapSize / 1e6")
    assert rows <= MOST_STEPS, rows
    assert megabytes <= MOST_MEGABYTES, megabytes
    return found
