"""From a loose check to a proven case that can be published, and on to a stale one."""

import re

import pytest
from playwright.sync_api import expect

from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Job
from packs.views.workbench.addresses import workbench_url
from tests.browser.test_workbench import control, saved
from tests.corpora import ROOT
from tests.runs.proof.makers import challenge

pytestmark = pytest.mark.browser
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
CHECK = "/version/evaluation_spec/validators/0/expected_from"
PROOF = "/proofs/default/planted/"


@pytest.fixture
def pack(transactional_db, team, author):
    loose = {"says": ("regex_match", "literal:.*")}
    made = import_pack(team, author, challenge(loose, ["42"], asked="Answer exactly with the number."), "planted")
    made.needs_proof = True
    made.save()
    return made


def test_a_loose_check_is_tightened_until_its_case_is_proven_and_published(
    open_as, as_author, as_administrator, pack, errors
):
    case = pack.cases.get()
    lens = f"{workbench_url(pack, case)}?lens=proof"
    page = open_as(as_author, lens)
    proof = page.locator("#proof")
    for code in ("accepts_empty", "accepts_mutant"):
        expect(proof.locator("code", has_text=re.compile(f"^{code}$"))).to_be_visible()
    for width, theme in ((1440, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        page.evaluate(AXE.read_text("utf-8"))
        assert page.evaluate("axe.run('#proof').then((found) => found.violations.map((each) => each.id))") == []
    page.set_viewport_size({"width": 1440, "height": 900})

    page.goto(page.url.partition("/packs/")[0] + workbench_url(pack, pack, CHECK))
    control(page, CHECK).fill(r"literal:^\s*42\s*$")
    saved(page)
    page.goto(page.url.partition("/packs/")[0] + lens)
    expect(proof.locator(".chip", has_text="Proven")).to_be_visible()

    page = open_as(as_administrator, "/packs/default/planted/publish/")
    expect(page.get_by_text("All cases are proven as they are.")).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_url("**/versions/1/")

    page.goto(page.url.partition("/packs/")[0] + workbench_url(pack, case))
    control(page, "/expectations/0/value").fill("43")
    saved(page)
    page.goto(page.url.partition("/packs/")[0] + PROOF)
    expect(page.get_by_role("row").locator(".chip", has_text="Stale")).to_be_visible()
    page.get_by_role("button", name="Prove", exact=True).click()
    page.wait_for_url("**/jobs/*/")
    execute_job(Job.objects.get(kind="prove").pk)
    page.get_by_role("link", name="See the findings").click()
    expect(page.get_by_role("row").locator(".chip", has_text="Refuted")).to_be_visible()
    expect(page.get_by_role("row")).to_contain_text(["", "reference_fails"])
    for width, theme in ((390, "light"), (1440, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        page.evaluate(AXE.read_text("utf-8"))
        assert page.evaluate("axe.run().then((found) => found.violations.map((each) => each.id))") == []
    assert errors == []
