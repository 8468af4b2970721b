"""Documents that must not lie."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_every_setting_is_in_the_table():
    settings = set(re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", (ROOT / "studio/settings.py").read_text()))
    table = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "README.md").read_text(), re.M))
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


def test_compose_starts_commands_that_exist():
    compose = (ROOT / "docker-compose.yml").read_text()
    commands = re.findall(r"command: python manage.py (\w+)", compose)
    assert commands
    assert all((ROOT / f"studio/management/commands/{name}.py").exists() for name in commands)
