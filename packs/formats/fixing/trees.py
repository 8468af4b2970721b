"""Nodes of a tree: as a check sees them, and with other documents."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from packs.formats.adapter import Adapter, Node
from packs.formats.document import (
    Address,
    Asset,
    Case,
    Challenge,
    Document,
    InputSet,
    NodeKind,
    Pack,
    asset_path,
)

_Node = TypeVar("_Node", Challenge, InputSet, Case, Asset)


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
    return with_documents(pack, adapter, {address: document})


def with_documents(pack: Pack, adapter: Adapter, documents: Mapping[Address, Document]) -> Pack:
    """The pack in which nodes have other documents; the keys and paths that these state go with them."""
    given: dict[NodeKind, dict[tuple[int, ...], Document]] = {kind: {} for kind in NodeKind}
    for address, document in documents.items():
        given[address.kind][address.indices] = document

    def put(nodes: Sequence[_Node], kind: NodeKind, above: tuple[int, ...] = ()) -> tuple[_Node, ...]:
        changed = given[kind]
        found = ((node, changed.get((*above, index))) for index, node in enumerate(nodes))
        return tuple(node if document is None else _put(adapter, kind, node, document) for node, document in found)

    sets = put(pack.input_sets, NodeKind.INPUT_SET)
    if given[NodeKind.CASE]:
        touched = {indices[0] for indices in given[NodeKind.CASE]}
        sets = tuple(
            replace(found, cases=put(found.cases, NodeKind.CASE, (index,))) if index in touched else found
            for index, found in enumerate(sets)
        )
    return replace(
        pack,
        document=given[NodeKind.PACK].get((), pack.document),
        challenges=put(pack.challenges, NodeKind.CHALLENGE),
        assets=put(pack.assets, NodeKind.ASSET),
        input_sets=sets,
    )


def _put(adapter: Adapter, kind: NodeKind, node: Any, document: Document) -> Any:
    key, challenge_key = adapter.identify(kind, document)
    found = replace(node, key=key or node.key, document=document)
    if isinstance(found, Case):
        return replace(found, challenge_key=challenge_key)
    return replace(found, path=asset_path(document) or found.path) if isinstance(found, Asset) else found
