"""Small packs that were once handled wrongly, each at every door: command line, preview, import, API, form and lens."""

import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from packs.formats.archives import read_path
from packs.formats.command import main
from packs.importing import create_pack
from packs.models import Pack
from packs.publish import PublishRefused, publish
from tests.corpora import corpus_folder
from tests.lives import live_in_files, live_in_rows
from tests.packs.import_ways import team_with_author, upload_of

FOLDER = corpus_folder("regressions")
# Folder: its format, and what is said of it, by code and place; advice beside that is not listed.
SPEC = "version.evaluation_spec"
ROWS = {
    "ch-hugeint": ("challenge_pack", {("yaml.W003", f"input_sets[0].cases[0].payload.{name}") for name in "abe"}),
    "benchmark-first-row-input-text": ("benchmark_pack", {("benchmark_pack.E115", "row.input")}),
    "benchmark-recognised-as-agentv": (
        "benchmark_pack",
        {("benchmark_pack.E102", "manifest.version"), ("benchmark_pack.E115", "row.input")},
    ),
    "benchmark-yaml11-bool": ("benchmark_pack", set()),
    "challenge-items-wrong-type": ("challenge_pack", {("challenge_pack.E010", "input_sets[0].items")}),
    "challenge-null-entries": ("challenge_pack", {("challenge_pack.W006", "input_sets[0].cases[0].expectations[1]")}),
    "challenge-utf16": ("challenge_pack", set()),
    "challenge-empty-export-not-recognised": (
        "challenge_pack",
        {
            ("challenge_pack.E118", "challenges"),
            ("challenge_pack.E501", f"{SPEC}.name"),
            ("challenge_pack.E502", f"{SPEC}.version_number"),
            ("challenge_pack.E503", f"{SPEC}.judge_mode"),
            ("challenge_pack.E504", f"{SPEC}.validators"),
            ("challenge_pack.E801", f"{SPEC}.scorecard.dimensions"),
        },
    ),
}
FINE = [name for name, (_, said) in ROWS.items() if not any(".E" in code for code, _ in said)]


def by_command(path):
    out = io.StringIO()
    main(["check", str(path), "--json"], out)
    [result] = json.loads(out.getvalue())["results"]
    return result["format"], result["findings"]


def by_page(path):
    team, client = team_with_author("by-preview")
    shown = client.post(reverse("packs:import"), {"team": team.pk, "files": [SimpleUploadedFile(*upload_of(path))]})
    preview = shown.context["preview"]
    assert shown.status_code == (200 if preview.can_import else 422)
    return preview.format, [finding.as_dict() for finding in preview.findings]


def by_api(path):
    team, client = team_with_author("by-dry-run")
    name, content = upload_of(path)
    address = f"/api/v1/packs/import/?team={team.slug}&name={name}&dry_run=true"
    told = client.post(address, content, content_type="application/octet-stream").json()
    return told["format"], told["findings"]


def by_lens(path):
    """Typed into the YAML of a whole draft of the format, in place of its main file."""
    files, _ = read_path(path)
    name, text = next((name, data) for name, data in files.items() if name.startswith(("pack.", "manifest.")))
    text = text.decode("utf-16" if text.startswith(b"\xff\xfe") else "utf-8")
    team, client = team_with_author("by-lens")
    shape = "benchmark_pack" if name == "manifest.yaml" else "challenge_pack"
    draft = create_pack(team, None, shape, "Typed into")
    found = client.post(reverse("packs:edit-whole-lint", args=[team.slug, draft.slug]), {"text": text}).json()
    return shape, found["findings"]


DOORS = {"command": by_command, "page": by_page, "api": by_api, "lens": by_lens}


def places(findings, said=None):
    """Codes and places, those of `said` only where it is given, and all errors."""
    found = {(item["code"], item["path"], item["severity"]) for item in findings}
    return {(code, path) for code, path, level in found if level == "error" or said is None or (code, path) in said}


@pytest.mark.django_db
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", ROWS)
def test_the_same_is_said_before_anything_is_imported(name, door):
    expected, said = ROWS[name]
    if door == "lens":
        # Rows stand in another file than the one that is typed.
        said = {(code, path) for code, path in said if not path.startswith("row.")}
    found, findings = DOORS[door](FOLDER / name)
    assert (found, places(findings, said)) == (expected, said)
    assert all(item["line"] for item in findings if (item["code"], item["path"]) in said)


@pytest.mark.django_db
@pytest.mark.parametrize("name", FINE)
def test_what_is_fine_lives_through_everything(name):
    files, _ = read_path(FOLDER / name)
    assert live_in_files(files) is not None
    team, _ = team_with_author("lives")
    live_in_rows(team, None, files)


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name in ROWS if name not in FINE])
def test_what_has_errors_is_imported_with_them_and_cannot_be_published(name):
    team, client = team_with_author("wrong")
    upload, content = upload_of(FOLDER / name)
    address = f"/api/v1/packs/import/?team={team.slug}&name={upload}"
    assert client.post(address, content, content_type="application/octet-stream").status_code == 201
    draft = Pack.objects.get(team=team)
    findings = client.get(f"/api/v1/packs/{draft.pk}/findings/").json()["findings"]
    errors = {code for code, _ in ROWS[name][1] if ".E" in code}
    assert {item["code"] for item in findings if item["severity"] == "error"} == errors
    page = client.get(reverse("packs:edit-problems", args=[team.slug, draft.slug])).content.decode()
    assert all(code in page for code in errors)
    with pytest.raises(PublishRefused):
        publish(draft, None)
