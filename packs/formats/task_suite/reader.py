"""Reading: files to a tree (task-suite 1 and 2.1). The documents are the files' own mappings."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from packs.formats.adapter import Files
from packs.formats.document import Asset, Case, Challenge, Document, File, InputSet, NodeKind, Pack
from packs.formats.findings import Finding, Rule
from packs.formats.task_suite.layout import Layout, is_asset, lay_out, recognises
from packs.formats.task_suite.reading import read_mapping
from packs.formats.task_suite.suites import SUITES
from packs.formats.values import trimmed
from packs.formats.yamlio import locate as locate_lines

NAME = "task_suite"

NO_TASKS = Rule(
    "task_suite.E010",
    "None of these files is a task or a configuration of task suites: {names}.",
    hint="Put each task into a file of its own, such as evals/golden/my-task_1.yaml.",
)
OUTSIDE = Rule(
    "task_suite.W010",
    "The file {name} lies outside the pack's folder and is left out.",
    hint="Move it into the folder that holds evals/.",
)
OTHER_STEM = Rule(
    "task_suite.E502",
    "The file is called {stem}, its task {task_id}.",
    hint="Rename the file or the task; the file takes the name of the task when the pack is written again.",
    rule="TS-502",
)

__all__ = ["NAME", "identify", "load", "recognises", "task_files", "trimmed"]


def load(files: Files) -> tuple[Pack | None, list[Finding]]:
    """Read a configuration and task files; see `Adapter.load`.

    A file whose YAML has an error keeps the whole pack from being read: nothing may be missing without a word.
    """
    layout = lay_out(files)
    if layout is None:
        return None, [no_tasks(files)]
    findings = [OUTSIDE.at((), name=name) for name in layout.outside]
    read = {name: read_mapping(files[name], name) for name in _documents(layout)}
    findings += [finding for _, found in read.values() for finding in found]
    documents = {name: document for name, (document, _) in read.items() if document is not None}
    if len(documents) < len(read):
        return None, findings
    findings += _other_stems(files, layout, documents)
    return _tree(files, layout, documents), findings


def no_tasks(names: Iterable[str]) -> Finding:
    """What is wrong with a pack of these files alone."""
    return NO_TASKS.at((), names=", ".join(sorted(names)[:10]) or "there are none")


def _documents(layout: Layout) -> Iterator[str]:
    if layout.config:
        yield layout.config
    for names in layout.tasks.values():
        yield from names


def _tree(files: Files, layout: Layout, documents: dict[str, Document]) -> Pack:
    config = documents.get(layout.config, {})
    own = {own_name: files[name] for own_name, name in layout.rest.items()}
    sets = [_set(suite, [documents[name] for name in names]) for suite, names in _tasks(layout, documents)]
    return Pack(
        format=NAME,
        key=identify(NodeKind.PACK, config)[0],
        document=config,
        challenges=tuple(Challenge(name, {"suite": name}) for name in SUITES),
        input_sets=tuple(sets),
        assets=tuple(Asset(name, name, {"path": name}, data) for name, data in own.items() if is_asset(name)),
        files=tuple(File(name, data) for name, data in own.items() if not is_asset(name)),
    )


def _tasks(layout: Layout, documents: dict[str, Document]) -> Iterator[tuple[str, list[str]]]:
    """Suite and task files; a task that comes alone stands in the suite that it states."""
    for suite, names in layout.tasks.items():
        stated = documents[names[0]].get("suite")
        yield suite or (stated if isinstance(stated, str) and stated in SUITES else "golden"), names


def _set(suite: str, tasks: list[Document]) -> InputSet:
    cases = tuple(Case(*identify(NodeKind.CASE, document), document) for document in tasks)
    return InputSet(suite, {"suite": suite}, cases)


def _other_stems(files: Files, layout: Layout, documents: dict[str, Document]) -> Iterator[Finding]:
    """Tasks whose file has another name: only the files tell, since the tree names files after tasks."""
    for name in () if layout.is_alone else (name for names in layout.tasks.values() for name in names):
        stem, stated = name.rpartition("/")[2].removesuffix(".yaml"), documents[name].get("task_id")
        if isinstance(stated, str) and stated != stem:
            mark = locate_lines(files[name], [("task_id",)])[("task_id",)]
            found = OTHER_STEM.at(("task_id",), stem=repr(stem[:120]), task_id=repr(stated[:120]))
            yield replace(found, file=name, line=mark.line, column=mark.column)


def task_files(files: Files) -> tuple[str, list[list[str]], list[str]]:
    """The names of the configuration file, of each input set's task files, and of the assets, as `load` orders them."""
    layout = lay_out(files)
    if layout is None:
        return "", [], []
    return layout.config, list(layout.tasks.values()), [name for own, name in layout.rest.items() if is_asset(own)]


def identify(kind: NodeKind, document: Document) -> tuple[str, str]:
    """Key and challenge key that a document states; see `Adapter.identify`."""
    match kind:
        case NodeKind.CASE:
            return trimmed(document.get("task_id")), trimmed(document.get("suite"))
        case NodeKind.PACK:
            return trimmed(document.get("x-slug")), ""
        case NodeKind.ASSET:
            return trimmed(document.get("path")), ""
    return trimmed(document.get("suite")), ""
