"""Schema of the simulated user of a conversation (challenge-pack c.6)."""

from packs.formats.challenge_pack.schema.parts import expectation
from packs.formats.schema.pieces import (
    Schema,
    audiences,
    block,
    choice,
    items,
    long_text,
    number,
    text,
    texts,
    whole,
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
            "message": long_text("Message", "What the user says; `{{name}}` takes a value of the case.", minLength=1),
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

PHASE: Schema = block(
    "Phase",
    audiences(
        {
            "id": text("Name", "Identity of the phase in this conversation.", minLength=1, examples=["opening"]),
            "actor": choice("Actor", ACTORS, "Who speaks for the user.", trimmed=True),
            "trigger": choice(
                "Trigger", TRIGGERS, "When the phase is played. Only the first phase may be `always`.", trimmed=True
            ),
            "turns": items("Turns", TURN, "For scripted phases: the messages in order."),
            "persona": long_text("Persona", "For model-played phases: who the user is. For people: the hint they see."),
            "max_turns": whole("Most turns", "For model-played phases; 0 means the limit of the simulator.", minimum=0),
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
                widget="milliseconds",
            ),
            "on_timeout": text("When nobody answers", "`fail` fails the run; anything else ends the conversation."),
        },
        studio=("id", "actor", "trigger", "persona", "max_turns", "until", "model", "timeout_ms", "on_timeout"),
    ),
    required=["id", "actor"],
)

SIMULATOR: Schema = block(
    "User simulator",
    audiences(
        {
            "schema_version": whole("Schema version", "Always 1.", const=1, default=1),
            "kind": text("Kind", "Always `hybrid`.", const="hybrid", default="hybrid"),
            "max_turns": whole("Most turns", "Over all phases; 0 means 50.", minimum=0, default=0),
            "phases": items("Phases", PHASE, "The parts of the conversation in order.", minItems=1),
            "calibration": block(
                "Calibration",
                {
                    "enabled": yes_no("Enabled"),
                    "sample_rate": number("Sample rate", "Share of conversations: above 0, at most 1.", maximum=1),
                },
                "Which share of the conversations people check.",
            ),
            "post_run": block(
                "After the run",
                {
                    "arena": block(
                        "Arena",
                        {
                            "enabled": yes_no("Enabled"),
                            "comparison": choice(
                                "Comparison", {"pairwise": "Pairs of agents"}, default="pairwise", trimmed=True
                            ),
                        },
                        "Let people compare the conversations of two agents.",
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
