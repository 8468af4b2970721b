"""The corpus of AgentV evals and suites made from it, against AgentV itself: what it loads and what it complains of."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from packs.formats import agentv, yamlio
from packs.formats.agentv.layout import is_suite_name
from packs.formats.agentv.reading import DIALECT
from packs.formats.agentv.variants import PINNED, write_variant
from packs.formats.preserving import preserved
from tests.corpora import corpus_folder
from tests.original.agentv import AgentV, Said, needed, write
from tests.original.changes import changed
from tests.original.ours import FILE_RULES, description_of, findings_in, is_classic, place_of, reported_by, suite_of

needed()
FOLDER = corpus_folder("agentv")
FILES = {
    folder.name: {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for folder in sorted(FOLDER.iterdir())
    if folder.is_dir()
}
PACKS = {name: agentv.load(files)[0] for name, files in FILES.items()}
# AgentV 4.42.4 refuses the classic form of repositories, which is the one that is written.
CLASSIC = {name for name, pack in PACKS.items() if is_classic(pack)}
CHANGED = 300
# Every rule for which AgentV refuses a whole suite, or leaves out all of its tests.
REFUSALS = {"L01", "L02", "L03", "L04", "L07", "L09", "S01", "S02", "S08", "S11", "S44", "S45"}
# Refused here although AgentV's checks accept it (docs/formats/agentv.md).
STRICTER = {"agentv.E218"}


@dataclass(frozen=True)
class Changed:
    """A pack with one file done otherwise; `suite` is the one that is looked at."""

    folder: Path
    files: Mapping[str, bytes]
    suite: str


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    return AgentV(tmp_path_factory.mktemp("agentv"))


def written(place, files_of):
    """Every pack of the corpus in a folder, and its suites with the folders up to which they look for files."""
    suites = {}
    for name, pack in PACKS.items():
        root = place / name
        write(files_of(name, pack), root)
        suites |= {root / suite.key: root for suite in pack.input_sets}
    return suites


def edited(name, pack):
    """What an export that preserves gives after the title of one suite was edited."""
    first = pack.input_sets[0]
    changes = {**first.document, "description": "Edited."}
    tree = replace(pack, input_sets=(replace(first, document=changes), *pack.input_sets[1:]))
    return preserved(agentv.dump(tree), agentv.dump(pack), FILES[name])


EXPORTS = {
    "source": lambda name, pack: FILES[name],
    "canonical": lambda name, pack: agentv.dump(pack),
    "preserved": edited,
    "pinned": lambda name, pack: write_variant(pack, PINNED)[0],
}


@pytest.mark.parametrize("kind", EXPORTS)
def test_exports_load_with_the_ids_and_assertions_that_we_say(tool, tmp_path, kind):
    suites = written(tmp_path, EXPORTS[kind])
    loaded = tool.load(suites)
    refused = {path.relative_to(tmp_path).parts[0] for path, found in loaded.items() if "refused" in found}
    assert refused == (set() if kind == "pinned" else CLASSIC)
    for path, found in loaded.items():
        name = path.relative_to(tmp_path).parts[0]
        if name not in refused:
            assert reported_by(found) == description_of(PACKS[name], path.relative_to(tmp_path / name).as_posix()), path


def test_what_agentv_complains_of_in_the_corpus_is_what_we_complain_of(tool, tmp_path):
    suites = written(tmp_path, EXPORTS["pinned"])
    said = tool.validate(*suites)
    assert len(said) == len(suites)
    found = {path: differences(said[path], None, read(root), path.relative_to(root)) for path, root in suites.items()}
    assert {path: told for path, told in found.items() if told} == {}


def test_what_went_wrong_once_is_as_in_agentv(tool, tmp_path):
    suites = {}
    for folder in sorted(corpus_folder("regressions").glob("agentv-*")):
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        root = tmp_path / "above" / folder.name
        write(agentv.dump(agentv.load(files)[0]), root)
        suites |= {root / suite.key: root for suite in agentv.load(files)[0].input_sets}
    said, loaded = tool.validate(*suites), tool.load(suites)
    found = {
        root.name: differences(said[path], loaded[path], read(root), path.relative_to(root))
        for path, root in suites.items()
    }
    # Nobody knows what lies outside of a pack, so that AgentV alone misses the tests there.
    assert set(found.pop("agentv-tests-outside-pack")) == {"valid", "places"}
    assert len(found) == 4
    assert {name: told for name, told in found.items() if told} == {}


def read(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


def bases():
    """The suites of the corpus and the lists of tests and workspaces that they name, each with the files of its pack.

    Those with placeholders are left out: AgentV fills them in from the environment, which packs may not see here.
    """
    for pack in PACKS.values():
        files = write_variant(pack, PINNED)[0]
        if any(b"${{" in content for content in files.values()):
            continue
        for suite in pack.input_sets:
            yield files, suite.key, suite.key
            path = suite.document.get("tests")
            others = [other for other in files if other.endswith(("/case.yaml", "workspace.yaml"))]
            others += [other for other in files if isinstance(path, str) and other.endswith(path.removeprefix("."))]
            yield from ((files, suite.key, other) for other in others if other.endswith(".yaml"))


def changed_packs(place):
    """`CHANGED` packs in folders of their own, the same ones in every run."""
    found, seeds, known = [], iter(range(10 * CHANGED)), list(bases())
    while len(found) < CHANGED:
        seed = next(seeds)
        files, suite, target = known[seed % len(known)]
        document = yamlio.read(files[target], dialect=DIALECT)[0]
        text = yamlio.write(changed(document, seed), dialect=DIALECT).encode()
        if text != files[target]:
            root = place / str(seed)
            write({**files, target: text}, root)
            found.append(Changed(root, {**files, target: text}, suite))
    return found


def test_changed_suites_are_complained_of_and_loaded_as_we_say(tool, tmp_path):
    packs = changed_packs(tmp_path)
    said = tool.validate(*(each.folder / each.suite for each in packs))
    loaded = tool.load({each.folder / each.suite: each.folder for each in packs})
    found = {}
    for each in packs:
        path = each.folder / each.suite
        found[each.folder.name] = differences(said[path], loaded[path], each.files, each.suite)
    assert {seed: told for seed, told in found.items() if told} == {}
    assert sum(any(line.severity == "error" for line in lines) for lines in said.values()) > CHANGED / 10
    assert sum("refused" in each or not each["tests"] for each in loaded.values()) > CHANGED / 20


def differences(said: list[Said], loaded: Any, files: Mapping[str, bytes], suite: Any) -> dict[str, Any]:
    """What AgentV and we do not say alike of a suite; empty where all is the same."""
    name = str(suite)
    pack, findings = findings_in(files)
    found = {} if loaded is None else loading_differences(loaded, pack, findings, name)
    # AgentV's checks pass over a file of another name.
    is_checked = is_suite_name(name) or b"agentv-eval-v2" in files[name]
    return found | (
        check_differences(said, [each for each in findings if is_about(each, pack, name)]) if is_checked else {}
    )


def is_about(finding, pack, name):
    """Whether a finding is about a suite or what it names."""
    position = -1 if pack is None else pack.input_sets.index(suite_of(pack, name))
    return finding.path[:2] == ("input_sets", position) or finding.file == name or finding.field == "tests"


def check_differences(said, findings):
    theirs = {line.location for line in said if line.severity == "error"}
    errors = [finding for finding in findings if finding.is_error and finding.code not in STRICTER]
    ours = {place_of(finding) for finding in errors}
    found: dict[str, Any] = {}
    if bool(theirs) is not bool(ours):
        found["valid"] = [finding.message for finding in errors] or [line.message for line in said]
    # Where the tests cannot be had AgentV looks no further, and for files only where nothing else is wrong.
    more = set() if "tests" in theirs else {place_of(each) for each in errors if each.rule not in FILE_RULES} - theirs
    if theirs - ours or more:
        found["places"] = (sorted(theirs - ours), sorted(more))
    places = {place_of(finding) for finding in findings} | {
        "tests" for finding in findings if place_of(finding).startswith("tests[") and finding.rule == "S10"
    }
    missing = {line.location for line in said} - places
    return found | ({"missing": sorted(missing)} if missing else {})


def loading_differences(loaded, pack, findings, name):
    if "refused" in loaded:
        is_known = pack is None or REFUSALS & {finding.rule for finding in findings}
        return {} if is_known else {"refused": loaded["refused"]}
    if pack is None:
        return {"not read": [finding.message for finding in findings]}
    mine, theirs = description_of(pack, name), reported_by(loaded)
    return {} if mine == theirs else {"loaded": (mine, theirs)}
