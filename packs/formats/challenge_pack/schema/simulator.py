"""Schema of the simulated user of a conversation (challenge-pack c.6)."""

from packs.formats.challenge_pack.schema.parts import expectation, whole
from packs.formats.schema.pieces import (
    FORMLESS,
    Schema,
    asking,
    audiences,
    block,
    choice,
    items,
    long_text,
    must_say,
    never,
    number,
    says,
    text,
    texts,
    yes_no,
)

ACTORS = {"scripted": "Scripted messages", "llm": "A model plays the user", "human": "A person answers"}
TRIGGERS = {
    "always": "Always (first phase only)",
    "on_assistant_mismatch": "After a reply that missed its expectation",
    "on_validator_fail": "After a failed validator",
    "on_judge_below": "After a low judge score",
    "on_agent_loop": "When the agent repeats itself",
    "on_max_llm_turns": "When the model-played turns are used up",
    "manual": "By hand",
    "never": "Never",
}

TURN: Schema = block(
    "Turn",
    audiences(
        {
            "message": long_text(
                "Message", "What the user says; `{{name}}` takes a value of the case.", minLength=1, rule="E964"
            ),
            "expects": items(
                "Expected in the reply",
                expectation("Expected in the reply"),
                "The kinds `exact_match` and `contains` compare the reply with the value.",
            ),
        },
        agent=("message",),
        studio=("expects",),
    ),
    required=["message"],
)


def _played_by(*actors: str) -> Schema:
    return says("actor", *actors, trimmed=True)


_ENABLED: Schema = {"properties": {"enabled": {"const": True}}, "required": ["enabled"]}
_LATER = "|".join(trigger for trigger in TRIGGERS if trigger != "always")
_FIRST: Schema = {"properties": {"trigger": {"not": {"pattern": rf"^\s*(?:{_LATER})\s*$"}, "x-rules": "E961"}}}
_OTHERS: Schema = must_say("trigger", "E962", pattern=r"\S", **{"not": {"pattern": r"^\s*always\s*$"}})

PHASE: Schema = block(
    "Phase",
    audiences(
        {
            "id": text(
                "Name", "Identity of the phase in this conversation.", minLength=1, rule="E957", examples=["opening"]
            ),
            "actor": choice("Actor", ACTORS, "Who speaks for the user.", trimmed=True, rule="E958"),
            "trigger": choice(
                "Trigger",
                TRIGGERS,
                "When the phase is played. Only the first phase may be `always`.",
                trimmed=True,
                rule="E959",
            ),
            "turns": items("Turns", TURN, "For scripted phases: the messages in order."),
            "persona": long_text("Persona", "For model-played phases: who the user is. For people: the hint they see."),
            "max_turns": whole(
                "Most turns",
                "For model-played phases; 0 means the limit of the simulator.",
                minimum=0,
                rules={"minimum": "E972"},
            ),
            "until": texts(
                "Until",
                "For model-played phases: conditions that must all hold to end the phase early.",
                item={"type": "string", "examples": ["max_turns", "assistant_emitted:sorry", "user_token:thanks"]},
            ),
            "model": text("Model", "For model-played phases: the chat model that plays the user."),
            "timeout_ms": whole(
                "Waiting time (ms)",
                "For people: how long the run waits; 0 means 30 minutes.",
                minimum=0,
                rules={"minimum": "E967"},
                widget="milliseconds",
            ),
            "on_timeout": text("When nobody answers", "`fail` fails the run; anything else ends the conversation."),
        },
        studio=("id", "actor", "trigger", "persona", "max_turns", "until", "model", "timeout_ms", "on_timeout"),
    ),
    required=["id", "actor"],
    allOf=[
        asking(_played_by("scripted"), must_say("turns", "E963", type="array", minItems=1)),
        asking(
            _played_by("llm"),
            {
                **must_say("persona", "E965"),
                "allOf": [{"properties": {"until": {"items": {"pattern": r"\S", "x-rules": "E966"}}}}],
            },
        ),
        asking(_played_by(*(actor for actor in ACTORS if actor != "llm")), never("model", "E968")),
    ],
)

SIMULATOR: Schema = block(
    "User simulator",
    audiences(
        {
            "schema_version": whole("Schema version", "Always 1.", const=1, default=1, rule="E953"),
            "kind": text("Kind", "Always `hybrid`.", const="hybrid", default="hybrid", rule="E954"),
            "max_turns": whole(
                "Most turns", "Over all phases; 0 means 50.", minimum=0, default=0, rules={"minimum": "E955"}
            ),
            "phases": items(
                "Phases",
                PHASE,
                "The parts of the conversation in order.",
                minItems=1,
                rule="E956",
                allOf=[{"prefixItems": [_FIRST], "items": _OTHERS, FORMLESS: True}],
            ),
            "calibration": block(
                "Calibration",
                {
                    "enabled": yes_no("Enabled"),
                    "sample_rate": number("Sample rate", "Share of conversations: above 0, at most 1."),
                },
                "Which share of the conversations people check.",
                allOf=[
                    asking(
                        _ENABLED,
                        must_say("sample_rate", "E969", type="number", exclusiveMinimum=0, maximum=1),
                    )
                ],
            ),
            "post_run": block(
                "After the run",
                {
                    "arena": block(
                        "Arena",
                        {
                            "enabled": yes_no("Enabled"),
                            "comparison": text("Comparison", default="pairwise"),
                        },
                        "Let people compare the conversations of two agents.",
                        allOf=[
                            {
                                "if": _ENABLED,
                                "then": {
                                    "properties": {
                                        "comparison": choice(
                                            "Comparison", {"pairwise": "Pairs of agents"}, trimmed=True, rule="E970"
                                        )
                                    }
                                },
                            }
                        ],
                    )
                },
            ),
        },
        studio=("schema_version", "kind", "max_turns", "calibration", "post_run"),
    ),
    "Who talks to the agent in a conversation. Only for the mode `multi_turn`.",
    required=["schema_version", "kind", "phases"],
    keep=True,
)
