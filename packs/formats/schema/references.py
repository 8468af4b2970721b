"""Where the references of a JSON Schema lead inside of it: all the parts that a validator could take each of them for.

A reference whose address can be read in more than one way leads to everything that it could mean: too many parts only
make a schema look more laborious than it is, one too few would hide its work.
"""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from packs.formats.findings import from_pointer, index_of

Part = dict[str, Any]

_ANCHORS = ("$anchor", "$dynamicAnchor")
# Addresses like this stay apart by their last segment, however they are written out in full.
_PLAIN = re.compile(r"(?:[A-Za-z0-9_.:-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*")


class References:
    """The resources (parts with an address of their own) and anchors of one schema."""

    def __init__(self, root: Part) -> None:
        self._around: dict[int, tuple[Part, ...]] = {}
        self._resources: list[tuple[str, Part]] = [("", root)]
        self._anchors: dict[str, list[Part]] = {}
        waiting: list[tuple[Any, tuple[Part, ...]]] = [(root, (root,))]
        while waiting:
            node, around = waiting.pop()
            if isinstance(node, list):
                waiting.extend((child, around) for child in node)
            elif isinstance(node, dict):
                around = self._note(node, around)
                waiting.extend((child, around) for child in node.values())

    def _note(self, node: Part, around: tuple[Part, ...]) -> tuple[Part, ...]:
        address, hash_sign, anchor = str(node.get("$id", "")).partition("#")
        if address:
            self._resources.append((address, node))
            around = (*around, node)
        for name in [anchor if hash_sign else "", *(node.get(keyword) for keyword in _ANCHORS)]:
            if isinstance(name, str) and name:
                self._anchors.setdefault(name, []).append(node)
        # One mapping stands in several places where YAML's aliases repeat it.
        known = (*self._around.get(id(node), ()), *around)
        self._around[id(node)] = tuple({id(part): part for part in known}.values())
        return around

    def targets(self, node: Part, reference: Any) -> list[Part]:
        """The parts that a reference in a node could mean; none where it names nothing here."""
        if not isinstance(reference, str):
            return []
        address, _, fragment = reference.partition("#")
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            return self._anchors.get(fragment, [])
        found = (_at(resource, fragment) for resource in self._meant(node, address))
        return list({id(part): part for part in found if part is not None}.values())

    def _meant(self, node: Part, address: str) -> Iterable[Part]:
        if not address:
            return self._around[id(node)]
        if not all(_PLAIN.fullmatch(each) for each in (address, *(name for name, _ in self._resources if name))):
            return [part for _, part in self._resources]
        return [part for name, part in self._resources if _last(name) == _last(address)]


def _last(address: str) -> str:
    return address.rpartition("/")[2]


def _at(root: Any, pointer: str) -> Part | None:
    node = root
    for step in from_pointer(pointer):
        index = index_of(step)
        if isinstance(node, list) and index is not None and index < len(node):
            node = node[index]
        elif isinstance(node, dict):
            node = node.get(step)
        else:
            return None
    return node if isinstance(node, dict) else None
