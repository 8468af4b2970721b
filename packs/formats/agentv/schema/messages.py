"""Schemas of messages, and of the values that stand in for them (agentv C)."""

from packs.formats.schema.pieces import (
    AGENT,
    STUDIO,
    Schema,
    anything,
    audiences,
    block,
    choice,
    items,
    long_text,
    text,
)

BLOCK: Schema = {
    "title": "Part",
    "oneOf": [
        long_text("Text"),
        block(
            "Block",
            audiences(
                {
                    "type": text("Type", examples=["text", "file", "image"], widget="suggestions"),
                    "value": long_text(
                        "Value", "The text, or the path of the file: beside the suite or in a folder above."
                    ),
                },
                agent=("type", "value"),
            ),
            required=["type"],
        ),
    ],
}
MESSAGE: Schema = block(
    "Message",
    audiences(
        {
            "role": choice(
                "Who speaks", {"system": "System", "user": "User", "assistant": "Assistant", "tool": "Tool"}
            ),
            "name": text("Name"),
            "content": {
                "title": "Content",
                "oneOf": [
                    long_text("Text"),
                    items("Parts", BLOCK),
                    {"type": "object", "title": "Structured", "x-widget": "json"},
                ],
            },
            "tool_calls": items("Tool calls", {"type": "object", "title": "Call", "x-widget": "json"}),
        },
        agent=("role", "name", "content", "tool_calls"),
    ),
    required=["role"],
)
INPUT: Schema = {
    "title": "Input",
    "description": "What the agent is asked: a text, or messages one after the other.",
    "x-audience": AGENT,
    "oneOf": [long_text("Text"), items("Messages", MESSAGE)],
}
EXPECTED: Schema = {
    "title": "Expected output",
    "description": "The gold answer. Nobody runs it; it is for graders and people.",
    "x-audience": STUDIO,
    "oneOf": [
        long_text("Text"),
        {"type": "object", "title": "Structured", "x-widget": "json"},
        items("Messages or values", anything("Value", widget="json")),
    ],
}
