"""Documents that must not lie."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from shutil import which

import pytest
import yaml

from tests.browser.pictures import SHOWN
from tests.services import StartedStudio

ROOT = Path(__file__).resolve().parent.parent


def test_every_setting_is_in_the_table():
    settings = set(re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", (ROOT / "studio/settings.py").read_text()))
    table = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs/settings.md").read_text(), re.M))
    assert settings == table


def test_links_between_documents_lead_somewhere():
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    links = {
        (document, target)
        for document in documents
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text())
    }
    assert {
        (str(document.name), target) for document, target in links if not (document.parent / target).exists()
    } == set()


def anchors(document):
    """The anchors of a document's headings, as sites that render Markdown make them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", document.read_text(), flags=re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_to_a_part_of_a_document_lead_to_a_heading():
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    lost = [
        f"{document.name}: {target}#{anchor}"
        for document in documents
        for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", document.read_text())
        if anchor not in anchors(document.parent / target if target else document)
    ]
    assert lost == []


def blocks(language):
    """Name and text of every block of this language in the documentation."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return [
        (page.name, text) for page in pages for text in re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.S)
    ]


def test_scripts_of_the_documentation_are_sound():
    scripts = blocks("bash")
    assert scripts
    for name, script in scripts:
        checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
        assert (name, checked.stderr) == (name, "")


def test_jobs_of_the_documentation_are_yaml_and_end_with_the_verdict():
    jobs = dict(enumerate(yaml.safe_load(text) for name, text in blocks("yaml") if name == "ci.md"))
    github, gitlab = jobs[0]["jobs"]["gate"], jobs[1]["gate"]
    steps = [step["run"] for step in github["steps"] if "run" in step]
    assert [step.split()[-2:] for step in steps] == [["bash", "gate.sh"]]
    assert gitlab["script"] == "bash gate.sh"
    assert gitlab["artifacts"]["reports"] == {"junit": "gate.xml"}


def test_every_page_of_the_documentation_is_in_its_list():
    listed = set(re.findall(r"\]\(([^)#:]+)", (ROOT / "docs/README.md").read_text()))
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    assert pages - listed - {"README.md"} - {page for page in pages if page.startswith("decisions/")} == set()


def test_every_command_of_the_studio_is_documented():
    commands = {path.stem for path in ROOT.glob("*/management/commands/*.py")} - {"__init__"}
    documented = set(re.findall(r"^## `manage\.py (\w+)", (ROOT / "docs/commands.md").read_text(), re.M))
    assert documented == commands


def services(name):
    return yaml.safe_load((ROOT / name).read_text())["services"]


def test_compose_starts_commands_that_exist():
    commands = [service.get("command", "") for service in services("docker-compose.yml").values()]
    named = [re.match(r"python manage.py (\w+)", command) for command in commands]
    assert any(named)
    assert all((ROOT / f"studio/management/commands/{found[1]}.py").exists() for found in named if found)


def test_services_wait_for_services_that_there_are():
    known = services("docker-compose.yml")
    assert {name for one in known.values() for name in one.get("depends_on", ())} <= set(known)
    assert set(services("docker-compose.bubblewrap.yml")) <= set(known)


@pytest.mark.parametrize("package", ["studio", "packs", "runs", "templates", "static"])
def test_the_image_holds_every_part(package):
    assert f"COPY {package} ./{package}" in (ROOT / "Dockerfile").read_text()


def test_the_pictures_of_the_readme_are_those_that_the_command_makes():
    """`make screenshots ARGS="FOLDER readme"` makes them; small enough for a repository."""
    shown = set(re.findall(r"\]\(docs/pictures/(\w+)\.webp\)", (ROOT / "README.md").read_text()))
    assert shown == set(SHOWN)
    pictures = {path.name: path.stat().st_size for path in (ROOT / "docs/pictures").iterdir()}
    assert pictures.keys() == {f"{name}.webp" for name in SHOWN}
    assert max(pictures.values()) < 200_000


def python_for(folder, *names, path):
    """What `.ci/newest-python` answers where programs of these names stand first on the path."""
    for name, ends in names:
        (folder / name).write_text(f"#!/bin/sh\nexit {ends}\n")
        (folder / name).chmod(0o755)
    command = [str(ROOT / ".ci/newest-python")]
    return subprocess.run(command, env={"PATH": f"{folder}:{path}"}, capture_output=True, text=True, check=False)


def test_the_newest_python_that_works_is_taken(tmp_path):
    found = python_for(tmp_path, ("python3.14", 1), ("python3.13", 0), ("python3.12", 0), path="/usr/bin:/bin")
    assert (found.returncode, found.stdout.strip()) == (0, str(tmp_path / "python3.13"))


def test_a_machine_without_a_usable_python_is_told_what_to_install(tmp_path):
    (tmp_path / "bash").symlink_to("/bin/bash")
    (tmp_path / "cat").symlink_to("/bin/cat")
    found = python_for(tmp_path, ("python3.14", 1), ("python3", 1), path=str(tmp_path))
    assert (found.returncode, found.stdout) == (1, "")
    assert "3.11, 3.12, 3.13 or 3.14" in found.stderr


@pytest.mark.services
@pytest.mark.skipif(not all(map(which, ("bash", "curl", "jq"))), reason="needs bash, curl and jq")
def test_the_walk_through_the_api_works_twice(tmp_path):
    walk = next(script for name, script in blocks("bash") if name == "api.md" and "packs/import/" in script)
    shutil.copy(ROOT / "packs/samples/unit-conversion.yaml", tmp_path / "pack.yaml")
    studio = StartedStudio(tmp_path / "data")
    try:
        studio.wait_for("Packwright is ready")
        made = json.loads(studio.manage("token", "create", "admin", "--name", "walk", "--json"))
        environment = {**os.environ, "PACKWRIGHT_TOKEN": made["key"]}
        walk = walk.replace("http://127.0.0.1:8000", studio.address)
        for _ in range(2):
            command = ["bash", "-c", walk]
            done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, ""), done.stdout
            assert (tmp_path / "run.xml").read_text().startswith("<?xml")
    finally:
        studio.stop()
