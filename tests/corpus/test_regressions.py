"""Small packs that were once handled wrongly, each at every door: command line, preview, import, API, form and lens."""

import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from packs.formats import adapter_of
from packs.formats.archives import read_path
from packs.formats.checking import check_files
from packs.formats.command import main
from packs.formats.terminal import FINDINGS
from packs.importing import import_pack
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
ROWS |= {
    "agentv-blank-id": ("agentv", {("agentv.E116", "tests[0].id")}),
    "agentv-file-entry-bad-extension": ("agentv", {("agentv.W110", "tests[0]"), ("agentv.W204", "tests[0]")}),
    "agentv-missing-prompt-command": ("agentv", {("agentv.E218", "tests[0].assertions[0]")}),
    "agentv-suite-input-role": ("agentv", {("agentv.E122", "input[0].role")}),
    "agentv-tests-outside-pack": ("agentv", {("agentv.W204", "tests")}),
}
# Publishing refuses these too: no test of theirs would run.
REFUSED = {"agentv-file-entry-bad-extension", "agentv-tests-outside-pack"}
FINE = [name for name, (_, said) in ROWS.items() if name not in REFUSED and not any(".E" in code for code, _ in said)]
MAIN = (".eval.yaml", "pack.yaml", "pack.yml", "pack.json", "manifest.yaml")


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
    """Typed into the YAML of the whole draft that the files make, in place of its main file."""
    files, _ = read_path(path)
    team, client = team_with_author("by-lens")
    draft = import_pack(team, None, files, f"{path.name}.zip")
    text = next(data for name, data in files.items() if name.endswith(MAIN))
    text = text.decode("utf-16" if text.startswith(b"\xff\xfe") else "utf-8")
    found = client.post(reverse("packs:edit-whole-lint", args=[team.slug, draft.slug]), {"text": text}).json()
    return draft.format, found["findings"]


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


def test_tests_outside_of_the_pack_stay_named_as_they_were():
    files, _ = read_path(FOLDER / "agentv-tests-outside-pack")
    checked = check_files(files)
    written = adapter_of("agentv").dump(checked.pack)["sub/s.eval.yaml"]
    assert b"tests: ../../shared/cases.yaml\n" in written
    assert adapter_of("agentv").load({"sub/s.eval.yaml": written})[0] == checked.pack


def test_a_file_that_is_there_is_not_called_missing():
    files, _ = read_path(FOLDER / "agentv-file-entry-bad-extension")
    [left_out] = [found for found in check_files(files).findings if found.code == "agentv.W204"]
    assert "must end in .yaml" in left_out.message


def test_a_test_with_a_blank_id_is_kept_by_the_loader():
    files, _ = read_path(FOLDER / "agentv-blank-id")
    assert [found.code for found in check_files(files).findings] == ["agentv.E116"]


HOSTILE = FOLDER / "escape-in-filename.zip"


def is_plain(text):
    return not any(character in text for character in "\x1b\x07")


@pytest.mark.parametrize("arguments", [["check"], ["check", "--json"], ["compile"], ["stored"], ["fmt", "--check"]])
def test_the_name_of_a_file_gives_a_terminal_no_orders(arguments):
    out, err = io.StringIO(), io.StringIO()
    main([arguments[0], str(HOSTILE), *arguments[1:]], out, err)
    assert "RED" in out.getvalue() + err.getvalue()
    assert is_plain(out.getvalue() + err.getvalue())
    assert not any(line.startswith("fake.yaml") for line in (out.getvalue() + err.getvalue()).splitlines())


@pytest.mark.django_db
def test_the_name_of_a_file_is_refused_at_every_door_without_giving_orders():
    team, client = team_with_author("hostile")
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("pack", "import", str(HOSTILE), "--team", team.slug, stdout=out, stderr=err)
    assert ended.value.code == FINDINGS
    assert "files.E005" in err.getvalue()
    assert is_plain(out.getvalue() + err.getvalue())
    shown = client.post(reverse("packs:import"), {"team": team.pk, "files": [SimpleUploadedFile(*upload_of(HOSTILE))]})
    assert shown.status_code == 422
    address = f"/api/v1/packs/import/?team={team.slug}&name=a.zip"
    answer = client.post(address, HOSTILE.read_bytes(), content_type="application/octet-stream")
    assert (answer.status_code, is_plain(answer.content.decode())) == (422, True)
    assert not team.packs.exists()
