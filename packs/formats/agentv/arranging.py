"""Where the tests of a suite stand: in the suite, in a JSONL file, or in a folder each (agentv B.2, B.4, J)."""

from collections.abc import Iterator
from dataclasses import replace
from posixpath import dirname
from typing import Any

from packs.formats.agentv.checks.advice import MANY_TESTS, reasons_to_split
from packs.formats.agentv.layout import inside, is_list_name
from packs.formats.agentv.merging import template_of_folder
from packs.formats.agentv.settings import suite_name
from packs.formats.agentv.writer import stem_of
from packs.formats.document import Case, Document, InputSet, Pack

INLINE, ROWS, FILE, FOLDERS = "inline", "rows", "file", "folders"
ARRANGEMENTS = {
    INLINE: "In the suite's own file",
    ROWS: "One line each in a JSONL file",
    FOLDERS: "A folder each, with a case.yaml",
}
_NAMED = {FILE: "In a YAML file of their own"}
_OWN = ("$list", "$key", "tests")


def arrangement(document: Document) -> str:
    """How the tests of a suite stand now; a YAML file of tests is `file`, which is kept but not offered."""
    tests = document.get("tests")
    if not isinstance(tests, str):
        return INLINE
    if tests.lower().endswith(".jsonl"):
        return ROWS
    return FILE if is_list_name(tests) else FOLDERS


def label_of(key: str) -> str:
    """What an arrangement is called on screen."""
    return ARRANGEMENTS.get(key) or _NAMED[key]


def arranged(pack: Pack, position: int, how: str) -> Pack:
    """The pack with the tests of one suite somewhere else. Nothing that a test says is lost.

    Raises KeyError for an arrangement that there is not. Paths need no change: all of them count from the suite.
    """
    if how not in ARRANGEMENTS:
        raise KeyError(how)
    suite = pack.input_sets[position]
    if arrangement(suite.document) == how and "$list" not in suite.document:
        return pack
    document = {key: value for key, value in suite.document.items() if key not in _OWN}
    if how != INLINE:
        document["tests"] = _free_place(pack, suite, how)
    cases = tuple(_settled(pack, suite, case) for case in suite.cases)
    if how == FOLDERS:
        # Folders have no order but that of their names.
        cases = tuple(sorted(_in_folders(cases), key=lambda case: str(case.document.get("$folder", ""))))
    moved = InputSet(suite.key, document, cases)
    return replace(pack, input_sets=(*pack.input_sets[:position], moved, *pack.input_sets[position + 1 :]))


def _free_place(pack: Pack, suite: InputSet, how: str) -> str:
    """A path for the tests, as the suite writes it, where nothing stands yet."""
    folder = dirname(suite.key)
    taken = {asset.path for asset in pack.assets} | {other.key for other in pack.input_sets}
    for other in pack.input_sets:
        path = other.document.get("tests")
        place = inside(dirname(other.key), path) if isinstance(path, str) and other is not suite else None
        taken |= {place} if place else set()
    name = suite_name({"$file": suite.key})
    choices = [f"./{name}.jsonl"] if how == ROWS else ["./cases/", f"./{name}-cases/"]
    choices += [f"./{name}-{number}{'.jsonl' if how == ROWS else '/'}" for number in range(2, len(taken) + 4)]
    return next(path for path in choices if _is_free(inside(folder, path) or "", taken, is_file=how == ROWS))


def _is_free(place: str, taken: set[str], *, is_file: bool) -> bool:
    """Whether tests can stand there: no other suite's do, and no file of that name is there.

    Files below a folder of cases may be there: they are the artifacts of the cases.
    """
    return place not in taken and (
        is_file or not any(name.startswith(f"{place}/") and _is_case(name) for name in taken)
    )


def _is_case(name: str) -> bool:
    return name.endswith(("/case.yaml", "/case.yml"))


def _settled(pack: Pack, suite: InputSet, case: Case) -> Case:
    """A test without its folder; the template that its folder held is named."""
    document = case.document
    folder = document.get("$folder")
    if not isinstance(folder, str):
        return case
    template = template_of_folder(dirname(suite.key), suite.document, folder)
    is_there = any(asset.path.startswith(f"{template}/") for asset in pack.assets)
    found = {key: value for key, value in document.items() if key != "$folder"}
    if is_there and "workspace" not in document:
        start = dirname(suite.key)
        found["workspace"] = {"template": template[len(start) + 1 :] if start else template}
    return replace(case, document=found)


def _in_folders(cases: tuple[Case, ...]) -> Iterator[Case]:
    taken: set[str] = set()
    for case in cases:
        stem = stem_of(case.key or "case")
        name, number = stem, 2
        while name in taken:
            name, number = f"{stem}-{number}", number + 1
        taken.add(name)
        document: dict[str, Any] = case.document
        yield case if "$entry" in document else replace(case, document={"$folder": name, **document})


def advice(suite: InputSet) -> list[str]:
    """Why the tests of a suite would be better off in folders, a sentence each; empty where they would not."""
    if arrangement(suite.document) == FOLDERS:
        return []
    found = [f"There are {len(suite.cases)} tests."] if len(suite.cases) > MANY_TESTS else []
    counts: dict[str, int] = {}
    for case in suite.cases:
        for reason in reasons_to_split(case.document):
            counts[reason] = counts.get(reason, 0) + 1
    return found + [
        f"{count} of the tests {'has' if count == 1 else 'have'} {reason}." for reason, count in counts.items()
    ]
