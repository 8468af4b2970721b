"""How forms show the tools of a pack (challenge-pack c.5); readers take any mapping, and findings say what is wrong."""

from typing import Any

from packs.formats.schema.kinds import Purpose, kind, offering, opening
from packs.formats.schema.pieces import (
    FORMLESS,
    Schema,
    anything,
    asking,
    block,
    choice,
    free_map,
    items,
    long_text,
    must_say,
    says,
    text,
    texts,
)

PRIMITIVES = (
    "submit",
    "read_file",
    "write_file",
    "list_files",
    "search_files",
    "search_text",
    "query_json",
    "query_sql",
    "http_request",
    "run_tests",
    "build",
    "exec",
)
MOCK_STRATEGIES = {
    "static": "One fixed answer",
    "lookup": "The answer for an argument",
    "echo": "A text with the arguments filled in",
}
_BUILT_IN = text("Tool", examples=[*PRIMITIVES], widget="suggestions")
_IMPLEMENTATION = opening(
    block(
        "Implementation",
        {
            "type": choice(
                "Type", {"mock": "It answers by itself (a mock)"}, "Empty where another tool does the work."
            ),
            "strategy": choice("How it answers", MOCK_STRATEGIES, "For mocks."),
            "response": anything("Answer", "Of a mock with a fixed answer.", keep=True),
            "lookup_key": text("Argument", "By whose value a mock looks its answer up."),
            "responses": free_map("Answers", "By the value of that argument; `*` stands for any other.", keep=True),
            "template": long_text("Template", "What a mock answers; `${name}` stands for an argument.", keep=True),
            "primitive": text(
                "Done by",
                "The built-in tool, or another tool of the pack, that does the work.",
                picks="tools",
                widget="suggestions",
            ),
            "args": free_map(
                "Its arguments",
                "What that tool is given: `${name}` stands for an argument, `${secrets.NAME}` for a secret.",
                keep=True,
            ),
        },
        "What does the work when the agent calls the tool.",
    ),
    type={"mock": ["strategy"]},
    strategy={"static": ["response"], "lookup": ["lookup_key", "responses"], "echo": ["template"]},
)
_TOOL = block(
    "Tool",
    {
        "name": text("Name", "What the agent calls it by.", examples=["look_up_parcel"]),
        "description": long_text("Description", "Describes the tool to the agent.", open=True),
        "parameters": free_map("Parameters", "JSON Schema of its arguments, of type object.", keep=True, open=True),
        "implementation": _IMPLEMENTATION,
    },
    required=["name", "implementation"],
)


def _takes(*names: str) -> Schema:
    """The JSON Schema of arguments that are all texts and all needed."""
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": [*names]}


def _start(implementation: dict[str, Any], *names: str) -> Schema:
    return {"parameters": _takes(*names), "implementation": implementation}


def _handing_on(primitive: str, *names: str) -> Schema:
    """A tool that hands its arguments to a built-in tool; its author says which of them are fixed."""
    return _start({"primitive": primitive, "args": {name: f"${{{name}}}" for name in names}}, *names)


def _mock(strategy: str, names: tuple[str, ...], **answer: Any) -> Schema:
    return _start({"type": "mock", "strategy": strategy, **answer}, *names)


KINDS = {
    "mock_lookup": kind(
        "Mock that looks up its answer",
        Purpose.MOCK,
        "The value of an argument decides the answer; nothing outside is asked.",
        "`PX-1` gives `Leeds hub`, any other `unknown`",
        start=_mock("lookup", ("id",), lookup_key="id", responses={}),
    ),
    "mock_static": kind(
        "Mock with one answer",
        Purpose.MOCK,
        "Every call gets the same answer; nothing outside is asked.",
        '`{"status": "ok"}`',
        start=_mock("static", (), response={}),
    ),
    "mock_echo": kind(
        "Mock that repeats its arguments",
        Purpose.MOCK,
        "A text is the answer, with the arguments filled in.",
        "`Refunded ${amount}.`",
        start=_mock("echo", ("text",), template=""),
    ),
    "http_request": kind(
        "Call of a service",
        Purpose.SERVICE,
        "One HTTP request to an address that you fix or the agent completes.",
        "`https://parcels.example.org/${id}`",
        start=_handing_on("http_request", "method", "url"),
    ),
    "read_file": kind(
        "Read a file",
        Purpose.WORK,
        "The text of a file of the workspace.",
        "`notes/${name}.md`",
        start=_handing_on("read_file", "path"),
    ),
    "write_file": kind(
        "Write a file",
        Purpose.WORK,
        "A file of the workspace is written, with the folders above it.",
        "`report.md`",
        start=_handing_on("write_file", "path", "content"),
    ),
    "search_text": kind(
        "Search in files",
        Purpose.WORK,
        "Lines of the workspace's files that a pattern is found in.",
        "`PX-[0-9]+`",
        start=_handing_on("search_text", "pattern"),
    ),
    "query_json": kind(
        "Ask JSON",
        Purpose.WORK,
        "A jq filter on a file or a value.",
        '`.parcels[] | select(.id == "PX-1")`',
        start=_handing_on("query_json", "query", "file_path"),
    ),
    "query_sql": kind(
        "Ask a database",
        Purpose.WORK,
        "One statement on an SQLite file of the workspace.",
        "`select hub from parcels where id = ${id}`",
        start=_handing_on("query_sql", "engine", "query", "database_path"),
    ),
    "exec": kind(
        "Run a program",
        Purpose.COMMAND,
        "A program runs in the workspace; the tool policy must allow the shell.",
        "`python track.py`",
        start=_start({"primitive": "exec", "args": {"command": []}}),
    ),
    "other": kind(
        "Another tool",
        Purpose.SEVERAL,
        "Another tool of the pack, or a built-in one, does the work under this name.",
        "`track` hands on to `look_up`",
        start=_start({"primitive": "", "args": {}}),
    ),
}
_OF_A_MOCK: Schema = {
    "properties": {"implementation": says("type", "mock", trimmed=True, caseless=True)},
    "required": ["implementation"],
}
_WORKING: Schema = {
    "allOf": [
        must_say("primitive", "E402"),
        {
            "required": ["args"],
            "properties": {"args": {"x-null": True, "type": "object", "x-rules": "E406"}},
            "x-rules": {"required": "E405"},
        },
    ],
}
# What readers ask of the tools: a list of mappings with names, each with what does its work.
ASKED: list[Schema] = [
    {
        "properties": {"custom": items("", block("", {"name": text("")}))},
        "x-expected": "a mapping whose `custom` is a list of tools",
        "x-rules": "E411",
        FORMLESS: True,
    },
    {
        "properties": {
            "custom": {
                "items": {
                    "properties": {
                        "implementation": {
                            **block("", {"type": text(""), "primitive": text("")}, null=False),
                            "x-expected": "a mapping with a primitive and its args",
                            "x-rules": "E412",
                        }
                    },
                    "required": ["implementation"],
                    "x-rules": {"required": "E412"},
                    "allOf": [asking(_OF_A_MOCK, otherwise={"properties": {"implementation": _WORKING}})],
                }
            }
        },
        FORMLESS: True,
    },
]
TOOLS: Schema = block(
    "Tools",
    {
        "custom": items(
            "Tools of the pack",
            offering(_TOOL, "", KINDS, noun="tool"),
            "Tools that only this pack has.",
            open=True,
            declares="tools",
            named="name",
            known=[*PRIMITIVES],
        ),
        "allowed": texts("Allowed built-in tools", "Only these can be called by name; empty for all.", _BUILT_IN),
        "denied": texts("Denied built-in tools", "These cannot be called by name.", _BUILT_IN),
    },
)
