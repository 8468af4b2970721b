"""All that can be said about the content of task suites: structure, every rule of the format, and advice.

`check` and `check_node` run the same functions. Only the findings with a code in `PACK_WIDE` need the whole pack.
"""

from collections.abc import Iterator

from packs.formats.adapter import Node, PackIndex
from packs.formats.document import Document, NodeKind, Pack
from packs.formats.findings import Finding, Rule
from packs.formats.identity import check_key
from packs.formats.index import check_each
from packs.formats.paths import refused_name
from packs.formats.provenance import check_provenance
from packs.formats.task_suite.addresses import path_of
from packs.formats.task_suite.checks.config import check_config
from packs.formats.task_suite.checks.fields import (
    check_environment,
    check_gates,
    check_identity,
    check_metrics,
    check_tags,
    check_trials,
)
from packs.formats.task_suite.checks.graders import check_graders
from packs.formats.task_suite.checks.inputs import check_inputs
from packs.formats.task_suite.checks.leaks import check_leaks
from packs.formats.task_suite.checks.places import WHOLE_RULES, check_files, check_whole
from packs.formats.task_suite.checks.structure import CONFIGURATION, TASK
from packs.formats.task_suite.layout import is_asset, is_task_file
from packs.formats.task_suite.reading import TOO_LARGE
from packs.formats.task_suite.suites import SUITES
from packs.formats.task_suite.writer import trouble_when_written

__all__ = ["PACK_WIDE", "check", "check_node"]

UNKNOWN_SUITE = Rule("task_suite.E511", "There is no suite {name}.", hint="The suites are: {known}.", rule="TS-501")
REPEATED_NODE = Rule(
    "task_suite.E512",
    "Another {kind} has the key {key}.",
    hint="Each suite and each file stands in a pack once; remove one of the two.",
)
NO_PLACE = Rule(
    "task_suite.E513",
    "A file of the pack needs a path below evals/.",
    hint="Write a path such as evals/_shared/rubrics/tone.md.",
)

PACK_WIDE = frozenset(rule.code for rule in WHOLE_RULES)


def check(pack: Pack) -> Iterator[Finding]:
    """Every finding about the content of a pack; see `Adapter.check`."""
    yield from check_each(pack, check_node, path_of)
    yield from check_whole(pack)


def check_node(index: PackIndex, node: Node) -> Iterator[Finding]:
    """The findings about one node; see `Adapter.check_node`."""
    if trouble := trouble_when_written(node.kind, node.document):
        yield TOO_LARGE.at((), what=trouble)
        return
    match node.kind:
        case NodeKind.PACK:
            yield from CONFIGURATION.with_rules(node.document, check_config(node.document))
        case NodeKind.CASE:
            yield from TASK.with_rules(node.document, _rules(index, node.document))
        case NodeKind.ASSET:
            yield from _check_asset(index, node)
        case _:
            yield from _check_suite(index, node)


def _rules(index: PackIndex, document: Document) -> Iterator[Finding]:
    config = index.pack
    yield from check_identity(document)
    yield from check_tags(document)
    yield from check_inputs(document)
    yield from check_leaks(document)
    yield from check_environment(document)
    yield from check_trials(document, config)
    yield from check_graders(document)
    yield from check_metrics(document)
    yield from check_gates(document, config)
    yield from check_files(index, document)
    yield from check_provenance(document)


def _check_suite(index: PackIndex, node: Node) -> Iterator[Finding]:
    name = node.document.get("suite")
    if not isinstance(name, str) or name.strip() not in SUITES:
        yield UNKNOWN_SUITE.at(("suite",), name=repr(name)[:80], known=", ".join(SUITES))
    elif index.is_repeated(node):
        yield REPEATED_NODE.at(("suite",), kind="node", key=repr(name))


def _check_asset(index: PackIndex, node: Node) -> Iterator[Finding]:
    path = node.document.get("path")
    if not isinstance(path, str) or not is_place(path.strip()):
        yield NO_PLACE.at(("path",))
        return
    if index.is_repeated(node):
        yield REPEATED_NODE.at(("path",), kind="file", key=repr(path[:120]))
    yield from check_key(path.strip(), ("path",))


def is_place(path: str) -> bool:
    """Whether an asset can have this path: below `evals/`, safe to write, and not where a task is picked up."""
    return is_asset(path) and refused_name(path) is None and not is_task_file(path)
