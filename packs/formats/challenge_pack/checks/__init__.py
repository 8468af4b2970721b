"""All that can be said about the content of a challenge pack: its structure, every rule of the format, and advice.

`check` and `check_node` run the same functions: `check` over all nodes of a tree, `check_node` over one node with the
answers of an index. Only the findings with a code in `PACK_WIDE` need the whole pack and come from `check` alone.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from packs.formats.adapter import Node, PackIndex
from packs.formats.challenge_pack.addresses import path_of
from packs.formats.challenge_pack.checks.assets import check_asset, check_own_assets, check_references
from packs.formats.challenge_pack.checks.case_advice import advise_on_case, advise_on_simulator
from packs.formats.challenge_pack.checks.cases import (
    check_case_challenge,
    check_case_key,
    check_expectations,
    check_input_set,
    check_inputs,
    effective_key,
)
from packs.formats.challenge_pack.checks.challenges import check_challenge
from packs.formats.challenge_pack.checks.evidence_advice import EVIDENCE_MISSING, EVIDENCE_UNKNOWN, EXPECTED_UNUSABLE
from packs.formats.challenge_pack.checks.header import (
    NO_CHALLENGE,
    check_challenge_count,
    check_transports,
)
from packs.formats.challenge_pack.checks.judges import check_judges
from packs.formats.challenge_pack.checks.leaks import check_expected, check_leaks
from packs.formats.challenge_pack.checks.metrics import check_behavior, check_metrics, check_pricing
from packs.formats.challenge_pack.checks.placeholders import COMMAND_UNRESOLVED, check_commands
from packs.formats.challenge_pack.checks.policy import (
    advise_packages,
    advise_tool_kinds,
    check_deployment_defaults,
    check_sandbox,
)
from packs.formats.challenge_pack.checks.scorecard import check_scorecard
from packs.formats.challenge_pack.checks.security import check_security
from packs.formats.challenge_pack.checks.simulator import check_simulator
from packs.formats.challenge_pack.checks.spec_advice import advise_on_pack
from packs.formats.challenge_pack.checks.tools import check_tools
from packs.formats.challenge_pack.checks.use_advice import (
    ASSET_SHOWN,
    ASSET_UNUSED,
    ASSET_WITHHELD,
    CHALLENGE_INPUT_EMPTY,
    CHALLENGE_UNUSED,
    INSTRUCTIONS_UNRESOLVED,
    NO_INPUT_SET,
    ONLY_FIRST_CASE,
    SEVERAL_CASES,
    advise_on_use,
)
from packs.formats.challenge_pack.checks.validators import check_post_execution, check_validators
from packs.formats.challenge_pack.structure import beside, examine, is_sound
from packs.formats.challenge_pack.values import execution_mode, text
from packs.formats.document import Document, InputSet, NodeKind, Pack
from packs.formats.findings import Finding
from packs.formats.identity import check_key
from packs.formats.index import TreeIndex
from packs.formats.provenance import check_provenance

# The rules that only `check` can ask, because they look at the whole pack.
PACK_WIDE = frozenset(
    rule.code
    for rule in (
        NO_CHALLENGE,
        COMMAND_UNRESOLVED,
        ASSET_SHOWN,
        ASSET_UNUSED,
        ASSET_WITHHELD,
        CHALLENGE_INPUT_EMPTY,
        CHALLENGE_UNUSED,
        EVIDENCE_MISSING,
        EVIDENCE_UNKNOWN,
        EXPECTED_UNUSABLE,
        INSTRUCTIONS_UNRESOLVED,
        NO_INPUT_SET,
        ONLY_FIRST_CASE,
        SEVERAL_CASES,
    )
)

_PACK_CHECKS = (
    check_transports,
    check_security,
    check_tools,
    advise_tool_kinds,
    check_sandbox,
    advise_packages,
    check_deployment_defaults,
    check_validators,
    check_post_execution,
    check_metrics,
    check_behavior,
    check_pricing,
    check_judges,
    check_scorecard,
    advise_on_pack,
    check_expected,
)
_WHOLE_CHECKS = (check_challenge_count, check_commands, advise_on_use)


def check(pack: Pack) -> Iterator[Finding]:
    """Every finding about the content of a pack; paths start at the file root."""
    index = TreeIndex(pack)
    yield from _examined(NodeKind.PACK, pack.document, _of_pack(pack.document))
    for position, asset in enumerate(pack.assets):
        node = Node(NodeKind.ASSET, asset.document, asset.key, position=position)
        yield from _node_findings(index, node)
    for position, challenge in enumerate(pack.challenges):
        node = Node(NodeKind.CHALLENGE, challenge.document, challenge.key, position=position)
        yield from _node_findings(index, node)
    mode = execution_mode(pack.document)
    for position, input_set in enumerate(pack.input_sets):
        node = Node(NodeKind.INPUT_SET, input_set.document, input_set.key, position=position)
        yield from _node_findings(index, node)
        yield from _check_cases(index, position, input_set, mode)
    yield from check_whole(pack)


def check_node(index: PackIndex, node: Node) -> Iterator[Finding]:
    """The findings about one node; paths start at its document. Time does not grow with the pack."""
    return _examined(node.kind, node.document, _rule_findings(index, node))


def check_whole(pack: Pack) -> Iterator[Finding]:
    """The findings of the rules in `PACK_WIDE` only."""
    structure = [finding for finding in examine(NodeKind.PACK, pack.document) if finding.is_error]
    others = chain.from_iterable(ask(pack) for ask in _WHOLE_CHECKS)
    yield from islice(beside(structure, others), len(structure), None)


def _node_findings(index: PackIndex, node: Node) -> Iterator[Finding]:
    prefix = path_of(node.address)
    return (finding.below(prefix) for finding in check_node(index, node))


def _check_cases(index: PackIndex, parent: int, input_set: InputSet, mode: str) -> Iterator[Finding]:
    """The findings about the cases of one input set: what `check_node` does, without its cost for each case."""
    leading, seen = index.set_challenge_key(parent), set[tuple[str, str]]()
    for position, case in enumerate(input_set.cases):
        document, identity = case.document, (case.challenge_key.strip(), case.key.strip())
        findings = _of_case(index, document, mode, leading, identity in seen)
        if not is_sound(NodeKind.CASE, document):
            findings = list(_examined(NodeKind.CASE, document, findings))
        seen.add(identity)
        if findings:
            prefix = ("input_sets", parent, "cases", position)
            yield from (finding.below(prefix) for finding in findings)


def _rule_findings(index: PackIndex, node: Node) -> Iterable[Finding]:
    document = node.document
    match node.kind:
        case NodeKind.PACK:
            return _of_pack(document)
        case NodeKind.ASSET:
            key = text(document, "key")
            return chain(check_asset(document, bool(key) and index.is_repeated(node)), check_key(key, ("key",)))
        case NodeKind.CHALLENGE:
            return _of_challenge(index, document, bool(text(document, "key")) and index.is_repeated(node))
        case NodeKind.INPUT_SET:
            repeated = bool(text(document, "key")) and index.is_repeated(node)
            return check_input_set(document, repeated, index.case_count(node.position))
        case NodeKind.CASE:
            mode, leading = execution_mode(index.pack), index.set_challenge_key(node.parent)
            repeated = bool(effective_key(document)) and index.is_repeated(node)
            return _of_case(index, document, mode, leading, repeated)


def _of_pack(document: Document) -> Iterator[Finding]:
    for ask in _PACK_CHECKS:
        yield from ask(document)


def _of_challenge(index: PackIndex, document: Document, repeated: bool) -> Iterator[Finding]:
    yield from check_challenge(document, repeated)
    yield from check_own_assets(document)
    yield from check_references(index, document, "artifact_refs")


def _of_case(index: PackIndex, document: Document, mode: str, leading: str, repeated: bool) -> list[Finding]:
    """The findings of the rules about one case; a rule about a field runs only where the field is there."""
    found = [*check_case_challenge(index, document, leading), *check_case_key(document, repeated)]
    if "inputs" in document:
        found += check_inputs(index, document)
    if "expectations" in document:
        found += check_expectations(index, document, document, "expectations")
        found += check_leaks(index, document, mode)
    if "assets" in document:
        found += check_own_assets(document)
    if "artifacts" in document:
        found += check_references(index, document, "artifacts")
    if "user_simulator" in document or mode == "multi_turn":
        found += check_simulator(index, document, mode)
        found += advise_on_simulator(document)
    found += advise_on_case(document)
    found += check_provenance(document)
    return found


def _examined(kind: NodeKind, document: Document, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The structure findings of a document, then those of the rules that do not stand on broken ground."""
    return beside(examine(kind, document), findings)
