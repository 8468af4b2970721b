"""What we say of AgentV evals, in the words that AgentV uses, to be compared with it."""

from collections.abc import Mapping
from typing import Any

from packs.formats import agentv
from packs.formats.agentv.context import around
from packs.formats.agentv.generations import is_pinned, repositories_of
from packs.formats.agentv.loaded import Loaded, load_test
from packs.formats.document import InputSet, Pack
from packs.formats.findings import Finding

# AgentV looks at files only where it finds nothing else, and never at those of suites; we always do.
FILE_RULES = frozenset(("S55", "S56", "S57", "S58", "S59", "S60"))


def findings_in(files: Mapping[str, bytes]) -> tuple[Pack | None, list[Finding]]:
    """The pack of some files and everything that is said of it, with files and lines."""
    pack, findings = agentv.load(files)
    return pack, findings if pack is None else [*findings, *agentv.place(files, agentv.check(pack))]


def place_of(finding: Finding) -> str:
    """Where a finding is in a suite, as AgentV says it; empty for the whole file.

    What is wrong with a file of tests is told here at its place there, and of a wrong entry at the entry.
    """
    if finding.rule == "S11":
        return "tests"
    is_whole = finding.path[-2:-1] == ("input_sets",) or not finding.path
    return "" if is_whole else finding.field_path


def suite_of(pack: Pack, name: str) -> InputSet:
    """The suite of a file; rows alone become a suite of another name."""
    found = [suite for suite in pack.input_sets if suite.key == name or name.endswith(".jsonl")]
    return found[0]


def loaded_of(pack: Pack, name: str) -> list[Loaded]:
    """The tests of a suite that the loader keeps."""
    suite = suite_of(pack, name)
    scene = around(pack, suite)
    found = (load_test(scene, case.document)[0] for case in suite.cases)
    return [test for test in found if test is not None]


def description_of(pack: Pack, name: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The tests of a suite that are loaded: their ids, and names and types of their assertions."""
    return [(test.id, [(each["name"], each["type"]) for each in test.assertions]) for test in loaded_of(pack, name)]


def is_classic(pack: Pack) -> bool:
    """Whether a pack states repositories in the form that AgentV from 4.39 on refuses."""
    scenes = [(around(pack, suite), suite) for suite in pack.input_sets]
    spaces = [
        test.workspace
        for scene, suite in scenes
        for case in suite.cases
        if (test := load_test(scene, case.document)[0])
    ]
    stated = [repositories_of(space) for space in spaces]
    return any(found and not is_pinned(found) for found in stated)


def reported_by(found: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The same of what AgentV's loader made of a suite."""
    return [
        (test["id"], [(each["name"], each["type"]) for each in test.get("assertions") or []]) for test in found["tests"]
    ]
