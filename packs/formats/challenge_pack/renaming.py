"""References that follow what they name to its new key: as the schema says it, and in templates (c.7)."""

from collections.abc import Callable, Mapping
from typing import Any

from packs.formats.adapter import Above
from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.challenge_pack.schema.tools import PRIMITIVES
from packs.formats.challenge_pack.templates import PLACEHOLDER
from packs.formats.document import Document, NodeKind
from packs.formats.names import followed, in_template, sort_of
from packs.formats.values import exact_text, listing, mapping

_IN_CASES = (NodeKind.PACK, NodeKind.CHALLENGE, NodeKind.CASE)
_IN_SPEC = (NodeKind.PACK,)
REFERRERS: Mapping[str, tuple[NodeKind, ...]] = {
    NodeKind.CHALLENGE: (NodeKind.CASE,),
    NodeKind.ASSET: _IN_CASES,
    "inputs": _IN_CASES,
    "payload": _IN_CASES,
    "expectations": (NodeKind.PACK, NodeKind.CASE),
    **dict.fromkeys(("captures", "validators", "metrics", "judges", "tools"), _IN_SPEC),
}
# Names of these kinds stand apart from each other: templates and findings would mix them up.
ROOMS = (frozenset({"inputs", "payload"}), frozenset({"validators", "metrics", "judges"}))
_IN_TEMPLATES = ROOMS[0]
_MEANT = ("workspace_files", "schema_version")


def is_fixed(what: str, name: str) -> bool:
    """Whether a name means something by itself; see `Adapter.is_fixed`."""
    return (what == "payload" and name in _MEANT) or (what == "tools" and name in PRIMITIVES)


def renamed(kind: NodeKind, document: Document, what: str, names: Mapping[str, str], above: Above) -> Document:
    """A document in which names have changed; see `Adapter.renamed`.

    Templates stand in test commands, in the messages of scripted users and, where prompts are evaluated, in
    instructions.
    """
    if kind not in REFERRERS.get(what, ()):
        return document
    found: Document = followed(SCHEMA[kind], document, sort_of(what), names)
    return _IN_TEXTS[kind](found, names, above) if what in _IN_TEMPLATES else found


def _in_instructions(challenge: Document, names: Mapping[str, str], above: Above) -> Document:
    mode = mapping(above.pack.get("version")).get("execution_mode")
    if not isinstance(mode, str) or mode.strip() != "prompt_eval":
        return challenge
    found: Document = _filled(challenge, "instructions", names)
    return found


def _in_commands(pack: Document, names: Mapping[str, str], _: Above) -> Document:
    version = mapping(pack.get("version"))
    spec = mapping(version.get("evaluation_spec"))
    validators = [_with_command(each, names) for each in listing(spec.get("validators"))]
    if validators == listing(spec.get("validators")):
        return pack
    return {**pack, "version": {**version, "evaluation_spec": {**spec, "validators": validators}}}


def _with_command(validator: Any, names: Mapping[str, str]) -> Any:
    config = mapping(validator).get("config")
    if not isinstance(config, dict) or exact_text(validator, "type") != "code_execution":
        return validator
    return {**validator, "config": _filled(config, "test_command", names)}


def _in_messages(case: Document, names: Mapping[str, str], _: Above) -> Document:
    def in_phase(phase: Any) -> Any:
        turns = listing(mapping(phase).get("turns"))
        return {**phase, "turns": [_filled(turn, "message", names) for turn in turns]} if turns else phase

    simulator = mapping(case.get("user_simulator"))
    phases = listing(simulator.get("phases"))
    if not phases:
        return case
    found = [in_phase(phase) for phase in phases]
    return case if found == phases else {**case, "user_simulator": {**simulator, "phases": found}}


_IN_TEXTS: Mapping[NodeKind, Callable[[Document, Mapping[str, str], Above], Document]] = {
    NodeKind.CHALLENGE: _in_instructions,
    NodeKind.PACK: _in_commands,
    NodeKind.CASE: _in_messages,
}


def _filled(holder: Any, field: str, names: Mapping[str, str]) -> Any:
    """A mapping whose template has other names."""
    text = mapping(holder).get(field)
    return {**holder, field: in_template(PLACEHOLDER, text, names)} if isinstance(text, str) else holder
