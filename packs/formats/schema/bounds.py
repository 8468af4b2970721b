"""How often a JSON Schema looks at one and the same value: schemas that double their work at each step are refused.

A validator follows every reference every time. A few lines of references to references can so ask for more steps than
a worker lives, and no time limit can stop the validator's own code.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from packs.formats.schema.references import References

# How many parts of the schema may look at one value, and how many combinations of parts are followed to find out.
MAX_LOOKS = 5_000
MAX_COMBINATIONS = 20_000

_SAME_VALUE_LISTS = ("allOf", "anyOf", "oneOf")
_SAME_VALUE = ("not", "if", "then", "else")
_SAME_VALUE_MAPS = ("dependentSchemas", "dependencies")
_ANY_PROPERTY = ("additionalProperties", "unevaluatedProperties")
_ANY_ITEM = ("items", "additionalItems", "unevaluatedItems", "contains")
_REFERENCES = ("$ref", "$dynamicRef")

# Parts of a schema by their place in `_Parts.nodes`, with how often each is applied.
Looks = Counter[int]


class _TooMany(Exception):
    pass


def is_bounded(schema: Any) -> bool:
    """Whether validating takes time that grows with the value only, not with the paths through the schema."""
    if not isinstance(schema, dict):
        return True
    parts = _Parts(schema)
    waiting = [Counter({parts.number(schema): 1})]
    seen: set[frozenset[tuple[int, int]]] = set()
    try:
        while waiting:
            looks = waiting.pop()
            state = frozenset(looks.items())
            if state in seen:
                continue
            seen.add(state)
            if len(seen) > MAX_COMBINATIONS:
                return False
            waiting.extend(parts.below(looks))
    except _TooMany:
        return False
    return True


class _Parts:
    """The parts of one schema, its references resolved inside of it."""

    def __init__(self, root: dict[str, Any]) -> None:
        self.nodes: list[dict[str, Any]] = []
        self._numbers: dict[int, int] = {}
        self._references = References(root)

    def number(self, node: dict[str, Any]) -> int:
        number = self._numbers.setdefault(id(node), len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number

    def below(self, looks: Looks) -> Iterator[Looks]:
        """What looks at each kind of child of a value at which `looks` look."""
        named: dict[str, Looks] = {}
        other, items = Counter[int](), Counter[int]()
        for node, count in self._unfolded(looks):
            for name, child in _mapping(node, "properties"):
                named.setdefault(name, Counter())[self.number(child)] += count
            loose = [child for _, child in _mapping(node, "patternProperties")]
            for child in (*loose, *_single(node, _ANY_PROPERTY), *_single(node, ("propertyNames",))):
                other[self.number(child)] += count
            for child in (*_single(node, _ANY_ITEM), *_listed(node, ("prefixItems", "items"))):
                items[self.number(child)] += count
        yield from (found + other for found in named.values())
        yield from (found for found in (other, items) if found)

    def _unfolded(self, looks: Looks) -> Iterator[tuple[dict[str, Any], int]]:
        """Every part that is applied to the same value, references and combinations followed."""
        waiting = [(self.nodes[number], count) for number, count in looks.items()]
        total = 0
        while waiting:
            node, count = waiting.pop()
            total += count
            if total > MAX_LOOKS:
                raise _TooMany
            yield node, count
            waiting.extend((child, count) for child in self._beside(node))

    def _beside(self, node: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield from _listed(node, _SAME_VALUE_LISTS)
        yield from _single(node, _SAME_VALUE)
        for keyword in _SAME_VALUE_MAPS:
            yield from (child for _, child in _mapping(node, keyword))
        for keyword in _REFERENCES:
            yield from self._references.targets(node, node.get(keyword))


def _single(node: dict[str, Any], keywords: Iterable[str]) -> Iterator[dict[str, Any]]:
    return (node[keyword] for keyword in keywords if isinstance(node.get(keyword), dict))


def _listed(node: dict[str, Any], keywords: Iterable[str]) -> Iterator[dict[str, Any]]:
    lists = (node[keyword] for keyword in keywords if isinstance(node.get(keyword), list))
    return (child for children in lists for child in children if isinstance(child, dict))


def _mapping(node: dict[str, Any], keyword: str) -> Iterator[tuple[str, dict[str, Any]]]:
    children = node.get(keyword)
    if isinstance(children, dict):
        yield from ((name, child) for name, child in children.items() if isinstance(child, dict))
