"""Schema of targets files (agentv I.3): what AgentV refuses in them."""

from packs.formats.agentv.providers import CLI, OLD_SPELLINGS, PLACEHOLDERS, REMOVED, REPLAY
from packs.formats.schema.pieces import Schema, asking, block, items, renamed, text

_SPEAKING: Schema = {"type": "string", "pattern": r"\S"}
_NEVER: Schema = {"not": {}}
# Every {NAME} in capitals is one of the placeholders; other braces are text.
_AFTER_BRACE = "|".join(
    (rf"(?:{'|'.join(PLACEHOLDERS)})\}}[^{{]*", r"\}[^{]*", r"[A-Z_]*(?:[^A-Z_{}][^{]*)?"),
)
_KNOWN_PLACEHOLDERS = rf"^[^{{]*(?:\{{(?:{_AFTER_BRACE}))*$"
# Numbers above 0 that stand in quotes count too.
_POSITIVE = r"^\s*\+?(?:[0-9]*[1-9][0-9]*(?:\.[0-9]*)?|[0-9]*\.[0-9]*[1-9][0-9]*)\s*$"


def _says(name: str) -> Schema:
    """The condition that a field holds text that is not blank."""
    return {"properties": {name: _SPEAKING}, "required": [name]}


def _must_say(name: str, rule: str) -> Schema:
    return {"properties": {name: {**_SPEAKING, "x-rules": rule}}, "required": [name], "x-rules": {"required": rule}}


def _is(provider: str) -> Schema:
    """The condition that a target is of a provider; blanks around it and capitals do not count."""
    letters = "".join(f"[{letter.upper()}{letter}]" for letter in provider)
    return {"properties": {"provider": {"type": "string", "pattern": rf"^\s*{letters}\s*$"}}, "required": ["provider"]}


def _command(rule: str) -> Schema:
    """A command that must be there, with placeholders that there are."""
    found = _must_say("command", rule)
    known = {"properties": {"command": {"pattern": _KNOWN_PLACEHOLDERS, "x-rules": "placeholder"}}}
    return {**found, "allOf": [known]}


_HEALTH: Schema = {
    "type": "object",
    "properties": {
        "timeout_seconds": {
            "type": ["number", "string"],
            "exclusiveMinimum": 0,
            "pattern": _POSITIVE,
            "x-rules": "health",
        },
    },
    "allOf": [
        asking(
            _says("url"),
            otherwise={
                "allOf": [
                    _command("health"),
                    {"properties": {"cwd": {"type": "string", "x-rules": "health"}}},
                ]
            },
        )
    ],
    "x-rules": "health",
}
_CLI: Schema = {"allOf": [_command("no_command"), {"properties": {"healthcheck": _HEALTH}}]}
_REPLAY: Schema = {
    "allOf": [
        _must_say("source_target", "replay"),
        asking(
            _says("fixtures"),
            {"properties": {"execution_traces": {"not": _SPEAKING, "x-rules": "replay"}}},
            _must_say("execution_traces", "replay"),
        ),
    ]
}
_REMOVED = [
    asking(
        {"properties": {"provider": {"const": provider}}, "required": ["provider"]},
        {"properties": dict.fromkeys(names, {**_NEVER, "x-rules": "removed"})},
    )
    for provider, names in REMOVED.items()
]
TARGET: Schema = block(
    "Target",
    {
        "name": text("Name", pattern=r"\S", rules="no_name"),
        "provider": text("Provider", "Who answers, such as cli, or a vendor of models."),
        "use_target": text("As another target", "In place of a provider."),
        "grader_target": text("Judge", "Name of the target that judges.", null=True, rules="bad_judge"),
        "healthcheck": block(
            "Health check", {}, allOf=[renamed({"timeoutSeconds": "timeout_seconds"}, "old_spelling")]
        ),
    },
    required=["name"],
    rules={"type": "no_target", "required": "no_name"},
    allOf=[
        renamed(OLD_SPELLINGS, "old_spelling"),
        asking(_says("use_target"), otherwise=_must_say("provider", "no_provider")),
        asking(
            {"properties": {"grader_target": {"type": "string"}}, "required": ["grader_target"]},
            otherwise={"properties": {"judge_target": {"type": "string", "x-rules": "bad_judge"}}},
        ),
        asking(_is(CLI), _CLI),
        asking(_is(REPLAY), _REPLAY),
        *_REMOVED,
    ],
)
TARGETS_FILE: Schema = block(
    "Targets file",
    {"targets": items("Targets", TARGET, rules="no_list")},
    "Who answers, and who judges, by name.",
    required=["targets"],
    rules={"type": "no_list", "required": "no_list"},
)
