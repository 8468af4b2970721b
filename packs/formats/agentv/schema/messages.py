"""Schemas of messages, and of the values that stand in for them (agentv C)."""

from typing import Any

from packs.formats.schema.pieces import (
    AGENT,
    STUDIO,
    Schema,
    anything,
    asking,
    audiences,
    block,
    choice,
    items,
    long_text,
    text,
)

ROLES = {"system": "System", "user": "User", "assistant": "Assistant"}
# Blocks of other types are passed through as they are.
BLOCKS = {"text": "Text", "file": "File", "image": "Image"}


def unruled(part: Any) -> Any:
    """A part whose words have no rules of their own: where it stands AgentV's checks do not look."""
    if isinstance(part, list):
        return [unruled(each) for each in part]
    return (
        {word: unruled(value) for word, value in part.items() if word != "x-rules"} if isinstance(part, dict) else part
    )


def _of_type(kind: str, value: Schema, rule: str) -> Schema:
    """What blocks of a type must have as value."""
    value = {**value, "x-rules": rule}
    then = {"properties": {"value": value}, "required": ["value"], "x-rules": {"required": rule}}
    return asking({"properties": {"type": {"const": kind}}, "required": ["type"]}, then)


def _picking(kind: str) -> Schema:
    """That the value of blocks of a type is the path of a file."""
    value = {"x-picks": "files", "x-widget": "suggestions", "x-audience": AGENT}
    condition = {"properties": {"type": {"const": kind}}, "required": ["type"]}
    return {"if": condition, "then": {"properties": {"value": value}}}


BLOCK: Schema = {
    "title": "Part",
    "oneOf": [
        long_text("Text"),
        block(
            "Block",
            audiences(
                {
                    "type": text("Type", "", examples=list(BLOCKS), rules="no_block_type", **{"x-labels": BLOCKS}),
                    "value": long_text(
                        "Value", "The text, or the path of the file: beside the suite or in a folder above."
                    ),
                },
                agent=("type", "value"),
            ),
            required=["type"],
            rules={"required": "no_block_type"},
            allOf=[
                _of_type("text", {"type": "string"}, "no_text"),
                _of_type("file", {"type": "string", "pattern": r"\S"}, "no_file_name"),
                *(_picking(kind) for kind in ("file", "image")),
            ],
        ),
    ],
    "x-rules": {"type": "bad_part"},
}
MESSAGE: Schema = block(
    "Message",
    audiences(
        {
            "role": choice("Who speaks", ROLES, rules="role"),
            "name": text("Name"),
            "content": {
                "title": "Content",
                "oneOf": [
                    long_text("Text"),
                    items("Parts", BLOCK),
                    {"type": "object", "title": "Structured", "x-widget": "json"},
                ],
                "x-null": False,
                "x-rules": {"type": "no_content"},
            },
            "tool_calls": items("Tool calls", {"type": "object", "title": "Call", "x-widget": "json"}),
        },
        agent=("role", "name", "content", "tool_calls"),
    ),
    required=["role"],
    rules={"type": "no_message", "required": "role"},
    allOf=[
        asking(
            {"required": ["tool_calls"]},
            otherwise={"required": ["content"], "x-rules": {"required": "no_content"}},
        )
    ],
)
_BEGINS_WITH_A_MESSAGE: Schema = {"prefixItems": [{"type": "object", "required": ["role"]}], "minItems": 1}


def asked(rule: str, **more: Any) -> Schema:
    """What the agent is asked; `rule` says what is wrong where it is neither text nor a list."""
    return {
        "title": "Input",
        "description": "What the agent is asked: a text, or messages one after the other.",
        "x-audience": AGENT,
        "oneOf": [long_text("Text"), items("Messages", MESSAGE)],
        "x-null": False,
        "x-rules": {"type": rule},
        **more,
    }


EXPECTED: Schema = {
    "title": "Expected output",
    "description": "The gold answer. Nobody runs it; it is for graders and people.",
    "x-audience": STUDIO,
    "oneOf": [
        long_text("Text"),
        {"type": "object", "title": "Structured", "x-widget": "json"},
        items(
            "Messages or values",
            anything("Value", widget="json"),
            allOf=[asking(_BEGINS_WITH_A_MESSAGE, {"items": MESSAGE})],
        ),
    ],
    "x-null": False,
    "x-rules": {"type": "bad_expected"},
}
