"""The later form of version 1 (benchmark-pack A), turned into the one that the studio edits."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from packs.formats.benchmark_pack.header import Header, header_of, section
from packs.formats.benchmark_pack.policy import EVALUATION_FOLDER
from packs.formats.document import Case, Document, InputSet, Pack
from packs.formats.findings import Finding, Rule

CONVERTED = Rule(
    "benchmark_pack.W601",
    "The row was in the form of a later revision and has been converted.",
    hint="Review it; the earlier content is kept under metadata.converted_from.",
    rule="later-form",
)
PRESERVED_LEFT_OUT = Rule(
    "benchmark_pack.W602",
    "The old form has no patch_preserved_paths: a patch may change these files like any other.",
    hint="Say in the instructions which files a patch must leave alone.",
    rule="later-form",
)
NOTE = "converted_from"

# How a checker of each source is run, and the field that stages its file.
_RUNNERS = {
    "pytest": (f"python -m pytest {EVALUATION_FOLDER}/{{path}} -rA", "test_files"),
    "script": (f"bash {EVALUATION_FOLDER}/{{path}}", "run_tests"),
}


def converted(pack: Pack) -> tuple[Pack, list[Finding]]:
    """The pack with every row in the old form, and what was done; the pack itself where there was nothing to do."""
    header, found = header_of(pack.document), list[Finding]()
    sets = tuple(_converted_set(header, position, rows, found) for position, rows in enumerate(pack.input_sets))
    return (replace(pack, input_sets=sets), found) if found else (pack, [])


def _converted_set(header: Header, position: int, rows: InputSet, found: list[Finding]) -> InputSet:
    # Cases of a long file are not kept all at once where nothing has to be done.
    if not any(converted_row(header, case.document)[1] for case in rows.cases):
        return rows
    cases = []
    for index, case in enumerate(rows.cases):
        document, rules = converted_row(header, case.document)
        found += [rule.at(("rows", position, index)) for rule in rules]
        cases.append(Case(case.key, case.challenge_key, document) if rules else case)
    return replace(rows, cases=tuple(cases))


def converted_row(header: Header, row: Document) -> tuple[Document, list[Rule]]:
    """A row in the old form, and what has to be said of it; the row itself where it is in that form already."""
    convert = _CONVERSIONS.get(header.family_of(row))
    done = convert(section(row, "eval")) if convert else None
    if done is None:
        return row, []
    expected, was = done
    metadata = {**section(row, "metadata"), NOTE: was}
    rules = [CONVERTED, *_lost(was)]
    return {**row, "eval": expected, "metadata": metadata}, rules


def _lost(was: Document) -> Iterator[Rule]:
    if "patch_preserved_paths" in section(was, "candidate_policy"):
        yield PRESERVED_LEFT_OUT


def _policy_into_tests(expected: Document) -> tuple[Document, Document] | None:
    """A candidate policy beside the tests moves into them."""
    policy, tests = expected.get("candidate_policy"), expected.get("tests")
    if not isinstance(policy, dict) or not isinstance(tests, dict) or "candidate_policy" in tests:
        return None
    kept = {name: part for name, part in policy.items() if name != "patch_preserved_paths"}
    rest = {name: part for name, part in expected.items() if name != "candidate_policy"}
    return {**rest, "tests": {**tests, "candidate_policy": kept}}, {"candidate_policy": policy}


def _checker_into_command(expected: Document) -> tuple[Document, Document] | None:
    """A checker of a source and a path becomes a command, and its file is staged."""
    checker = section(expected, "checker")
    source, path = checker.get("source"), checker.get("path")
    if source not in _RUNNERS or not isinstance(path, str) or "command" in checker:
        return None
    command, field = _RUNNERS[source]
    rest = {name: part for name, part in checker.items() if name not in ("source", "path")}
    staged = {field: expected.get(field, {"path": path})}
    written = {"command": command.format(path=path), **rest}
    return {**expected, "checker": written, **staged}, {"checker": checker}


_CONVERSIONS: Mapping[str, Callable[[Document], tuple[Document, Document] | None]] = {
    "repo_patch": _policy_into_tests,
    "terminal_task": _checker_into_command,
}
