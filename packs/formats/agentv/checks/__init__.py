"""All that can be said about the content of AgentV evals: AgentV's own rules, what its loader leaves out in silence,
what keeps a suite from running, and advice.

`check` and `check_node` run the same functions; those that read other files find more where the bytes are at hand.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from packs.formats.adapter import Node, PackIndex
from packs.formats.agentv.addresses import path_of
from packs.formats.agentv.checks import structure
from packs.formats.agentv.checks.files import check_asset
from packs.formats.agentv.checks.graph import GRAPH_RULES, check_graph, check_templates
from packs.formats.agentv.checks.outside import FILE_RULES
from packs.formats.agentv.checks.suites import check_suite
from packs.formats.agentv.checks.targets import TARGET_RULES, check_targets_file
from packs.formats.agentv.checks.tests import check_test
from packs.formats.agentv.context import Around, checked_around, indexed_around
from packs.formats.agentv.notes import REFUSED_ON_PUBLISHING
from packs.formats.agentv.reader import NO_SUITE, no_suite
from packs.formats.document import Address, Document, NodeKind, Pack
from packs.formats.findings import Finding, Rule
from packs.formats.index import TreeIndex

__all__ = ["PACK_WIDE", "check", "check_node", "refused"]

REFUSED = Rule(
    "agentv.E401",
    "A version must run as it is written: {message}",
    hint="{hint}",
)

PACK_WIDE = frozenset(rule.code for rule in (NO_SUITE, *GRAPH_RULES, *FILE_RULES, *TARGET_RULES))


def check(pack: Pack) -> Iterator[Finding]:
    """Every finding about the content of a pack; see `Adapter.check`."""
    index = TreeIndex(pack)
    yield from _check_settings(pack.document)
    for position, asset in enumerate(pack.assets):
        node = Node(NodeKind.ASSET, asset.document, asset.key, position=position)
        prefix = path_of(Address(NodeKind.ASSET, (position,)))
        yield from (found.below(prefix) for found in chain(check_asset(index, node), check_targets_file(asset)))
    if not pack.input_sets:
        yield no_suite(asset.path for asset in pack.assets)
    for parent, input_set in enumerate(pack.input_sets):
        around = checked_around(pack, input_set)
        suite = Node(NodeKind.INPUT_SET, input_set.document, input_set.key, position=parent)
        prefix = path_of(Address(NodeKind.INPUT_SET, (parent,)))
        yield from (found.below(prefix) for found in _check_suite(index, around, suite))
        together = chain(check_graph(input_set), check_templates(around, input_set))
        yield from (found.below(prefix) for found in together)
        for position, case in enumerate(input_set.cases):
            node = Node(NodeKind.CASE, case.document, case.key, "", parent, position)
            place = path_of(Address(NodeKind.CASE, (parent, position)))
            yield from (found.below(place) for found in _check_test(index, around, node))


def check_node(index: PackIndex, node: Node) -> Iterator[Finding]:
    """The findings about one node; see `Adapter.check_node`."""
    match node.kind:
        case NodeKind.PACK:
            yield from _check_settings(node.document)
        case NodeKind.INPUT_SET:
            yield from _check_suite(index, indexed_around(index, node.document), node)
        case NodeKind.CASE:
            yield from _check_test(index, _suite_around(index, node.parent), node)
        case NodeKind.ASSET:
            yield from check_asset(index, node)


def _check_settings(document: Document) -> Iterator[Finding]:
    return structure.with_structure(NodeKind.PACK, document, structure.refused(NodeKind.PACK, document))


def _check_suite(index: PackIndex, around: Around, node: Node) -> Iterator[Finding]:
    findings = check_suite(index, around, node)
    return findings if around.suite.get("$list") else structure.with_structure(node.kind, around.suite, findings)


def _check_test(index: PackIndex, around: Around, node: Node) -> Iterator[Finding]:
    findings = check_test(index, around, node)
    if "$entry" in node.document:
        return findings
    return structure.with_structure(node.kind, around.filled(node.document), findings)


def _suite_around(index: PackIndex, parent: int) -> Around:
    found: Document | None = index.input_set(parent)
    return indexed_around(index, found or {})


def refused(pack: Pack) -> Iterator[Finding]:
    """What publishing refuses although AgentV's own checks accept it: a version must run as it is written."""
    for finding in check(pack):
        if not finding.is_error and finding.rule in REFUSED_ON_PUBLISHING:
            reported = REFUSED.at(finding.path, field=finding.field, message=finding.message, hint=finding.hint)
            yield replace(reported, rule=finding.rule)
