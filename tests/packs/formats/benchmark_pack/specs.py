"""Task specs of the format's reference implementation (benchmark-pack 7.4), which only its vectors use."""

from dataclasses import replace

from packs.formats.benchmark_pack.compiled import Resource
from packs.formats.benchmark_pack.families import LANES
from packs.formats.findings import Rule
from packs.formats.structure import Structure

TEXT = {"type": "string", "minLength": 1}
RESOURCE = {
    "type": "object",
    "properties": {"value": {}, "visibility": {**TEXT, "enum": list(LANES)}, "expose": {"not": {}}},
    "required": ["value", "visibility"],
}
# The resources that a family needs.
NEEDED = {"multiple_choice": ["question", "choices", "answer"], "code_completion": ["prompt"]}
SCHEMA = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("id", "benchmark_id", "task_type"), TEXT),
        "metadata": {"type": ["object", "null"]},
        "resources": {"type": "object", "propertyNames": TEXT, "additionalProperties": RESOURCE},
    },
    "required": ["id", "benchmark_id", "task_type", "resources"],
    "allOf": [
        {
            "if": {"properties": {"task_type": {"const": family}}},
            "then": {"properties": {"resources": {"x-rules": {"required": "lacks"}, "required": names}}},
        }
        for family, names in NEEDED.items()
    ],
}
BAD = Rule("spec.E001", "{where} is refused.", rule="ValueError")
# Said of all resources: which of them are lacking stands in the message.
LACKS = Rule("spec.E002", "{where} lacks {keys}.", rule="ValueError")
STRUCTURE = Structure(SCHEMA, {"any": BAD, "lacks": LACKS})


def resources_of(spec):
    """The resources of a task spec, and what is wrong with it at the fields that the reference names."""
    found = [replace(finding, field=".".join(("spec", *map(str, finding.path)))) for finding in STRUCTURE.examine(spec)]
    if found:
        return [], found
    return [Resource(name, each["value"], each["visibility"]) for name, each in spec["resources"].items()], []
