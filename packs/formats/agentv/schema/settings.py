"""Schema of the project settings (agentv I.4): the pack's own document."""

from typing import Any

from packs.formats.schema.pieces import STUDIO, Schema, asking, block, choice, text, texts, yes_no

_FIELD: Any = {"null": False, "rules": "results_field"}
_ANOTHER: Schema = {"not": {}, "x-rules": "repository_of_results"}
# One of three fields names the repository.
_NAMED: Schema = asking(
    {"required": ["repo"]},
    {"properties": {"repo_url": _ANOTHER, "repo_path": _ANOTHER}},
    {
        "allOf": [
            asking(
                {"required": ["repo_url"]},
                {"properties": {"repo_path": _ANOTHER}},
                {"required": ["repo_path"], "x-rules": {"required": "repository_of_results"}},
            )
        ]
    },
)
RESULTS: Schema = block(
    "Results",
    {
        "mode": choice("Mode", {"github": "GitHub"}, **_FIELD),
        "repo": text("Repository", "Owner and name.", pattern=r"\S", **_FIELD),
        "repo_url": text(
            "Address of the repository",
            pattern=r"^\s*(?:https?://|ssh://|git@|file://).",
            expected="the address of a Git repository",
            **_FIELD,
        ),
        "repo_path": text("Folder of the repository", pattern=r"\S", **_FIELD),
        "branch": text("Branch", pattern=r"\S", **_FIELD),
        "branch_prefix": text("Beginning of branches", pattern=r"\S", **_FIELD),
        "remote": text("Remote", pattern=r"\S", **_FIELD),
        "path": text("Folder", pattern=r"^\s*(?:/|~\s*$|~[/\\]|[A-Za-z]:[/\\])", null=False, rules="results_path"),
        "auto_push": yes_no("Push", **_FIELD),
        "sync": block(
            "Exchange",
            {"auto_push": yes_no("Push", **_FIELD), "require_push": yes_no("Push or fail", **_FIELD)},
            null=False,
            rules={"type": "results_field"},
        ),
    },
    "Where AgentV's own runner keeps results.",
    null=False,
    widget="json",
    rules={"type": "results"},
    allOf=[_NAMED],
)
SETTINGS: Schema = block(
    "Pack",
    {
        "x-slug": text("Slug", "The pack's name in addresses; only Packwright reads it."),
        "x-name": text("Name", "Only Packwright reads it."),
        "x-description": text("Description", "Only Packwright reads it."),
        "required_version": text("AgentV version", pattern=r"\S", null=False, rules="version"),
        "eval_patterns": texts(
            "Suites",
            "Which files are suites, for AgentV's own runner.",
            item={"type": "string", "x-rules": "patterns"},
            null=False,
            rules="patterns",
        ),
        "results": RESULTS,
    },
    "The project settings (.agentv/config.yaml).",
    audience=STUDIO,
    # Read, though forms do not offer them.
    patternProperties={r"^(?:\$schema|guideline_patterns|execution|projects)$": {}},
    unknown="unknown_setting",
    allOf=[asking({}, {"properties": {"projects": {"not": {}, "x-rules": "user_level"}}})],
)
