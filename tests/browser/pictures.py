"""Pictures of every page in both themes, on a desk and on a phone: `make screenshots [ARGS="FOLDER WORD ..."]`.

A studio is started on a folder of its own, gets a pack with judges beside the samples, and runs two packs. Words narrow
the pages to those whose names hold one of them. The pictures of README.md are made each time, into
`docs/pictures`; the word `readme` makes them alone.
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.services import BROWSER, ROOT, StartedStudio

FOLDER = ROOT / "test-results" / "pictures"
JUDGED = ROOT / "tests" / "fixtures" / "challenge_pack" / "bases" / "native.yaml"
SIZES = {1440: 900, 390: 844}
PACK = "/packs/default/unit-conversion/"
# The samples of the other formats: rows with hidden files, suites that people review, tests with metadata and origins.
QUIZ = "/packs/default/parcel-quiz/"
EVALS = "/packs/default/library-desk/"
GATE = "/gates/default/unit-conversion/"
RESULTS = "/results/default/unit-conversion/"
PAGES = {
    "home": "/",
    "packs": "/packs/",
    "import": "/packs/import/",
    "new-pack": "/packs/new/",
    "new-from-git": "/packs/new/git/",
    "new-from-table": "/packs/new/table/",
    "pack": PACK,
    "publish": f"{PACK}publish/",
    "export": f"{PACK}export/",
    "git": f"{PACK}git/",
    "proposals": f"{PACK}proposals/",
    "versions": f"{PACK}versions/",
    "version": f"{PACK}versions/1/",
    "edit-pack": f"{PACK}edit/pack/",
    "edit-problems": f"{PACK}edit/problems/",
    "edit-history": f"{PACK}edit/history/",
    "edit-whole": f"{PACK}edit/yaml/",
    "runs": "/runs/",
    "new-run": "/runs/new/",
    "launch": "/runs/new/?pack=default/unit-conversion",
    "import-traces": "/runs/import/",
    "results": RESULTS,
    "results-cases": f"{RESULTS}cases/",
    "results-failures": f"{RESULTS}failures/",
    "results-judges": "/results/default/ferry-desk/judges/",
    "gates": GATE,
    "gate": f"{GATE}merge/",
    "gate-policy": f"{GATE}merge/policy/",
    "gate-schedule": f"{GATE}nightly/schedule/",
    "agents": "/agents/",
    "agent-kinds": "/agents/new/",
    "new-agent": "/agents/new/scripted/",
    "account": "/account/",
    "audit": "/audit/",
    "teams": "/teams/",
    "team": "/team/default/",
    "api-reference": "/api/",
    "workers": "/workers/",
    "ops": "/ops/",
    "search": "/search/?q=unit",
    "missing": "/no/such/page/",
    "curation": "/curation/",
    "curation-packs": "/curation/packs/pack/",
    "curation-runs": "/curation/runs/run/",
    "reviews": "/reviews/",
    "turns": "/turns/",
    "connections": "/connections/",
    "new-connection": "/connections/new/",
    "secrets": "/secrets/",
    "slices": f"{EVALS}edit/metadata/",
    "origins": f"{EVALS}origins/",
    "arrangement": f"{EVALS}arrangement/",
    "files": f"{QUIZ}edit/files/",
}
# A suite that two people review, and what two said of the trials of a run.
SUITE = """
from django.contrib.auth.models import User
from packs.models import Team
from tests.runs.reviews import FILES, reviewed_task
from tests.runs.suites import publish_suite
tasks = reviewed_task(min_reviewers=2), reviewed_task("be-kind_2", min_reviewers=2)
publish_suite(Team.objects.get(), User.objects.get(), *tasks, slug="kindness", **FILES)
"""
OPINIONS = """
from packs.models import Team
from runs.jobs.scores.reviewing import review
from runs.models import ReviewRequest
from tests.runs.reviews import reviewer, scores
said = {reviewer(Team.objects.get(), name): given for name, given in (("ada", (4, 3)), ("bob", (2, 3)))}
for request in ReviewRequest.objects.filter(trial__run__version__pack__slug="kindness")[2:]:
    for person, given in said.items():
        review(request, person, scores(*given))
"""
TABLE = "case_key\tamount\tthe unit\nferry\t12 knots\tkilometres an hour\nmarathon\t42 km\tmiles\n"


def prepare(studio):
    """Runs in the studio: their ids by name."""
    studio.manage("pack", "import", str(JUDGED), "--publish", "--user", "admin")
    agents = ["--agent", "reference", "--agent", "echo", "--wait", "--json", "--user", "admin"]
    studio.manage("shell", "--no-imports", "--command", SUITE)
    said = {
        "run": studio.manage("run", "start", "unit-conversion", "--input-set", "everyday", *agents),
        "judged-run": studio.manage("run", "start", "ferry-desk", *agents),
        "reviewed-run": studio.manage("run", "start", "reading-room", "--input-set", "open_ended", *agents),
        "agreed-run": studio.manage("run", "start", "kindness", "--input-set", "open_ended", *agents),
    }
    runs = {name: json.loads(run)["id"] for name, run in said.items()}
    studio.manage("shell", "--no-imports", "--command", OPINIONS)
    for agent in ("reference", "echo"):
        studio.manage("gate", "check", str(runs["run"]), "--agent", agent)
    studio.manage("run", "rescore", str(runs["run"]))
    return runs


def sign_in(page, studio):
    page.goto(f"{studio.address}/sign-in/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(studio.password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{studio.address}/")


def first_case(page, address):
    """The address of the first case in the outline of a draft."""
    page.goto(f"{address}edit/pack/")
    page.locator(".outline__more").first.click()
    return page.locator('.outline a[href*="/cases/"]').first.get_attribute("href")


def edit_pages(page, studio):
    """Pages of a case of each kind of pack, and of the grid of a set."""
    case, row, test = (first_case(page, f"{studio.address}{pack}") for pack in (PACK, QUIZ, EVALS))
    page.goto(f"{studio.address}{case}")
    trying = page.get_by_role("link", name="Try", exact=True).first.get_attribute("href")
    pages = {"edit-case": case, "edit-row": row, "edit-test": test, "metadata": f"{test}metadata/"}
    pages |= {"sides": f"{row}sides/", "try": trying}
    page.goto(f"{studio.address}{PACK}edit/pack/")
    cases = page.get_by_role("link", name="Cases as a table").first.get_attribute("href")
    return {**pages, "grid": cases, "paste": f"{cases}table/"}


def last_trial(page):
    """The address of the first trial in the last cell of the page of a run."""
    page.locator("#run-grid td a").last.click()
    return page.locator('#cell a[href*="/runs/trials/"]').first.get_attribute("href")


def found_pages(page, studio, runs):
    """The pages whose addresses hold ids that only links tell: of a case, of runs, of their last trials."""
    pages = edit_pages(page, studio)
    for name, run in runs.items():
        page.goto(f"{studio.address}/runs/{run}/")
        trial = last_trial(page)
        pages |= {name: f"/runs/{run}/", f"{name}-configuration": f"/runs/{run}/configuration/"}
        pages |= {f"{name}-trial": trial, f"{name}-stored": f"{trial}stored/", f"{name}-case": f"{trial}case/"}
        pages |= {f"{name}-metrics": f"/runs/{run}/metrics/", f"{name}-gates": f"/runs/{run}/gates/"}
        pages[f"{name}-charts"] = f"/runs/{run}/charts/"
        pages[f"{name}-replay"] = trial.replace("/runs/trials/", "/replays/") + "?types=all"
    pages["compare"] = f"/runs/compare/?ids={','.join(str(run) for run in list(runs.values())[:2])}"
    page.goto(f"{studio.address}{GATE}merge/")
    verdict = page.locator("tbody th a").first.get_attribute("href")
    page.goto(f"{studio.address}/runs/{runs['run']}/rescores/")
    rescore = page.locator('a[href*="/rescores/"].item').first.get_attribute("href")
    pages["agreement"] = f"/runs/{runs['agreed-run']}/reviews/"
    pages |= {"rescores": f"/runs/{runs['run']}/rescores/", "rescore": rescore, "judgings": f"{rescore}compare/"}
    pages["share"] = f"/shares/?of=run:{runs['run']}"
    page.goto(f"{studio.address}/reviews/")
    review = page.locator('a[href*="/reviews/"].item').first.get_attribute("href")
    return {**pages, "review": review, "verdict": verdict, "verdict-preview": f"{verdict}preview/"}


def import_something(page):
    page.goto("/packs/import/")
    page.get_by_text("Paste text instead").click()
    page.locator("textarea[name=text]").fill(JUDGED.read_text())
    page.get_by_role("button", name="Preview the import").click()


def export_by_a_worker(page):
    page.goto(f"{PACK}export/")
    page.get_by_role("button", name="Prepare").click()


def paste_rows(page, pages):
    page.goto(pages["paste"])
    page.get_by_label("Rows of a spreadsheet").fill(TABLE)
    page.get_by_role("button", name="Preview the import").click()


def change_many(page, pages):
    page.goto(pages["grid"])
    page.locator("#rows-all").check()
    page.get_by_role("button", name="Edit a field").click()


def try_an_answer(page, pages):
    page.goto(pages["try"])
    page.get_by_label("Answer", exact=True).fill("42195")
    page.get_by_role("button", name="Try it").click()


# Pages that one comes to by doing something; what is done here changes no pack and no run.
STEPS = {
    "import-preview": lambda page, pages: import_something(page),
    "job": lambda page, pages: export_by_a_worker(page),
    "mapping": paste_rows,
    "bulk": change_many,
    "tryout": try_an_answer,
    "palette": lambda page, pages: (page.goto("/"), page.keyboard.press("Control+k"), page.keyboard.type("unit")),
    "keys": lambda page, pages: (page.goto("/runs/"), page.keyboard.press("?")),
}


# What README.md shows: a part of a page without navigation, in pixels of a desk.
SHOWN = "authoring", "run", "replay"
PART = {"x": 200, "y": 48, "width": 1240, "height": 720, "scale": 2}
README_FOLDER = ROOT / "docs" / "pictures"


def pages_of_readme(page, studio, run):
    """The addresses of what README.md shows, by the name of its picture."""
    case = first_case(page, f"{studio.address}{PACK}")
    page.goto(f"{studio.address}/runs/{run}/")
    trial = last_trial(page)
    replay = trial.replace("/runs/trials/", "/replays/") + "?types=all"
    return {"authoring": case, "run": f"/runs/{run}/", "replay": replay}


def take_for_readme(browser, studio, run):
    """Light, sharp on good screens, and small enough for a repository."""
    view = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
    context = browser.new_context(**view, base_url=studio.address)
    page = context.new_page()
    sign_in(page, studio)
    pages = pages_of_readme(page, studio, run)
    for name in SHOWN:
        page.goto(pages[name], wait_until="networkidle")
        wanted = {"format": "webp", "quality": 80, "clip": PART}
        taken = context.new_cdp_session(page).send("Page.captureScreenshot", wanted)
        (README_FOLDER / f"{name}.webp").write_bytes(base64.b64decode(taken["data"]))
    context.close()


def is_wanted(name, words):
    return not words or any(word in name for word in words)


def take(browser, studio, runs, folder, words):
    pages = {}
    for width, height in SIZES.items():
        for theme in ("light", "dark"):
            view = {"viewport": {"width": width, "height": height}, "color_scheme": theme}
            context = browser.new_context(**view, base_url=studio.address)
            page = context.new_page()
            sign_in(page, studio)
            pages = pages or PAGES | found_pages(page, studio, runs)
            for name, path in pages.items():
                if is_wanted(name, words):
                    page.goto(path, wait_until="networkidle")
                    page.screenshot(path=folder / f"{name}-{theme}-{width}.png", full_page=True)
            for name, come in STEPS.items():
                if is_wanted(name, words):
                    come(page, pages)
                    page.wait_for_load_state("networkidle")
                    page.screenshot(path=folder / f"{name}-{theme}-{width}.png")
            context.close()


def main(folder=str(FOLDER), *words):
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        studio = StartedStudio(Path(data) / "studio", settings="studio.settings")
        try:
            studio.wait_for("Packwright is ready")
            runs = prepare(studio)
            browser = playwright.chromium.launch(**BROWSER)
            take_for_readme(browser, studio, runs["run"])
            if words != ("readme",):
                take(browser, studio, runs, target, words)
            browser.close()
        finally:
            studio.stop()
    sys.stdout.write(f"{len(list(target.glob('*.png')))} pictures in {target}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
