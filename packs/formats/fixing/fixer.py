"""Finds fixes: candidates are tried, and the check of the format decides."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from sys import maxsize
from typing import Any

from packs.formats.abilities import NAMERS
from packs.formats.adapter import Above, Adapter, Node, PackIndex
from packs.formats.document import Document, NodeKind, Pack
from packs.formats.findings import Finding, Path, Severity, to_pointer
from packs.formats.fixing.candidates import (
    alike,
    at,
    converted,
    fields_with_variants,
    of_inner_keys,
    of_keys,
    options_of,
    put_at,
    setting,
    stands,
)
from packs.formats.fixing.fix import Act, Fix
from packs.formats.fixing.overlay import Overlay
from packs.formats.names import homes_of
from packs.formats.numbering import free_number
from packs.formats.schema.picks import SLOT, patterns_of, sorts_of
from packs.formats.structure.model import ANYTHING, Schema, for_forms, matches, schema_at, types_of, variants_of

_DECLARING = ("key", "id", "name")
_NUMBERED = re.compile(r"(.*?)(?:-(\d{1,6}))?", re.DOTALL)
# What stands before the name in references such as `case.expectations.answer` and `input:question`.
_PREFIXED = re.compile(r"(.*[.:])([^.:]+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fixer:
    """Finds the fixes of findings about the nodes of one pack.

    `names` are the names that its nodes and its document declare (see `names_in`), `files` the paths of its files.
    """

    adapter: Adapter
    index: PackIndex
    names: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def fix_of(self, node: Node, finding: Finding, known: Iterable[Finding] | None = None) -> Fix | None:
        """The first edit with which a check of the node no longer has the finding, and has no new ones.

        The path of the finding starts at the node's document. `known` are all findings of the node where they are at
        hand.
        """
        before = set(map(_mark, self.adapter.check_node(self.index, node) if known is None else known))
        if finding.code in self.adapter.PACK_WIDE or _mark(finding) not in before:
            return None
        for fix in self._candidates(node, finding):
            changed = self._with(node, fix.document)
            found = list(self.adapter.check_node(Overlay(self.index, node, changed), changed))
            new = [each for each in found if _mark(each) not in before and each.severity is not Severity.NOTE]
            if _mark(finding) not in map(_mark, found) and all(_is_below(each.path, fix.opened) for each in new):
                return fix
        return None

    def _with(self, node: Node, document: Document) -> Node:
        key, challenge_key = self.adapter.identify(node.kind, document)
        return replace(node, document=document, key=key, challenge_key=challenge_key)

    def _candidates(self, node: Node, finding: Finding) -> Iterator[Fix]:
        document, path = node.document, finding.path
        schema = for_forms(self.adapter.SCHEMA[node.kind])
        holder, value = at(document, path[:-1]), at(document, path)
        fields: Mapping[str, Schema] = {}
        if path and isinstance(holder, dict):
            fields = fields_with_variants(schema_at(schema, document, to_pointer(path[:-1])), holder)
            yield from of_keys(document, finding, holder, fields)
        here = schema_at(schema, document, to_pointer(path))
        if isinstance(value, dict):
            inner = fields_with_variants(here, value)
            yield from of_inner_keys(document, path, value, inner)
            yield from self._inner_names(node, path, value, inner)
        if path and stands(holder, path[-1]):
            schemas = (here, fields.get(str(path[-1]), ANYTHING))
            for other in self._values(node, path, value, schemas):
                yield Fix(setting(path, value, other), put_at(document, path, other), Act.SET, path, other)

    def _inner_names(self, node: Node, path: Path, holder: Document, fields: Mapping[str, Schema]) -> Iterator[Fix]:
        """Other names in the fields of an object that name something: a finding may stand at what is around them."""
        for key, part in fields.items():
            schemas, value, place = (part, *variants_of(part)), holder.get(key), (*path, key)
            if isinstance(value, str) and any(map(sorts_of, schemas)):
                for other in self._references(node, value, schemas):
                    yield Fix(setting(place, value, other), put_at(node.document, place, other), Act.SET, place, other)

    def _values(self, node: Node, path: Path, value: Any, schemas: Iterable[Schema]) -> Iterator[Any]:
        """What may have been meant by a value."""
        variants = [variant for schema in schemas for variant in (schema, *variants_of(schema))]
        if not any(matches(variant, value) for variant in variants if types_of(variant)):
            for variant in variants:
                yield from converted(value, variant)
        if not isinstance(value, str):
            return
        if value != value.strip() and "\n" not in value:
            yield value.strip()
        options = [option for variant in variants for option in options_of(variant)]
        yield from () if value in options else alike(value, options)
        yield from self._references(node, value, variants)
        yield from self._free_keys(node, path, value)

    def _references(self, node: Node, value: str, schemas: Iterable[Schema]) -> Iterator[str]:
        """Names that are like a value, or like what stands behind its last dot or colon.

        First those that its field picks from, then what the pack declares, then the node itself.
        """
        picked = [pattern for schema in schemas for pattern in patterns_of(schema)]
        yield from alike(value, self._filled(node, picked)) if picked else ()
        prefixed = _PREFIXED.fullmatch(value)
        for names in (self.names, tuple(names_in([node.document]))):
            yield from alike(value, names)
            if prefixed:
                yield from (prefixed[1] + name for name in alike(prefixed[2], names))

    def _filled(self, node: Node, patterns: Iterable[str]) -> Iterator[str]:
        """Patterns with the names that the node can use in their slots."""
        named = self._named(node)
        for pattern in patterns:
            for sort in SLOT.findall(pattern):
                yield from (pattern.replace(f"{{{sort}}}", name) for name in named.get(sort, ()))

    def _named(self, node: Node) -> Mapping[str, Sequence[str]]:
        """What a node can name, by sort, as it would write it."""
        known = {home.name: home.known for schema in self.adapter.SCHEMA.values() for home in homes_of(schema)}
        namer = NAMERS.get(self.adapter.NAME)
        if namer is None:
            return known
        suite = self.index.input_set(node.parent) if node.kind is NodeKind.CASE else None
        above = Above(self.index.pack, suite or {})
        return known | dict(namer.names(node.kind, node.document, above, dict.fromkeys(self.files, b"")))

    def _free_keys(self, node: Node, path: Path, key: str) -> Iterator[str]:
        """The next key that no sibling has, for a node whose key is that of a sibling."""
        if to_pointer(path) != self.adapter.KEY_POINTERS.get(node.kind) or not self.index.is_repeated(node):
            return
        name, number = _NUMBERED.fullmatch(key).groups()  # type: ignore[union-attr]
        last = replace(node, position=maxsize)
        free = free_number(
            lambda each: self.index.is_repeated(replace(last, key=f"{name}-{each}")), int(number or 1) + 1
        )
        yield f"{name}-{free}"


def names_in(documents: Iterable[Any]) -> Iterator[str]:
    """The names that documents declare: keys of mappings, and texts that stand under key, id or name."""
    for document in documents:
        if isinstance(document, dict):
            yield from (key for key in document if isinstance(key, str))
            yield from (name for key in _DECLARING if isinstance(name := document.get(key), str))
            yield from names_in(document.values())
        elif isinstance(document, list):
            yield from names_in(document)


def fixer_of(adapter: Adapter, index: PackIndex, pack: Pack) -> Fixer:
    """The fixer of a pack that is at hand as a tree."""
    keys = [[node.key for node in nodes] for nodes in (pack.challenges, pack.assets, pack.input_sets)]
    names = tuple(dict.fromkeys([*chain.from_iterable(keys), *names_in([pack.document])]))
    return Fixer(adapter, index, names, tuple(asset.path for asset in pack.assets))


def _mark(finding: Finding) -> tuple[str, Path]:
    return finding.code, finding.path


def _is_below(path: Path, home: Path | None) -> bool:
    return home is not None and path[: len(home)] == home
