"""Schemas of challenge, input set and case (challenge-pack a.6 to a.8)."""

from packs.formats.challenge_pack.schema.parts import asset_references, assets, case_input, expectation, whole
from packs.formats.challenge_pack.schema.simulator import SIMULATOR
from packs.formats.provenance import OWN_KEY
from packs.formats.schema.pieces import (
    AGENT,
    INT32_MAX,
    STUDIO,
    Schema,
    audiences,
    block,
    choice,
    free_map,
    items,
    long_text,
    text,
)

DIFFICULTIES = {"easy": "Easy", "medium": "Medium", "hard": "Hard", "expert": "Expert"}

CHALLENGE: Schema = block(
    "Challenge",
    audiences(
        {
            "key": text(
                "Key", "Identity of the challenge in the pack.", minLength=1, rule="E221", examples=["locate-parcel"]
            ),
            "title": text("Title", "What people read in lists and results.", minLength=1, rule="E223"),
            "category": text(
                "Category", "A group of your own choosing.", minLength=1, rule="E224", examples=["support", "coding"]
            ),
            "difficulty": choice(
                "Difficulty", DIFFICULTIES, "How hard you expect it to be.", trimmed=True, rule="E225"
            ),
            "instructions": long_text(
                "Instructions",
                "What the agent is told. In prompt evaluations `{{name}}` is replaced by a value of the case.",
                open=True,
            ),
            "definition": free_map("Definition", "Further facts about the challenge, shown to the agent as data."),
            "assets": assets("Assets", "Files of this challenge alone; other places cannot refer to them."),
            "artifact_refs": asset_references(
                "Assets of the version", "Files of the version that this challenge uses.", AGENT
            ),
        },
        agent=("key", "title", "category", "difficulty", "instructions", "definition"),
    ),
    "What is asked of the agent; the cases bring the data.",
    required=["key", "title", "category", "difficulty"],
)

INPUT_SET: Schema = block(
    "Input set",
    audiences(
        {
            "key": text("Key", "Identity of the set in the pack.", minLength=1, rule="E301", examples=["default"]),
            "name": text("Name", "What people choose when they start a run.", minLength=1, rule="E303"),
            "description": long_text("Description", "For readers of the pack only."),
        },
        studio=("key", "name", "description"),
    ),
    "Cases that run together. All of them belong to one challenge.",
    required=["key", "name"],
)

CASE: Schema = block(
    "Case",
    audiences(
        {
            "challenge_key": text(
                "Challenge",
                "The challenge that this case poses.",
                minLength=1,
                rule="E311",
                picks="challenges",
                widget="picker",
            ),
            "case_key": text(
                "Key",
                "Identity of the case within its set and challenge.",
                minLength=1,
                rule="E314",
                examples=["hub-scan"],
            ),
            "item_key": text("Former key", "A second, older name; only kept when it differs from the key."),
            "payload": free_map(
                "Payload", "Free data of the case; templates and evidence can refer to it.", declares="payload"
            ),
            "inputs": items("Inputs", case_input(), "Named pieces of material for the agent.", declares="inputs"),
            "expectations": items(
                "Expectations",
                expectation(),
                "What answers are compared with; hidden from the agent.",
                declares="expectations",
            ),
            "user_simulator": SIMULATOR,
            "artifacts": {
                **asset_references("Assets of the version", "Files of the version that this case uses.", STUDIO),
                "x-open": False,
            },
            "assets": {
                **assets("Assets", "Files of this case alone; other places cannot refer to them."),
                "x-open": False,
            },
            "case_timeout_seconds": whole(
                "Time limit (seconds)",
                "Replaces the time limit of the run for this case; 0 leaves it as it is.",
                maximum=INT32_MAX,
                minimum=-INT32_MAX - 1,
                rule="E005",
                default=0,
                widget="seconds",
            ),
            OWN_KEY: free_map(
                "Provenance", "The failed trial that this case was made of; written once.", open=False, audience=STUDIO
            ),
        },
        agent=("challenge_key", "case_key", "payload"),
        studio=("item_key", "expectations", "case_timeout_seconds"),
    ),
    "One task with its data and its expectations.",
    required=["challenge_key", "case_key"],
)
