"""Schema of a test (agentv B, C)."""

from packs.formats.agentv.schema.assertions import assertions
from packs.formats.agentv.schema.messages import EXPECTED, MESSAGE, asked, unruled
from packs.formats.agentv.schema.suite import TARGETS
from packs.formats.agentv.schema.workspace import WORKSPACE
from packs.formats.schema.pieces import (
    Schema,
    asking,
    audiences,
    block,
    choice,
    distinguished,
    free_map,
    integer,
    items,
    long_text,
    renamed,
    share,
    text,
    texts,
    yes_no,
)

# How turns are played (C.7).
TALK: Schema = block(
    "Conversation",
    {
        "aggregation": choice(
            "Turns combine", {"mean": "Mean", "min": "Worst turn", "max": "Best turn"}, rules="bad_option"
        ),
        "on_turn_failure": choice("After a bad turn", {"continue": "Go on", "stop": "Stop"}, rules="bad_option"),
        "window_size": integer("Turns remembered", minimum=1, rules="bad_option"),
    },
)
TURN: Schema = block(
    "Turn",
    audiences(
        {
            "input": {
                **unruled(asked("", title="The user says")),
                "oneOf": [long_text("Text", pattern=r"\S"), items("Messages", unruled(MESSAGE), minItems=1)],
            },
            "expected_output": unruled(EXPECTED),
            "assertions": assertions("Judge the reply of this turn."),
        },
        agent=("input",),
        studio=("expected_output", "assertions"),
    ),
    required=["input"],
)
_NEVER: Schema = {"not": {}}
_CONVERSATION: Schema = {
    "properties": {
        "turns": {
            "type": "array",
            "minItems": 1,
            "x-rules": "no_turns",
            "items": {
                "type": "object",
                "properties": {"input": {"pattern": r"\S", "minItems": 1, "x-rules": "silent_turn"}},
                "required": ["input"],
                "x-rules": {"type": "no_turn", "required": "silent_turn"},
            },
        }
    },
    "required": ["turns"],
    "x-rules": {"required": "no_turns"},
    # Expected are the replies of turns, not one output.
    "allOf": [
        asking(
            {"properties": {"turns": {"type": "array"}}, "required": ["turns"]},
            {"properties": {"expected_output": {**_NEVER, "x-rules": "no_expectation"}}},
        )
    ],
}
_NO_CONVERSATION: Schema = {
    "properties": {
        "turns": {**_NEVER, "x-rules": "turns_alone"},
        **dict.fromkeys(TALK["properties"], {**_NEVER, "x-rules": "only_there"}),
    }
}
_OLD_KEYS = {"assert": "assertions", "evaluator": "assertions", "expected_outcome": "criteria"}
TEST: Schema = block(
    "Test",
    distinguished(
        audiences(
            {
                "id": text("Id", "Unique in the suite.", pattern=r"\S", examples=["widget-1234"], rules="no_id"),
                "criteria": long_text(
                    "Criteria", "What a good answer is.", open=True, pattern=r"\S", null=False, rules="blank_criteria"
                ),
                "input": asked("bad_input", **{"x-keep": True}),
                "input_files": texts(
                    "Files",
                    "Put before the input; only for an input that is a text.",
                    text("File", picks="files", widget="suggestions"),
                ),
                "expected_output": {**EXPECTED, "x-open": True},
                "assertions": {
                    **assertions("What is judged; a judge of the criteria where there are none."),
                    "x-keep": True,
                },
                "metadata": free_map(
                    "Metadata", "For hooks, graders and results; AgentV itself reads none of it.", open=False
                ),
                "execution": block(
                    "Execution",
                    {
                        "threshold": share("Passes from", keep=True, rules="ignored"),
                        "targets": TARGETS,
                        "skip_defaults": yes_no(
                            "Without the suite's input, files and assertions", keep=True, rules="ignored"
                        ),
                    },
                    rules={"type": "ignored"},
                ),
                "workspace": WORKSPACE,
                "vars": free_map(
                    "Values",
                    "Filled in for {{name}} in input, criteria and expected output.",
                    declares="vars",
                    open=False,
                ),
                "depends_on": texts(
                    "Depends on", "Ids of tests that end first.", {"type": "string", "x-picks": "cases"}, open=False
                ),
                "on_dependency_failure": choice(
                    "If one of them breaks", {"skip": "Skip this test", "fail": "Fail it", "run": "Run it anyway"}
                ),
                "mode": choice("Mode", {"conversation": "Conversation in turns"}),
                "turns": items("Turns", TURN, open=False),
                **TALK["properties"],
                "conversation_id": text("Conversation", "Groups tests in results."),
                "suite": text("Suite label", "Another label for results."),
                "$folder": text("Folder", "Name of its folder, where the tests of the suite stand in folders."),
            },
            agent=("id", "input", "input_files", "vars"),
            studio=(
                "criteria",
                "expected_output",
                "assertions",
                "metadata",
                "execution",
                "depends_on",
                "on_dependency_failure",
                "mode",
                "aggregation",
                "on_turn_failure",
                "window_size",
                "conversation_id",
                "suite",
                "$folder",
            ),
        ),
        "metadata",
        "conversation_id",
        "suite",
        without=("id", "$folder"),
    ),
    "One task with what counts as success.",
    # Read, though forms do not offer them.
    patternProperties={rf"^(?:rubrics|{'|'.join(_OLD_KEYS)})$": {}},
    unknown="unknown_test_key",
    required=["id", "input"],
    rules={"type": "no_test", "required": {"id": "no_id", "input": "no_input"}},
    allOf=[
        renamed(_OLD_KEYS, "old_test_key"),
        asking(
            {"properties": {"mode": {"const": "conversation"}}, "required": ["mode"]}, _CONVERSATION, _NO_CONVERSATION
        ),
    ],
)
