"""The main job from sign-in to exported YAML, on a studio as `manage.py up` starts it: real web, real worker."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from packs.formats import adapter_of
from packs.formats.findings import has_errors
from tests.corpora import CORPUS, ROOT

pytestmark = [pytest.mark.browser, pytest.mark.services]
OWN = ROOT / "tests" / "fixtures" / "challenge_pack" / "packs" / "tide-tables.yaml"
REAL = CORPUS / "challenge-pack" / "incident-response-llm-judge.yaml"


@dataclass(frozen=True)
class Journey:
    """What is done with a pack: the case that is edited, where, and the input set that is run."""

    path: Path
    case: str
    pointer: str
    value: str
    input_set: str
    cases: int
    judged: int
    verdict: str
    unjudged: tuple[str, ...]

    @property
    def slug(self):
        return self.path.stem


JOURNEYS = [
    Journey(OWN, "shallow/boat", "/inputs/0/value", "1.1", "Spring tide", 2, 2, "Passed", ()),
    pytest.param(
        Journey(
            path=REAL,
            case="ambiguous-sev1",
            pointer="/expectations/0/value",
            value="Escalate at once.\nAsk later.",
            input_set="",
            cases=1,
            judged=0,
            verdict="Undecided",
            unjudged=("escalation_safety", "diagnosis_quality"),
        ),
        marks=pytest.mark.skipif(not REAL.is_file(), reason=f"no corpus at {CORPUS}"),
    ),
]


@pytest.fixture
def page(studio, context, listen):
    """The home page of the administrator whose password was printed."""
    shown = context.new_page()
    listen(shown)
    shown.goto(studio.address)
    shown.get_by_label("Username").fill("admin")
    shown.get_by_label("Password").fill(studio.password)
    shown.get_by_role("button", name="Sign in").click()
    expect(shown.get_by_role("heading", level=1)).to_have_text("Home")
    return shown


def control(page, pointer):
    return page.locator(f'#editor [name$=":{pointer}"]:not([type=hidden]):not(.input--kind):not(.input--key)').first


def import_file(page, slug, file):
    page.get_by_role("link", name="Import").click()
    page.set_input_files("input[type=file]", file)
    page.get_by_role("button", name="Preview the import").click()
    page.get_by_role("button", name="Import").click()
    page.wait_for_url(f"**/packs/default/{slug}/")


def open_case(page, input_set, key):
    """Follow the outline to a case of an input set, counted from 0, whose cases are not listed yet."""
    outline = page.get_by_role("navigation", name="Outline")
    outline.locator(".outline__more").nth(input_set).click()
    outline.get_by_role("link", name=key, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(key)
    page.wait_for_load_state()


def saved(page):
    page.keyboard.press("Tab")
    expect(page.locator("#savestate")).to_contain_text("Saved")


def edit_case(page, journey):
    """Make a mistake, see it said, fix it, and make the change that is wanted."""
    page.get_by_role("link", name="Edit draft").click()
    open_case(page, 0, journey.case)
    key = "/expectations/0/key"
    right = control(page, key).input_value()
    found = page.locator(f'[data-at="{key}"]').first.locator(".fld__finding--error")
    control(page, key).fill("")
    expect(found).to_be_visible()
    expect(page.locator("#problem-count")).to_contain_text("error")
    control(page, key).fill(right)
    expect(found).to_have_count(0)
    control(page, journey.pointer).fill(journey.value)
    saved(page)
    expect(page.locator(".cm-content")).to_contain_text(journey.value.splitlines()[0])
    page.get_by_role("link", name="Overview").click()


def publish(page, slug):
    page.get_by_role("link", name="Check and publish").click()
    page.get_by_role("button", name="Publish").click()
    page.wait_for_url(f"**/packs/default/{slug}/versions/*/")


def run(page, journey):
    """Choose what to run, start it, and wait on the page of the run until the worker is done."""
    page.get_by_role("main").get_by_role("link", name="Run", exact=True).click()
    if journey.input_set:
        page.get_by_role("radio", name=journey.input_set).check()
        expect(page.locator("#forecast")).to_contain_text(f"{journey.cases} trials")
    page.get_by_role("button", name="Start run").click()
    page.wait_for_url(re.compile(r"/runs/\d+/$"))
    expect(page.locator("#run-summary")).to_contain_text("Completed")
    expect(page.locator("#run-summary")).to_contain_text(f"{journey.judged} of {journey.cases}")


def read_trial(page, journey):
    page.locator("#run-grid tr", has_text=journey.case).get_by_role("link").click()
    page.locator("#cell").get_by_role("link", name="Trial 1", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(journey.case)
    expect(page.locator("#result")).to_contain_text(journey.verdict)
    expect(page.get_by_role("heading", name="Scorecard")).to_be_visible()
    for key in journey.unjudged:
        row = page.locator("section[aria-labelledby=card-title]").get_by_role("row", name=key)
        expect(row.locator(".chip", has_text="Unavailable")).to_be_visible()


def read_stored_document(page, journey):
    page.get_by_role("link", name="Stored document").click()
    page.get_by_text("As JSON").click()
    expect(page.locator("#stored")).to_contain_text(journey.value.splitlines()[0])


def read_replay(page):
    page.get_by_role("navigation", name="Trial").get_by_role("link", name="Replay").click()
    first = page.locator("#step-title").inner_text()
    # Keys are heard once the scripts of a page are there.
    page.wait_for_load_state()
    page.keyboard.press("j")
    expect(page.locator("#step-title")).not_to_have_text(first)
    expect(page.locator("#replay-list [aria-current=step]")).to_have_count(1)


def export(page, slug):
    """The canonical YAML of the published version."""
    page.get_by_role("link", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="File").click()
    return Path(download.value.path()).read_bytes()


def with_edit(tree, journey):
    """The tree with the change that was made in the browser, and with nothing else changed."""
    *_, place, index, name = journey.pointer.split("/")

    def edited(case):
        items = [dict(item) for item in case.document[place]]
        items[int(index)][name] = journey.value
        return replace(case, document=case.document | {place: items})

    sets = (
        replace(each, cases=tuple(edited(case) if case.key == journey.case else case for case in each.cases))
        for each in tree.input_sets
    )
    return replace(tree, input_sets=tuple(sets))


def loaded(content):
    adapter = adapter_of("challenge_pack")
    tree, found = adapter.load({"pack.yaml": content})
    assert not has_errors(found)
    assert not has_errors(adapter.check(tree))
    return tree


@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda journey: journey.slug)
def test_a_pack_is_imported_edited_published_run_read_and_exported(page, journey, errors):
    import_file(page, journey.slug, journey.path)
    edit_case(page, journey)
    publish(page, journey.slug)
    run(page, journey)
    read_trial(page, journey)
    read_stored_document(page, journey)
    read_replay(page)
    page.get_by_role("link", name=f"{journey.slug} version").click()
    exported = loaded(export(page, journey.slug))
    assert exported == with_edit(loaded(journey.path.read_bytes()), journey)
    assert errors == []


def test_three_mistakes_are_made_found_by_the_problems_list_mended_and_published(page, errors):
    slug = "three-mistakes"
    text = OWN.read_bytes().replace(b"slug: tide-tables", f"slug: {slug}".encode())
    import_file(page, slug, {"name": "pack.yaml", "mimeType": "text/yaml", "buffer": text})
    page.get_by_role("link", name="Edit draft").click()
    open_case(page, 2, "never")
    control(page, "/expectations/0/key").fill("")
    saved(page)
    open_case(page, 1, "no")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    # In one go, with the old value as a comment: half a line is refused where it is saved.
    page.keyboard.insert_text("challenge_key: nowhere # ")
    expect(page.locator("#problem-count")).to_contain_text("2 errors")
    threshold = "/version/evaluation_spec/scorecard/pass_threshold"
    page.goto(f"{page.url.partition('/edit/')[0]}/edit/pack/?at={threshold}")
    control(page, threshold).fill("7")
    saved(page)
    expect(page.locator("#problem-count")).to_contain_text("3 errors")
    fix = {
        threshold: lambda field: field.fill("1"),
        "/challenge_key": lambda field: field.select_option("passage"),
        "/expectations/0/key": lambda field: field.fill("hour"),
    }
    for left, (pointer, act) in zip((2, 1, 0), fix.items(), strict=True):
        page.locator("#problem-count").click()
        page.locator(f'#problems a[href*="at={pointer}"]').first.click()
        expect(control(page, pointer)).to_be_focused()
        act(control(page, pointer))
        saved(page)
        expect(page.locator("#problem-count")).to_contain_text(f"{left} error" if left else "Valid")
    page.get_by_role("link", name="Overview").click()
    publish(page, slug)
    assert loaded(export(page, slug)) == loaded(text)
    assert errors == []
