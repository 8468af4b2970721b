"""The words of docs/words.md: old ones that are gone stay away, those still in use may only become fewer."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"packs", "runs", "studio", "templates", "static", "docs", "schemas"}
PAGES = {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}
KINDS = {".py", ".html", ".md", ".js", ".css", ".json"}
# An old word, and how often it may still occur: 0 is gone. Lower a number when fewer are left, and never raise it.
OLD = {
    r"\broom for staff\b": 0,
    r"\btry more\b": 0,
    r"\bspoil(s|t|ed|ing)?\b": 0,
    r"\bmend(s|ed|ing)?\b": 0,
    r"(?<!there )\bis no (text|number|list|mapping|object|address|name)\b": 0,
    r"\bask(s|ed|ing)? (the|a) gate\b": 0,
    r"\bsecond scorings?\b": 0,
    r"\bdearer\b": 0,
    r"\bwhoever\b": 0,
    r"\btold\b": 86,
    r"\blineups?\b": 33,
    # The type of the event was chosen before, and stands in recordings.
    r"(?<!grader\.)\bopinions?\b": 0,
    r"\btall(y|ies)\b": 0,
    r"^class Place\b": 0,
    r"^class Row\b": 0,
    r"^class (\w*Told|\w*Tally)\b": 0,
}


def is_read(path: Path) -> bool:
    """Whether people read it: code, screens and pages, but no samples, no history, and not the list of words itself."""
    if {"migrations", "samples", "decisions"} & set(path.parts) or path == Path("docs/words.md"):
        return False
    return str(path) in PAGES or (path.parts[0] in FOLDERS and path.suffix in KINDS)


def texts() -> list[tuple[Path, str]]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [Path(line) for line in listed.splitlines() if is_read(Path(line))]
    return [(path, (ROOT / path).read_text()) for path in paths if (ROOT / path).exists()]


TEXTS = texts()


def places(pattern: str) -> list[str]:
    """Where the word occurs, a place for each time."""
    return [
        f"{path}:{text.count(chr(10), 0, found.start()) + 1}"
        for path, text in TEXTS
        for found in re.finditer(pattern, text, re.M | re.I)
    ]


@pytest.mark.parametrize("pattern", OLD)
def test_an_old_word_does_not_come_back(pattern):
    found = places(pattern)
    assert len(found) <= OLD[pattern], f"docs/words.md says what to say instead: {found}"


def test_the_texts_that_people_read_are_found():
    assert {"README.md", "docs/runs.md"} <= {str(path) for path, _ in TEXTS}
    assert {path.suffix for path, _ in TEXTS} == KINDS
