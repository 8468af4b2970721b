"""A misspelt key of a mapping brings a finding, in every mapping that any format's schema describes, and most of these
name the key that was meant."""

import re

import pytest

from packs.formats import FORMATS, adapter_of, recognise
from packs.formats.audience import fields_of
from packs.formats.findings import render_path
from packs.formats.fixing.trees import with_document
from packs.formats.schema.pieces import LENIENT
from packs.formats.structure.model import blank, types_of, variants_of
from tests.packs.test_samples import SAMPLES, files_of


def misspelt(part):
    """Values that have one misspelt key, each in another mapping, with the path of the key."""
    variants = variants_of(part)
    if part.get(LENIENT):
        return
    for variant in variants:
        rest = {word: value for word, value in part.items() if word not in ("oneOf", "anyOf")}
        yield from misspelt({**rest, **variant})
    if variants:
        return
    if "object" in types_of(part):
        yield from in_mapping(part)
    elif isinstance(part.get("items"), dict):
        yield from (([value], (0, *path)) for value, path in misspelt(part["items"]))


def in_mapping(part):
    fields, more, given = part.get("properties", {}), part.get("additionalProperties"), needed(part)
    known = [name for name in fields if name not in given and len(name) > 3 and not name.startswith("x-")]
    if known and not isinstance(more, dict):
        longest = max(known, key=len)
        yield {**given, slipped(longest): blank(fields[longest])}, (slipped(longest),)
    yield from below(given, fields)
    yield from below(given, {"one": more} if isinstance(more, dict) else {})
    for rule in part.get("allOf", ()):
        then = rule.get("then", {})
        yield from below({**given, **needed(then), **stated(rule.get("if", {}))}, then.get("properties", {}))


def slipped(key):
    return f"{key[:-3]}{key[-2:]}"


def below(given, fields):
    for name, field in fields.items():
        yield from (({**given, name: value}, (name, *path)) for value, path in misspelt(field))


def needed(part):
    return {name: blank(part.get("properties", {}).get(name, {})) for name in part.get("required", ())}


def stated(condition):
    """The fields that a condition asks for."""
    fields = condition.get("properties", {}).items()
    return {name: field.get("const", next(iter(field.get("enum", ())), "")) for name, field in fields}


def sample(name):
    """A small pack of a format."""
    for path in sorted(SAMPLES.iterdir()):
        files = files_of(path)
        if recognise(files) == name:
            pack, _ = adapter_of(name).load(files)
            return pack
    raise LookupError(name)


def is_about(place, finding, address, path):
    """Whether a finding is about a key, or about its mapping and names it or refuses the whole."""
    at, inside = place
    is_around = inside == path[:-1] and (finding.is_error or path[-1] in finding.message)
    return at == address and (inside == path or is_around)


@pytest.mark.parametrize("name", FORMATS)
def test_a_misspelt_key_brings_a_finding_in_every_mapping(name):
    adapter, pack = adapter_of(name), sample(name)
    places = {address.kind: (address, document) for address, document in reversed([*pack.nodes()])}
    unseen, asked, meant = [], 0, 0
    for kind, (address, document) in places.items():
        for value, path in misspelt(adapter.SCHEMA[kind]):
            lacking = {key: given for key, given in document.items() if slipped(key) != path[0]}
            changed = with_document(pack, adapter, address, {**lacking, **value})
            asked += 1
            told = [found for found in adapter.check(changed) if is_about(adapter.locate(found), found, address, path)]
            if not told:
                unseen.append(f"{kind}: {render_path(path)}")
            named = [name for found in told for name in re.findall(r"Did you mean (\S+)\?", found.hint)]
            meant += any(slipped(name.rpartition(".")[2]) == path[-1] for name in named)
    assert asked * 8 > sum(len([*fields_of(schema)]) for schema in adapter.SCHEMA.values())
    assert unseen == []
    assert meant * 2 > asked
