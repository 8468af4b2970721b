"""Packs that were edited at random: nodes that come, go, move and get other keys, and other values in them."""

from copy import deepcopy
from dataclasses import replace
from random import Random

from packs.formats.adapter import Adapter
from packs.formats.document import Asset, Case, Challenge, File, InputSet, NodeKind, Pack
from packs.formats.findings import from_pointer

VALUES = [None, True, 0, 1, 1.0, -2.5, "", "a word", "two words more", "line\nline", [], ["a", "b"], {}, {"key": "k"}]
LISTS = {"challenges": NodeKind.CHALLENGE, "assets": NodeKind.ASSET, "input_sets": NodeKind.INPUT_SET}


def places(value, path=()):
    """The paths of all parts of a value, without its own."""
    if path:
        yield path
    steps = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        yield from places(value[step], (*path, step))


def otherwise(random: Random, document):
    """A document with one part of it done otherwise."""
    document = deepcopy(document)
    found = list(places(document))
    if not found:
        return {"new": random.choice(VALUES)}
    *above, step = random.choice(found)
    holder = document
    for part in above:
        holder = holder[part]
    deed = random.choice(["set", "set", "word", "remove", "add", "order", "copy"])
    if deed == "remove":
        del holder[step]
    elif deed == "word" and isinstance(holder[step], str):
        holder[step] = f"{holder[step]} {random.choice(['more', 'less', 'words'])}"
    elif deed == "order":
        items = list(holder.items()) if isinstance(holder, dict) else list(holder)
        random.shuffle(items)
        holder.clear()
        holder.update(items) if isinstance(holder, dict) else holder.extend(items)
    elif isinstance(holder, list) and deed in ("add", "copy"):
        holder.insert(step, deepcopy(holder[step]) if deed == "copy" else random.choice(VALUES))
    elif deed == "add":
        holder[random.choice(["new", "notes", "zz"])] = random.choice(VALUES)
    else:
        holder[step] = deepcopy(random.choice(VALUES))
    return document


def made(adapter: Adapter, kind: NodeKind, node, document):
    """A node with another document, under the key that it states."""
    key, challenge_key = adapter.identify(kind, document)
    found = replace(node, document=document, key=key)
    if isinstance(found, Case):
        return replace(found, challenge_key=challenge_key)
    return replace(found, path=str(document.get("path", ""))) if isinstance(found, Asset) else found


def siblings(adapter: Adapter, random: Random, kind: NodeKind, nodes):
    """Siblings of which one came, went, moved, or says something else."""
    nodes = list(nodes)
    if not nodes:
        return nodes
    at = random.randrange(len(nodes))
    deed = random.choice(["edit", "edit", "edit", "remove", "copy", "move", "shuffle", "rename", "rename"])
    if deed == "edit":
        nodes[at] = made(adapter, kind, nodes[at], otherwise(random, nodes[at].document))
    elif deed == "remove":
        del nodes[at]
    elif deed == "move":
        nodes.insert(random.randrange(len(nodes)), nodes.pop(at))
    elif deed == "shuffle":
        random.shuffle(nodes)
    else:
        pointer = adapter.KEY_POINTERS.get(kind)
        name = random.choice(["other", "new-key", "third", nodes[0].key])
        document = nodes[at].document | ({from_pointer(pointer)[0]: name} if pointer else {})
        other = made(adapter, kind, nodes[at], document)
        nodes[at : at + (deed == "rename")] = [other]
    return nodes


def edited(adapter: Adapter, random: Random, pack: Pack) -> Pack:
    """A pack after one edit."""
    deed = random.choice(["pack", "challenges", "assets", "input_sets", "cases", "cases", "cases", "across", "files"])
    if deed == "pack":
        document = otherwise(random, pack.document)
        return replace(pack, document=document, key=adapter.identify(NodeKind.PACK, document)[0])
    if deed == "files":
        return replace(pack, files=other_files(random, pack.files))
    if deed in LISTS:
        return replace(pack, **{deed: tuple(siblings(adapter, random, LISTS[deed], getattr(pack, deed)))})
    if not pack.input_sets:
        return pack
    sets = [replace(found, cases=list(found.cases)) for found in pack.input_sets]
    one, other = random.choice(sets), random.choice(sets)
    if deed == "cases":
        one.cases[:] = siblings(adapter, random, NodeKind.CASE, one.cases)
    elif one.cases:
        case = one.cases.pop(random.randrange(len(one.cases)))
        other.cases.insert(random.randint(0, len(other.cases)), case)
    return replace(pack, input_sets=tuple(replace(found, cases=tuple(found.cases)) for found in sets))


def other_files(random: Random, files: tuple[File, ...]) -> tuple[File, ...]:
    content = random.choice([b"", b"text\n", b"\xff\x00"])
    path = random.choice([*(file.path for file in files), "notes.txt", "a/b.md"])
    kept = [file for file in files if file.path != path]
    return tuple(kept if random.random() < 0.3 else sorted([*kept, File(path, content)], key=lambda file: file.path))


def said(pack: Pack) -> str:
    """A pack in a text that tells 1, 1.0 and the order of keys apart."""
    parts: list[Challenge | InputSet | Asset | File] = [*pack.challenges, *pack.input_sets, *pack.assets, *pack.files]
    return repr((pack.format, pack.key, pack.document, parts))
