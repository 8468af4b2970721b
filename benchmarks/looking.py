"""What people wait for with runs and their results: scenes of `benchmarks.feel`."""

from collections.abc import Callable, Iterator

from django.contrib.auth.models import User
from django.db.models import Max

from benchmarks.size.rows import publish_cases, write_run
from benchmarks.watching import SHOWN, Act, Scene, Watched, opened, waited
from packs.models import Team
from runs.grading.graders.own_rubrics import read_rubric
from runs.launch.launching import launch
from runs.models import ACTIVE_RUNS, Agent, ReviewRequest, Run, TrialStatus
from runs.results.queues import Choice, Wanted, make_queue
from tests.services import wait_until

CASES = 1_000
ROUNDS = 12
RUBRIC = ({"name": "Right?", "kind": "yes_no", "passing": ["yes"]},)
# Milliseconds.
GOALS = {
    "compare 2 × 1,000: regressions": 1_000,
    "compare 2 × 1,000: one case": 300,
    "review: next trial": 300,
    "re-score 1,000 trials": 10_000,
    "run: from a trial's end to its verdict on the page": 1_000,
    "run: from Cancel to the last start of a trial": 2_000,
}
# How long the agent of a run that is watched takes for a trial, and how many trials are under way when it is cancelled.
SLOW_SECONDS, CASES_TO_CANCEL = 1.0, 200


def scenes(team: Team, user: User) -> Iterator[Scene]:
    """Two runs of 1,000 cases are compared, reviewed and judged again."""
    found: list[Run] = []

    def runs() -> list[Run]:
        if not found:
            version = publish_cases(team, user, CASES)
            found.extend(write_run(user, version, 1, 1) for _ in range(2))
        return found

    def comparison() -> str:
        return f"/runs/compare/?ids={','.join(str(run.pk) for run in runs())}&show=regressed"

    def regressions(watched: Watched) -> Act:
        address = watched.address(comparison())
        return lambda watched, number: opened(
            watched.page, address, "document.querySelectorAll('#compare [data-row]').length"
        )

    def one_case(watched: Watched) -> Act:
        watched.page.goto(watched.address(comparison()), wait_until="networkidle")
        return opened_case

    def reviewing(watched: Watched) -> Act:
        queue = make_queue(runs()[0], user, Wanted("Check", read_rubric(RUBRIC), Choice(), 1, {}))
        first = ReviewRequest.objects.filter(queue=queue).earliest("pk")
        watched.page.goto(watched.address(f"/reviews/{first.pk}/?queue={queue.pk}"), wait_until="networkidle")
        return reviewed

    def rescoring(watched: Watched) -> Act:
        address = watched.address(f"/runs/{runs()[0].pk}/rescores/")
        return lambda watched, number: rescored(watched, address)

    yield "compare 2 × 1,000: regressions", ROUNDS, regressions
    yield "compare 2 × 1,000: one case", ROUNDS, one_case
    yield "review: next trial", ROUNDS, reviewing
    yield "re-score 1,000 trials", 1, rescoring
    yield (
        "run: from a trial's end to its verdict on the page",
        ROUNDS,
        lambda watched: live(team, user, 1, shown_verdict),
    )
    yield (
        "run: from Cancel to the last start of a trial",
        3,
        lambda watched: live(team, user, CASES_TO_CANCEL, cancelled),
    )


def opened_case(watched: Watched, number: int) -> float:
    """A click on another case: until its difference stands below it."""
    link = watched.page.locator("#compare [data-open]").nth(number)
    link.hover()
    watched.settle()
    link.click()
    return waited(watched.page, f"document.querySelectorAll('#compare [data-open]')[{number}]?.ariaExpanded === 'true'")


def reviewed(watched: Watched, number: int) -> float:
    """Two keys of a reviewer: until the next trial can be judged."""
    page = watched.page
    before = page.evaluate("location.pathname")
    watched.settle()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    ready = "document.querySelector('main form input[type=radio]:not(:checked)')"
    return waited(page, f"location.pathname !== {before!r} && {ready}")


def rescored(watched: Watched, address: str) -> float:
    """The button of the form: until the page says that all stored answers are judged again."""
    page = watched.page
    page.goto(address, wait_until="networkidle")
    watched.settle()
    page.get_by_role("button", name="Re-score", exact=True).click()
    return waited(page, "document.querySelector('#rescore #agents-title')")


def live(team: Team, user: User, cases: int, act: Callable[[Watched, Run], float]) -> Act:
    """An act on the page of a run that has just begun, of an agent that takes its time."""
    version = publish_cases(team, user, cases)
    config = {"default": {"output": "Hub 0"}, "delay_seconds": SLOW_SECONDS}
    agent = Agent.objects.create(team=team, name=f"slow {cases}", kind="scripted", config=config)

    def begun(watched: Watched, number: int) -> float:
        run = launch(user, version, [agent])
        watched.page.goto(watched.address(f"/runs/{run.pk}/"), wait_until="load")
        return act(watched, run)

    return begun


def shown_verdict(watched: Watched, run: Run) -> float:
    at = watched.page.wait_for_function(SHOWN.format(condition="!document.querySelector('#run-poll')"), polling="raf")
    shown: float = at.json_value()
    ended = run.trials.get().finished_at
    return shown - ended.timestamp() * 1000


def cancelled(watched: Watched, run: Run) -> float:
    """How long after the click of the last question the last trial was begun; 0 where none was."""
    page = watched.page
    wait_until(lambda: run.trials.filter(status=TrialStatus.RUNNING).exists(), "the first trials")
    page.get_by_role("button", name="Cancel run").click()
    page.get_by_role("button", name="Cancel the run").click()
    clicked = float(page.evaluate("sessionStorage.getItem('began')"))
    wait_until(lambda: not Run.objects.filter(pk=run.pk, status__in=ACTIVE_RUNS).exists(), "the end of the run")
    last = run.trials.aggregate(last=Max("started_at"))["last"]
    return max(0.0, last.timestamp() * 1000 - clicked)
