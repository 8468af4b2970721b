"""Rules about the pack as a whole and its files: names, suites, rubrics and fixtures (TS-501 to TS-509)."""

import re
from collections.abc import Callable, Iterable, Iterator

import orjson

from packs.formats.adapter import PackIndex
from packs.formats.document import Asset, Document, InputSet, Pack
from packs.formats.findings import Finding, Path, Rule
from packs.formats.syntaxes import schema_trouble
from packs.formats.task_suite.checks.rubrics import named_files
from packs.formats.task_suite.layout import FOLDER, RUBRICS, candidates, is_left_out, lay_out, leaves_pack
from packs.formats.task_suite.reader import NO_TASKS, no_tasks
from packs.formats.task_suite.suites import SUITES, listed_suites
from packs.formats.values import listing, mapping

OTHER_SUITE = Rule(
    "task_suite.E501",
    "The task says it belongs to the suite {suite} and stands in {folder}.",
    hint="Move the task, or change its suite.",
    rule="TS-501",
)
SAME_ID = Rule(
    "task_suite.E503",
    "Another task of the pack has the identifier {task_id}.",
    hint="Identifiers are unique in the whole pack, across all suites; rename one.",
    rule="TS-503",
)
LEFT_OUT = Rule(
    "task_suite.W504",
    "The file is not picked up as a task.",
    hint="Task files end in .yaml and stand directly in the folder of their suite.",
    rule="TS-504",
)
NO_FILE = Rule(
    "task_suite.E505",
    "There is no file {name} in the pack.",
    hint="Add it below evals/_shared, or fix the path.",
    rule="TS-505",
)
NO_FIXTURE = Rule(
    "task_suite.W506",
    "There are no files at {name} in the pack.",
    hint="Add the fixture, or leave it if the sandbox brings it.",
    rule="TS-506",
)
CASE_CLASH = Rule(
    "task_suite.E507",
    "The identifier {task_id} differs from that of another task in upper and lower case only.",
    hint="Some systems cannot keep both files; rename one.",
    rule="TS-507",
)
NO_TASK = Rule(
    "task_suite.W508",
    "The merge gate asks for {suites}, which have no task.",
    hint="Add a task, or take the suite out of the list.",
    rule="TS-508",
)
NO_ANCHORS = Rule(
    "task_suite.E509",
    "The rubric lacks the anchors {missing}.",
    hint="Write a list item for each score from 4 to 0, as in `- **4**: what counts as right`.",
    rule="TS-509",
)
BAD_SCHEMA_FILE = Rule(
    "task_suite.E324",
    "The schema in {name} cannot be used: {reason}",
    hint="Write JSON Schema of draft 2020-12 or draft-07.",
    rule="TS-303",
)

WHOLE_RULES = (OTHER_SUITE, SAME_ID, LEFT_OUT, NO_FIXTURE, CASE_CLASH, NO_TASK, NO_ANCHORS, BAD_SCHEMA_FILE, NO_TASKS)
_ANCHOR = re.compile(rb"^[-*] \*\*([0-4])\*\*", re.MULTILINE)


def check_files(index: PackIndex, document: Document) -> Iterator[Finding]:
    """TS-505 for one task. Where a pack has no configuration, its files tell (`check_whole`)."""
    if index.pack:
        yield from _missing(document, lambda name: index.asset(name) is not None)


def _missing(document: Document, is_there: Callable[[str], bool]) -> Iterator[Finding]:
    suite = document.get("suite")
    folder = suite if isinstance(suite, str) else "golden"
    for position, grader in enumerate(listing(document.get("graders"))):
        for field, path in named_files(mapping(grader)):
            if not leaves_pack(folder, path) and not any(is_there(name) for name in candidates(folder, path)):
                yield NO_FILE.at(("graders", position, *field), name=repr(path[:120]))


class Known:
    """Which files a pack has."""

    def __init__(self, pack: Pack) -> None:
        names = {asset.path for asset in pack.assets} | {file.path for file in pack.files}
        self.names = names
        self.folders = {name[: place.start()] for name in names for place in re.finditer("/", name)}

    def __call__(self, name: str) -> bool:
        return name in self.names

    def has_place(self, name: str) -> bool:
        """Whether there is a file, or a folder with files, of this name."""
        return name in self.names or name in self.folders


def check_whole(pack: Pack) -> Iterator[Finding]:
    """The findings that only the whole pack can give."""
    yield from _check_suites(pack)
    yield from _check_ids(pack)
    if pack.document:
        yield from check_fixtures(pack)
    elif not any(input_set.cases for input_set in pack.input_sets):
        names = [*(asset.path for asset in pack.assets), *(file.path for file in pack.files)]
        layout = lay_out(dict.fromkeys(names, b""))
        if layout is None or layout.is_alone:
            yield no_tasks(names)
    yield from _check_schema_files(pack)
    for file in pack.files:
        if is_left_out(file.path):
            yield LEFT_OUT.at(("files", file.path))
    for position, asset in enumerate(pack.assets):
        yield from _check_anchors(asset, ("assets", position))
    yield from _check_required(pack)


def _cases(pack: Pack) -> Iterator[tuple[Path, InputSet, Document]]:
    for parent, input_set in enumerate(pack.input_sets):
        for position, case in enumerate(input_set.cases):
            yield ("input_sets", parent, "cases", position), input_set, case.document


def _check_suites(pack: Pack) -> Iterator[Finding]:
    for path, input_set, document in _cases(pack):
        suite = document.get("suite")
        if isinstance(suite, str) and suite in SUITES and suite != input_set.key:
            yield OTHER_SUITE.at((*path, "suite"), suite=suite, folder=f"{FOLDER}/{input_set.key}")


def _check_ids(pack: Pack) -> Iterator[Finding]:
    """Repeated identifiers, reported at the later file in the order of the paths."""
    found = [
        (f"{input_set.key}/{document['task_id']}", path, document["task_id"])
        for path, input_set, document in _cases(pack)
        if isinstance(document.get("task_id"), str)
    ]
    seen: set[str] = set()
    lowered: set[str] = set()
    for _, path, task_id in sorted(found, key=lambda item: item[0]):
        where = (*path, "task_id")
        if task_id in seen:
            yield SAME_ID.at(where, task_id=repr(task_id[:120]))
        elif task_id.casefold() in lowered:
            yield CASE_CLASH.at(where, task_id=repr(task_id[:120]))
        seen.add(task_id)
        lowered.add(task_id.casefold())


def check_fixtures(pack: Pack) -> Iterator[Finding]:
    """TS-506. Where a pack has no configuration, its files tell."""
    known = Known(pack)
    for path, input_set, document in _cases(pack):
        stated = mapping(document.get("inputs")).get("repo_path")
        if not isinstance(stated, str) or leaves_pack(input_set.key, stated):
            continue
        if not any(known.has_place(name) for name in candidates(input_set.key, stated)):
            yield NO_FIXTURE.at((*path, "inputs", "repo_path"), name=repr(stated[:120]))


def _check_schema_files(pack: Pack) -> Iterator[Finding]:
    """Schemas that graders take from files of the pack; where a pack has no bytes at hand, nothing is said."""
    contents = {asset.path: asset.content for asset in pack.assets if asset.content is not None}
    for path, input_set, document in _cases(pack):
        for position, grader in enumerate(map(mapping, listing(document.get("graders")))):
            name = grader.get("schema_path")
            if grader.get("type") != "json_schema" or "schema" in grader or not isinstance(name, str):
                continue
            content = next((contents[at] for at in candidates(input_set.key, name) if at in contents), None)
            if content is not None and (reason := _schema_trouble(content)):
                yield BAD_SCHEMA_FILE.at(
                    (*path, "graders", position, "schema_path"), name=repr(name[:120]), reason=reason
                )


def _schema_trouble(content: bytes) -> str:
    try:
        return schema_trouble(orjson.loads(content))
    except orjson.JSONDecodeError as error:
        return f"it is not JSON ({error})."


def _check_anchors(asset: Asset, path: Path) -> Iterator[Finding]:
    if asset.content is None or not asset.path.startswith(RUBRICS) or not asset.path.endswith(".md"):
        return
    missing = {b"0", b"1", b"2", b"3", b"4"} - set(_ANCHOR.findall(asset.content))
    if missing:
        yield NO_ANCHORS.at(path, missing=", ".join(sorted(digit.decode() for digit in missing)))


def _check_required(pack: Pack) -> Iterator[Finding]:
    gates = mapping(pack.document.get("gates"))
    if not pack.input_sets or not isinstance(mapping(gates.get("ci_merge_gate")).get("must_include_suites"), list):
        return
    filled = {input_set.key for input_set in pack.input_sets if input_set.cases}
    missing = [name for name in listed_suites("ci_merge_gate", pack.document) if name not in filled]
    if missing:
        yield NO_TASK.at(("gates", "ci_merge_gate", "must_include_suites"), suites=", ".join(missing))


def missing_files(pack: Pack, paths: Iterable[tuple[Path, Document]]) -> Iterator[Finding]:
    """TS-505 for the tasks of a pack that has folders but no configuration."""
    known = Known(pack)
    for path, document in paths:
        yield from (finding.below(path) for finding in _missing(document, known))
