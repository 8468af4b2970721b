"""The samples of findings: a base pack with a few edits for every code, written in YAML under tests/fixtures."""

from copy import deepcopy
from pathlib import Path

import orjson

from packs.formats import yamlio
from packs.formats.adapter import Node
from packs.formats.challenge_pack import check_node
from packs.formats.document import NodeKind, Pack
from packs.formats.index import TreeIndex

FOLDER = Path(__file__).resolve().parents[3] / "fixtures" / "challenge_pack"
SPEC = "/version/evaluation_spec"
SPEC_PATH = "version.evaluation_spec"


def read_yaml(path):
    value, findings = yamlio.read(path.read_bytes(), file=path.name, dialect=yamlio.CORE_12)
    assert findings == [], path
    return value


def base(name):
    return read_yaml(FOLDER / "bases" / f"{name}.yaml")


def entries():
    """Every sample: its code, base, edits (`set`, `drop`), the place of its finding, and codes that come along."""
    return [entry for path in sorted((FOLDER / "findings").glob("*.yaml")) for entry in read_yaml(path)]


def code_of(entry):
    return f"challenge_pack.{entry['code']}"


def files_of(entry):
    if "files" in entry:
        return {name: text.encode() for name, text in entry["files"].items()}
    document = deepcopy(base(entry.get("base", "native")))
    for pointer in entry.get("drop", ()):
        holder, last = _reach(document, pointer)
        del holder[last]
    for pointer, value in entry.get("set", {}).items():
        holder, last = _reach(document, pointer)
        if last == "-":
            holder.append(value)
        else:
            holder[last] = value
    beside = {name: text.encode() for name, text in entry.get("beside", {}).items()}
    return {entry.get("name", "pack.yaml"): orjson.dumps(document, option=orjson.OPT_INDENT_2), **beside}


def found_in(document, below):
    """Rule and place of what is wrong with the values of a pack's own document below a path, at whichever depth."""
    index = TreeIndex(Pack(format="challenge_pack", key="", document=document))
    findings = check_node(index, Node(NodeKind.PACK, document, ""))
    return [(each.rule, each.field_path) for each in findings if each.is_error and each.field_path.startswith(below)]


def place_of(entry):
    return entry["at"].replace("ES", SPEC_PATH, 1) if entry["at"].startswith("ES") else entry["at"]


def _reach(document, pointer):
    """The holder of a place and the last step to it; a missing list or mapping on the way is an error of the sample."""
    pointer = pointer.replace("ES", SPEC, 1) if pointer.startswith("ES") else pointer
    *steps, last = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    for step in steps:
        document = document[int(step)] if isinstance(document, list) else document[step]
    return document, int(last) if isinstance(document, list) and last != "-" else last
