"""Every reference that the schemas state, in every format: its field has a picker, and follows a rename."""

import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.abilities import NAMERS
from packs.formats.adapter import Above
from packs.formats.document import NodeKind
from packs.formats.findings import render_path
from packs.formats.names import NODE_SORTS, Asked, homes_of
from packs.formats.schema.picks import SLOT, patterns_of
from packs.formats.structure.model import blank, types_of, variants_of

OLD, NEW = "old-name", "new-name"
DECLARING = (NodeKind.PACK, NodeKind.CASE)
FILES = {"folders", "working_files", *(sort for name in NAMERS for sort in NAMERS[name].FILES)}


def references(part, path=()):
    """Values that name OLD at one place, with the sort of name, the path, and the text that stands there."""
    for pattern in patterns_of(part):
        if slot := SLOT.search(pattern):
            name = f"some/{OLD}.py" if slot[1] == "working_files" else f"./some/{OLD}.py" if slot[1] in FILES else OLD
            yield pattern.replace(slot[0], name), slot[1], path
    for variant in variants_of(part):
        rest = {word: value for word, value in part.items() if word not in ("oneOf", "anyOf", "x-picks")}
        yield from references({**rest, **variant}, path)
    if variants_of(part):
        return
    if isinstance(part.get("items"), dict):
        yield from (([value], sort, at) for value, sort, at in references(part["items"], (*path, 0)))
    if "object" in types_of(part) or "properties" in part:
        yield from in_mapping(part, path)


def in_mapping(part, path):
    given, part = needed(part), {**part, **part.get("x-form", {})}
    yield from below(given, part.get("properties", {}), path)
    if isinstance(part.get("additionalProperties"), dict):
        yield from below(given, {"one": part["additionalProperties"]}, path)
    for rule in part.get("allOf", ()):
        then, stated = rule.get("then", {}), rule.get("if", {}).get("properties", {})
        chosen = {name: field.get("const", next(iter(field.get("enum", ())), "")) for name, field in stated.items()}
        yield from below({**given, **needed(then), **chosen}, then.get("properties", {}), path)


def below(given, fields, path):
    for name, field in fields.items():
        for value, sort, at in references(field, (*path, name)):
            yield {**given, name: value}, sort, at


def needed(part):
    return {name: blank(part.get("properties", {}).get(name, {})) for name in part.get("required", ())}


def sorts_offered(adapter, kind, document, above):
    """The sorts of names that pickers of a document have."""
    namer = NAMERS.get(adapter.NAME)
    files = namer.names(kind, document, above, {}) if namer else {}
    return {*NODE_SORTS, *files, *(home.name for each in DECLARING for home in homes_of(adapter.SCHEMA[each]))}


def renamed(adapter, kind, document, sort, above):
    """The document after what it names as OLD has got another name."""
    namer = NAMERS.get(adapter.NAME)
    if sort == "working_files":
        # They count from the folder that the agent works on.
        document = {**document, "inputs": {"repo_path": "."}}
    if sort in FILES:
        path = namer.path_of(
            sort if sort in namer.FILES else next(iter(namer.FILES)), kind, document, above, f"./some/{OLD}.py", {}
        )
        return adapter.renamed(kind, document, NodeKind.ASSET, Asked({path: path.replace(OLD, NEW)}), above)
    return adapter.renamed(kind, document, NODE_SORTS.get(sort, sort), Asked({OLD: NEW}), above)


@pytest.mark.parametrize("name", FORMATS)
def test_every_field_that_names_something_has_a_picker_and_follows_its_name(name):
    adapter = adapter_of(name)
    above, found, unoffered, left = Above({}, {"$file": "evals/a.eval.yaml"}), 0, [], []
    for kind, schema in adapter.SCHEMA.items():
        for document, sort, path in references(schema):
            found += 1
            if sort not in sorts_offered(adapter, kind, document, above):
                unoffered.append(f"{kind}: {render_path(path)} ({sort})")
            if OLD in str(renamed(adapter, kind, document, sort, above)):
                left.append(f"{kind}: {render_path(path)} ({sort})")
    assert bool(found) == bool(adapter.REFERRERS)
    assert unoffered == []
    assert left == []
