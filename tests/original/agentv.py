"""AgentV itself, as npm has it: it judges what we say of its files. `package.json` beside this file names its version.

It works in a folder of the test: its home is there, no address but this machine's can be reached, and of the
environment it gets nothing else.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
PROGRAM = HERE / "node_modules" / "agentv" / "dist" / "cli.js"
# What the packages below it ask for.
LEAST_NODE = (20, 17)
ATTEMPTS = 5
SEVERITIES = {"✗": "error", "⚠": "warning"}
_LINE = re.compile(r"^  ([✗⚠]) (.*)$")


@dataclass(frozen=True, slots=True)
class Said:
    """One line of `agentv validate`; `location` is empty where it is about the whole file."""

    severity: str
    location: str
    message: str


def trouble() -> str:
    """Why AgentV cannot run here; empty where it can."""
    if not PROGRAM.exists():
        return "AgentV is not installed: `make original` installs it"
    node = shutil.which("node")
    if node is None:
        return "AgentV needs Node.js, and there is none"
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    version = tuple(int(part) for part in told.removeprefix("v").split(".")[:2])
    return "" if version >= LEAST_NODE else f"AgentV needs Node.js {LEAST_NODE[0]}.{LEAST_NODE[1]}, and this is {told}"


def needed() -> None:
    """Skip the test or module, visibly, where AgentV cannot run."""
    reason = trouble()
    if reason:
        pytest.skip(reason, allow_module_level=True)


@dataclass(frozen=True, slots=True)
class AgentV:
    """The program at work in a folder."""

    folder: Path

    def run(self, arguments: Sequence[object], said: str = "") -> str:
        """What one process of Node.js prints. It is in an empty folder, as AgentV looks for files there too."""
        home, told = self.folder / "home", self.folder / "told.txt"
        (home / "empty").mkdir(parents=True, exist_ok=True)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "TMPDIR": str(home),
            "AGENTV_HOME": str(home),
            "AGENTV_NO_UPDATE_CHECK": "1",
            "NODE_OPTIONS": f"--import={(HERE / 'offline.mjs').as_uri()}",
        }
        # A file, as a pipe loses what the program has not written before it exits.
        with told.open("wb") as file:
            subprocess.run(
                ["node", *map(str, arguments)],
                input=said.encode(),
                stdout=file,
                stderr=subprocess.STDOUT,
                check=False,
                cwd=home / "empty",
                env=environment,
            )
        return told.read_text()

    def validate(self, *paths: Path) -> dict[Path, list[Said]]:
        """What `agentv validate` says of each suite below some folders or files."""
        told = self.run([PROGRAM, "validate", *paths])
        assert "Total files:" in told, told[-2000:]
        found: dict[Path, list[Said]] = {}
        current: list[Said] = []
        for line in told.splitlines():
            match = _LINE.match(line)
            if match is not None:
                current.append(Said(SEVERITIES[match[1]], *_split(match[2])))
            elif line[:2] in ("✓ ", "✗ "):
                current = found.setdefault(Path(line[2:]), [])
        return found

    def load(self, suites: Mapping[Path, Path]) -> dict[Path, Any]:
        """What the loader makes of suites, given the folders up to which they look for files: {tests} or {refused}."""
        answer = self.folder / "loaded.json"
        said = json.dumps({str(suite): str(root) for suite, root in suites.items()})
        answer.unlink(missing_ok=True)
        told = self.run([HERE / "load.mjs", answer], said)
        assert answer.exists(), told[-2000:]
        return {Path(suite): found for suite, found in json.loads(answer.read_text()).items()}

    def evaluate(self, suites: Sequence[Path]) -> dict[tuple[str, str], Any]:
        """The results of suites whose names differ, by name and id of their tests, as rows of `index.jsonl`.

        Every suite finds a target `canned` in the targets file of its folder.
        """
        for attempt in range(ATTEMPTS):
            results = self.folder / f"results-{attempt}"
            shutil.rmtree(results, ignore_errors=True)
            told = self.run([PROGRAM, "eval", "run", *suites, "--target", "canned", "--output", results, "--no-cache"])
            # It breaks off where a grader ended before it was told everything, which is a matter of chance.
            if "EPIPE" not in told:
                break
        index = results / "index.jsonl"
        assert index.exists(), told[-2000:]
        rows = [json.loads(line) for line in index.read_text().splitlines()]
        return {(row["suite"], row["test_id"]): row for row in rows}


def write(files: Mapping[str, bytes], root: Path) -> None:
    """Put the files of a pack into a folder that AgentV takes for a repository: it looks for files no further up."""
    (root / ".git").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _split(text: str) -> tuple[str, str]:
    """The location in brackets before a message, which can hold brackets itself, and the message."""
    depth = 0
    for index, letter in enumerate(text if text.startswith("[") else ""):
        depth += (letter == "[") - (letter == "]")
        if depth == 0:
            return text[1:index], text[index + 2 :]
    return "", text
