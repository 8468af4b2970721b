"""Schemas of the small parts that several nodes share: inputs, expectations, assets and references to assets."""

from typing import Any

from packs.formats.challenge_pack.evidence import FILE_PREFIX, LITERAL_PREFIX, PLAIN_REFERENCES
from packs.formats.schema.pieces import INT64_MAX, Schema, anything, audiences, block, integer, items, text

# Evidence of a trial, as far as it can be listed (challenge-pack d.2).
EVIDENCE = [
    "final_output",
    "case.expectations.{expectations}",
    "case.inputs.{inputs}",
    "case.payload.{payload}",
    "case.payload",
    "challenge_input",
    "artifact.{assets}",
    "file:{captures}",
    "tool_calls",
    "transcript.full",
    "literal:",
]
_PREFIXES = r"(?:case\.(?:payload|inputs|expectations)\.|artifact\.)"
_SEGMENT = r"[^.]*[^.\s][^.]*"
_FORMS = (
    *(name.replace(".", r"\.") for name in PLAIN_REFERENCES),
    rf"{LITERAL_PREFIX}[\s\S]*",
    rf"{FILE_PREFIX}\s*\S[\s\S]*",
    r"transcript\.last_n:\s*\+?0*[1-9][0-9]{0,17}\s*",
    rf"{_PREFIXES}{_SEGMENT}(?:\.{_SEGMENT})*",
)
# What `evidence.is_reference` takes.
REFERENCE = f"^(?:{'|'.join(_FORMS)})$"
# The same with blanks around it, or nothing.
REFERENCE_OR_BLANK = rf"^\s*(?:{'|'.join(_FORMS)})?\s*$"
_UUID = (
    r"(?:[uU][rR][nN]:[uU][uU][iI][dD]:)?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|[0-9a-fA-F]{32}|"
    r"\{[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}"
)
KIND_EXAMPLES = ["text", "json", "number", "file", "workspace"]


def reference(title: str, description: str = "", **more: Any) -> Schema:
    """A reference to evidence of a trial."""
    return text(title, description, picks=EVIDENCE, widget="suggestions", **more)


def whole(title: str, description: str = "", **more: Any) -> Schema:
    """A whole number of 64 bits, as a typed reader takes it."""
    limit = {} if "maximum" in more else {"maximum": INT64_MAX, "rules": {"maximum": "E005", **more.pop("rules", {})}}
    return integer(title, description, **limit, **more)


def asset(title: str = "Asset") -> Schema:
    return block(
        title,
        audiences(
            {
                "key": text(
                    "Key", "Name of this file within its list.", minLength=1, rule="E202", examples=["price-list"]
                ),
                "kind": text(
                    "Kind", "What sort of file it is, in your own words.", examples=["image", "pdf", "dataset"]
                ),
                "path": text(
                    "Path",
                    "Where the file lies in the pack's folder and where the agent finds it.",
                    minLength=1,
                    rule="E203",
                    examples=["files/price-list.csv"],
                ),
                "media_type": text("Media type", "Internet media type of the content.", examples=["text/csv"]),
                "artifact_id": text(
                    "Stored file",
                    "Identifier of an uploaded file with the bytes.",
                    format="uuid",
                    pattern=f"^(?:{_UUID})?$",
                    rule="E004",
                ),
            },
            agent=("key", "kind", "path", "media_type", "artifact_id"),
        ),
        "A file that belongs to the pack.",
        required=["key", "path"],
    )


def assets(title: str, description: str) -> Schema:
    return items(title, asset(), description)


def asset_references(title: str, description: str, audience: str) -> Schema:
    key = text(
        "Asset",
        "Key of an asset of the version.",
        minLength=1,
        rule="E204",
        picks="assets",
        widget="picker",
        audience=audience,
    )
    return items(title, block("Asset reference", {"key": key}, required=["key"]), description)


def case_input() -> Schema:
    return block(
        "Input",
        audiences(
            {
                "key": text(
                    "Key",
                    "Name of the input in templates and evidence references; unique in the case, without dots.",
                    minLength=1,
                    rule="E331",
                    examples=["question"],
                ),
                "kind": text(
                    "Kind",
                    "How to show the input. The kind `workspace` places files in the agent's working directory.",
                    minLength=1,
                    rule="E333",
                    examples=KIND_EXAMPLES,
                ),
                "value": anything(
                    "Value", "The content itself: a text, number, list or mapping.", widget="json", open=True
                ),
                "artifact_key": text("Asset", "Take the content from this asset.", picks="assets", widget="picker"),
                "path": text("Path", "A path inside the pack's files; as evidence it is only its own text."),
            },
            agent=("key", "kind", "value", "artifact_key", "path"),
        ),
        "Something that the case gives to the agent.",
        required=["key", "kind"],
        start={"kind": "text"},
    )


def expectation(title: str = "Expectation") -> Schema:
    return block(
        title,
        {
            "key": text(
                "Key",
                "Name of the expectation in evidence references; unique in the case, without dots.",
                minLength=1,
                rule="E341",
                examples=["answer"],
            ),
            "kind": text(
                "Kind", "How to show or compare the expectation.", minLength=1, rule="E343", examples=KIND_EXAMPLES
            ),
            "value": anything("Value", "What is expected. The agent never sees it.", widget="json", open=True),
            "artifact_key": text("Asset", "Take the content from this asset.", picks="assets", widget="picker"),
            "source": text(
                "Source",
                "Where the expected content comes from: an input of this case or an asset of the version.",
                pattern=r"^\s*(?:$|input:|artifact:)",
                rule="E347",
                picks=["input:{inputs}", "artifact:{assets}"],
                examples=["input:question", "artifact:price-list"],
            ),
        },
        "What a right answer is compared with.",
        required=["key", "kind"],
        start={"kind": "text"},
    )
