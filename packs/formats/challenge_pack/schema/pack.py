"""Schema of the pack's own document: all but challenges, input sets and assets (challenge-pack a.2 to a.5)."""

from packs.formats.challenge_pack.schema.parts import whole
from packs.formats.challenge_pack.schema.security import SECURITY
from packs.formats.challenge_pack.schema.spec import SPEC
from packs.formats.challenge_pack.schema.tools import ASKED, TOOLS
from packs.formats.schema.pieces import (
    AGENT,
    FORMLESS,
    INT32_MAX,
    STUDIO,
    Schema,
    asking,
    audiences,
    block,
    choice,
    free_map,
    given,
    items,
    long_text,
    mapping,
    must_say,
    says,
    text,
    texts,
    yes_no,
)

EXECUTION_MODES = {
    "native": "Agent with tools in a sandbox",
    "prompt_eval": "One model call",
    "responses": "One call with the provider's own tools",
    "multi_turn": "Conversation with a simulated user",
}
TOOL_KINDS = ("browser", "build", "data", "file", "network", "terminal")
TRANSPORTS = ["text_sim", "webrtc", "sip", "pstn", "websocket"]

IDENTITY: Schema = block(
    "Pack",
    audiences(
        {
            "slug": text("Slug", "Lasting identity of the pack.", minLength=1, rule="E101", examples=["parcel-desk"]),
            "name": text("Name", "What people read.", minLength=1, rule="E102"),
            "family": text(
                "Family",
                "A group of packs; `security` makes the security block mandatory.",
                minLength=1,
                rule="E103",
                examples=["coding"],
            ),
            "description": long_text("Description", "What the pack measures."),
        },
        agent=("slug", "name", "family", "description"),
    ),
    required=["slug", "name", "family"],
)

SANDBOX: Schema = block(
    "Sandbox",
    audiences(
        {
            "network_access": yes_no("Network access", "Whether the sandbox may reach the network.", keep=True),
            "network_allowlist": texts(
                "Allowed networks", "Address blocks.", item={"type": "string", "examples": ["10.0.0.0/8"]}
            ),
            "env_vars": mapping(
                "Environment variables", {"type": "string"}, propertyNames={"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}
            ),
            "additional_packages": texts(
                "Packages",
                "Debian packages that programs must find installed.",
                item={"type": "string", "pattern": "^[a-z0-9][a-z0-9.+-]+$", "x-rules": {"value": "E433"}},
            ),
            "sandbox_template_id": text("Image", "Name of a prepared image."),
        },
        agent=("env_vars", "sandbox_template_id"),
        studio=("network_access", "network_allowlist", "additional_packages"),
    ),
    "Where the agent works. Not for prompt evaluations.",
    keep=True,
)

DEPLOYMENT: Schema = block(
    "Deployment defaults",
    audiences(
        {
            "aliases": mapping("Aliases", {"type": "string"}, "Short names for agents."),
            "lineups": mapping(
                "Line-ups", {"type": "array", "items": {"type": "string"}}, "Groups of agents; one is called `default`."
            ),
        },
        agent=("aliases", "lineups"),
    ),
    "Which agents a run takes when none are named.",
)

_TOOL_KINDS = items(
    "",
    text("", enum=[*TOOL_KINDS], trimmed=True, caseless=True, rules="E421"),
    null=False,
    rules="E422",
)

VERSION: Schema = block(
    "Version",
    audiences(
        {
            "number": whole(
                "Number",
                "Raise it to publish a change.",
                minimum=1,
                maximum=INT32_MAX,
                rule="E104",
                rules={"maximum": "E005"},
            ),
            "execution_mode": choice(
                "Mode", EXECUTION_MODES, "How the agent is driven; absent counts as native.", trimmed=True, rule="E115"
            ),
            "sandbox": SANDBOX,
            "tool_policy": free_map(
                "Tool policy",
                "`allowed_tool_kinds`, `allow_shell` and `allow_network` have a meaning; other keys are kept.",
                examples=[{"allowed_tool_kinds": ["file"], "allow_shell": True}],
                allOf=[{"properties": {"allowed_tool_kinds": _TOOL_KINDS}, FORMLESS: True}],
            ),
            "filesystem": free_map(
                "File system", "`working_directory`, `readable_roots`, `writable_roots`, `max_workspace_bytes`."
            ),
            "deployment_defaults": DEPLOYMENT,
            "evaluation_spec": SPEC,
        },
        agent=("number", "execution_mode", "tool_policy", "filesystem"),
        studio=("evaluation_spec",),
    ),
    "What is frozen when the pack is published.",
    required=["number", "evaluation_spec"],
)

INTERFACE: Schema = block(
    "Voice interface",
    audiences(
        {
            "transports": items(
                "Transports", text("", enum=TRANSPORTS, trimmed=True, rule="E109"), minItems=1, rule="E108"
            ),
            "channel_profile": text("Channel profile", minLength=1, rule="E111"),
            "supports_barge_in": yes_no("Can be interrupted", default=False),
        },
        agent=("transports", "channel_profile", "supports_barge_in"),
    ),
    "Only for voice packs.",
    required=["transports", "channel_profile"],
    keep=True,
)

SCENARIO: Schema = block(
    "Voice scenario",
    audiences(
        {
            "persona": long_text("Persona", minLength=1, rule="E113"),
            "language": text("Language", minLength=1, rule="E113", examples=["en"]),
            "max_turns": whole("Most turns", minimum=1, rule="E114"),
            "max_duration_ms": whole("Longest duration (ms)", minimum=1, rule="E114", widget="milliseconds"),
        },
        agent=("persona", "language", "max_turns", "max_duration_ms"),
    ),
    "Only for voice packs.",
    required=["persona", "language", "max_turns", "max_duration_ms"],
    keep=True,
)


def _in_mode(mode: str) -> Schema:
    return {"properties": {"version": says("execution_mode", mode, trimmed=True)}, "required": ["version"]}


def _empty(name: str, rule: str) -> Schema:
    return {"properties": {name: {"maxProperties": 0, "x-rules": rule}}}


_CONDITIONS = [
    asking(
        {"properties": {"pack": says("family", "security", trimmed=True, caseless=True)}, "required": ["pack"]},
        must_say("security", "E119", type="object"),
    ),
    asking(
        says("modality", "voice", trimmed=True),
        {
            "allOf": [
                must_say("interface_spec", "E107", type="object"),
                must_say("scenario", "E112", type="object"),
            ]
        },
    ),
    asking(
        {"anyOf": [given("interface_spec"), given("scenario")]},
        must_say("modality", "E105"),
    ),
    asking(_in_mode("responses"), _empty("tools", "E117")),
    asking(
        _in_mode("prompt_eval"),
        {
            "allOf": [
                _empty("tools", "E116"),
                {
                    "properties": {
                        "version": {
                            "allOf": [
                                {"properties": {"sandbox": {"type": "null", "x-rules": "E116"}}},
                                _empty("tool_policy", "E116"),
                            ]
                        }
                    }
                },
            ]
        },
    ),
]

PACK: Schema = block(
    "Challenge pack",
    {
        "pack": IDENTITY,
        "version": VERSION,
        "modality": choice(
            "Modality", {"voice": "Voice"}, "Only for voice packs.", trimmed=True, rule="E106", audience=AGENT
        ),
        "interface_spec": INTERFACE,
        "scenario": SCENARIO,
        "tools": free_map(
            "Tools",
            "`allowed`, `denied` and `custom` tools of the pack.",
            form=TOOLS,
            allOf=ASKED,
            audience={"": AGENT, "custom/[]/implementation": STUDIO},
        ),
        "security": SECURITY,
    },
    "A set of challenges with their cases and the way they are scored.",
    required=["pack", "version"],
    allOf=_CONDITIONS,
)
