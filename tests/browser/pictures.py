"""Pictures of every page in both themes, on a desk and on a phone: `make screenshots [ARGS="FOLDER WORD ..."]`.

A studio is started on a folder of its own, gets a pack with judges beside the samples, and runs two packs. Words narrow
the pages to those whose names hold one of them.
"""

import json
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.services import ROOT, StartedStudio

FOLDER = ROOT / "test-results" / "pictures"
JUDGED = ROOT / "tests" / "fixtures" / "challenge_pack" / "bases" / "native.yaml"
SIZES = {1440: 900, 390: 844}
PACK = "/packs/default/unit-conversion/"
GATE = "/gates/default/unit-conversion/"
PAGES = {
    "home": "/",
    "packs": "/packs/",
    "import": "/packs/import/",
    "new-pack": "/packs/new/",
    "pack": PACK,
    "publish": f"{PACK}publish/",
    "export": f"{PACK}export/",
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
    "gates": GATE,
    "gate": f"{GATE}merge/",
    "gate-policy": f"{GATE}merge/policy/",
    "gate-schedule": f"{GATE}nightly/schedule/",
    "agents": "/agents/",
    "new-agent": "/agents/new/scripted/",
    "account": "/account/",
    "workers": "/workers/",
    "search": "/search/?q=unit",
    "missing": "/no/such/page/",
    "curation": "/curation/",
}


def prepare(studio):
    """Runs in the studio: their ids by name."""
    studio.manage("pack", "import", str(JUDGED), "--publish", "--user", "admin")
    agents = ["--agent", "reference", "--agent", "echo", "--wait", "--json", "--user", "admin"]
    said = {
        "run": studio.manage("run", "start", "unit-conversion", "--input-set", "everyday", *agents),
        "judged-run": studio.manage("run", "start", "ferry-desk", *agents),
    }
    runs = {name: json.loads(run)["id"] for name, run in said.items()}
    for agent in ("reference", "echo"):
        studio.manage("gate", "check", str(runs["run"]), "--agent", agent)
    return runs


def sign_in(page, studio):
    page.goto(f"{studio.address}/sign-in/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(studio.password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{studio.address}/")


def found_pages(page, studio, runs):
    """The pages whose addresses hold ids that only links tell: of a case, of runs, of their last trials."""
    page.goto(f"{studio.address}{PACK}edit/pack/")
    page.locator(".outline__more").first.click()
    pages = {"edit-case": page.locator('.outline a[href*="/cases/"]').first.get_attribute("href")}
    for name, run in runs.items():
        page.goto(f"{studio.address}/runs/{run}/")
        trial = page.locator("#run-grid td a").last.get_attribute("href")
        pages |= {name: f"/runs/{run}/", f"{name}-configuration": f"/runs/{run}/configuration/"}
        pages |= {f"{name}-trial": trial, f"{name}-stored": f"{trial}stored/", f"{name}-case": f"{trial}case/"}
        pages |= {f"{name}-metrics": f"/runs/{run}/metrics/", f"{name}-gates": f"/runs/{run}/gates/"}
        pages[f"{name}-replay"] = trial.replace("/runs/trials/", "/replays/") + "?types=all"
    page.goto(f"{studio.address}{GATE}merge/")
    verdict = page.locator("tbody th a").first.get_attribute("href")
    return {**pages, "verdict": verdict, "verdict-preview": f"{verdict}preview/"}


def take(browser, studio, runs, folder, words):
    pages = {}
    for width, height in SIZES.items():
        for theme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
            page = context.new_page()
            sign_in(page, studio)
            pages = pages or PAGES | found_pages(page, studio, runs)
            for name, path in pages.items():
                if words and not any(word in name for word in words):
                    continue
                page.goto(f"{studio.address}{path}", wait_until="networkidle")
                page.screenshot(path=folder / f"{name}-{theme}-{width}.png", full_page=True)
            context.close()


def main(folder=str(FOLDER), *words):
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        studio = StartedStudio(Path(data) / "studio", settings="studio.settings")
        try:
            studio.wait_for("Packwright is ready")
            runs = prepare(studio)
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            take(browser, studio, runs, target, words)
            browser.close()
        finally:
            studio.stop()
    sys.stdout.write(f"{len(list(target.glob('*.png')))} pictures in {target}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
