"""A real headless Chromium that says how long people wait: from their last key or click to the frame that shows what
they wait for.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

import psutil
from playwright.sync_api import BrowserContext, Page, Request, sync_playwright

from tests.services import BROWSER, StartedStudio

# When the last key or click was, and the frame in which a field had the focus, on a clock that goes on over pages. The
# page notes it itself: what comes to a new page from outside comes later than the frame.
NOTE = """
for (const kind of ["keydown", "click"]) {
  addEventListener(kind, (event) => sessionStorage.setItem("began", performance.timeOrigin + event.timeStamp), true);
}
addEventListener("focusin", (event) => {
  if (event.target.closest("#editor .fld")) requestAnimationFrame(() => {
    window.benchFocused = performance.timeOrigin + performance.now();
  });
}, true);
"""
SHOWN = "() => document.readyState !== 'loading' && ({condition}) && performance.timeOrigin + performance.now()"
TIMEOUT_MS = 180_000
# Longer than the pause after which the whole draft is checked.
SETTLE_MS = 1_700
BARE = "/healthz"


@dataclass
class Cost:
    """Milliseconds of the rounds of an act, of the bare page beside them, and of processor time."""

    waits: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    studio: float = 0.0
    browser: float = 0.0

    @property
    def late(self) -> float:
        """What one in twenty waits longer than."""
        return quantiles(self.waits, n=20, method="inclusive")[-1] if len(self.waits) > 1 else self.waits[0]

    @property
    def times(self) -> float:
        """How many times as long as the bare page."""
        return median(self.waits) / median(self.bare)


# An act, by its number: gives the milliseconds that somebody waited for it.
Act = Callable[["Watched", int], float]


class Watched:
    """A signed-in window, and beside it one for the bare page. Notes which request took longest."""

    def __init__(self, context: BrowserContext, studio: StartedStudio) -> None:
        self.studio, self.slowest, self._before = studio, dict[str, float](), (0.0, 0.0)
        context.on("requestfinished", self._note)
        self.page, self._bare = context.new_page(), context.new_page()

    def _note(self, request: Request) -> None:
        path = request.url.removeprefix(self.studio.address).partition("?")[0]
        self.slowest[path] = max(self.slowest.get(path, 0.0), request.timing["responseEnd"])

    def bare(self) -> float:
        return opened(self._bare, self.address(BARE), "true")

    def address(self, path: str) -> str:
        return f"{self.studio.address}{path}"

    def measure(self, act: Act, rounds: int) -> Cost:
        """An act, again and again; each time the bare page is opened before it."""
        cost = Cost()
        for number in range(rounds):
            cost.bare.append(self.bare())
            self.begin()
            cost.waits.append(act(self, number))
            studio, browser = (after - then for after, then in zip(self._spent(), self._before, strict=True))
            cost.studio, cost.browser = cost.studio + studio / rounds, cost.browser + browser / rounds
        return cost

    def settle(self) -> None:
        """Wait until what was done before has come to rest, the check of the whole draft too; then the act begins."""
        self.page.wait_for_timeout(SETTLE_MS)
        self.begin()

    def begin(self) -> None:
        """An act that prepares something says when that is done: processor time counts from then on."""
        self._before = self._spent()

    def _spent(self) -> tuple[float, float]:
        """Milliseconds of processor time of the studio's processes and of the browser's."""
        browser = [process for process in psutil.Process().children(recursive=True) if "chrom" in process.name()]
        return spent(self.studio.children()), spent(set(browser) - set(self.studio.children()))


def spent(processes: Any) -> float:
    found = 0.0
    for process in processes:
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        found += (times.user + times.system) * 1000
    return found


def waited(page: Page, condition: str) -> float:
    """Milliseconds from the last key or click to the first frame in which the condition holds, on whichever page."""
    shown = page.wait_for_function(SHOWN.format(condition=condition), polling="raf")
    at: float = shown.json_value()
    return at - float(page.evaluate("sessionStorage.getItem('began')"))


def focused(page: Page) -> float:
    """Milliseconds from the last key or click to the first frame in which a field of the form has the focus."""
    found: float = page.wait_for_function("() => window.benchFocused", polling="raf").json_value()
    return found - float(page.evaluate("sessionStorage.getItem('began')"))


def opened(page: Page, address: str, condition: str) -> float:
    """Milliseconds from asking for a page to the first frame in which the condition holds."""
    page.goto(address, wait_until="commit")
    shown = page.wait_for_function(SHOWN.format(condition=condition), polling="raf")
    at: float = shown.json_value()
    return at - float(page.evaluate("performance.timeOrigin"))


# The name of an act, how often it is done, and what prepares it.
Scene = tuple[str, int, Callable[[Watched], Act]]


@contextmanager
def watching(studio: StartedStudio, session: str) -> Iterator[Watched]:
    """A browser in which somebody is signed in by the key of their session."""
    # The browser has an event loop in this thread; the database is used between its steps.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**BROWSER)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.set_default_timeout(TIMEOUT_MS)
        context.add_cookies([{"name": "sessionid", "value": session, "url": studio.address}])
        context.add_init_script(NOTE)
        yield Watched(context, studio)
        browser.close()
