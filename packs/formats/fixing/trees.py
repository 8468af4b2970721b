"""Nodes of a tree: as a check sees them, and with other documents."""

from dataclasses import replace
from typing import Any

from packs.formats.adapter import Adapter, Node
from packs.formats.document import Address, Document, NodeKind, Pack


def node_at(pack: Pack, address: Address) -> Node:
    """A node of a tree as a check sees it."""
    kind, indices = address.kind, address.indices
    match kind:
        case NodeKind.PACK:
            return Node(kind, pack.document)
        case NodeKind.CASE:
            parent, position = indices
            case = pack.input_sets[parent].cases[position]
            return Node(kind, case.document, case.key, case.challenge_key, parent, position)
        case NodeKind.CHALLENGE:
            nodes: Any = pack.challenges
        case NodeKind.INPUT_SET:
            nodes = pack.input_sets
        case NodeKind.ASSET:
            nodes = pack.assets
    return Node(kind, nodes[indices[0]].document, nodes[indices[0]].key, position=indices[0])


def with_document(pack: Pack, adapter: Adapter, address: Address, document: Document) -> Pack:
    """The pack in which a node has another document."""
    kind, indices = address.kind, address.indices
    if kind is NodeKind.PACK:
        return replace(pack, document=document)
    key, challenge_key = adapter.identify(kind, document)
    match kind:
        case NodeKind.CHALLENGE:
            return replace(pack, challenges=_put(pack.challenges, indices[0], document, key))
        case NodeKind.ASSET:
            return replace(pack, assets=_put(pack.assets, indices[0], document, key))
        case NodeKind.INPUT_SET:
            return replace(pack, input_sets=_put(pack.input_sets, indices[0], document, key))
    cases = list(pack.input_sets[indices[0]].cases)
    case = cases[indices[1]]
    cases[indices[1]] = replace(case, key=key or case.key, challenge_key=challenge_key, document=document)
    sets = list(pack.input_sets)
    sets[indices[0]] = replace(sets[indices[0]], cases=tuple(cases))
    return replace(pack, input_sets=tuple(sets))


def _put(nodes: Any, index: int, document: Document, key: str) -> Any:
    node = nodes[index]
    return (*nodes[:index], replace(node, key=key or node.key, document=document), *nodes[index + 1 :])
