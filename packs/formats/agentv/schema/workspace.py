"""Schema of workspaces: template, repositories and hooks (agentv D)."""

from typing import Any

from packs.formats.schema.pieces import (
    STUDIO,
    Schema,
    asking,
    audiences,
    block,
    choice,
    integer,
    items,
    number,
    text,
    texts,
    yes_no,
)
from packs.formats.sizes import PATTERN as SIZES

_COMMAND: Schema = {
    "command": {
        "title": "Command",
        "oneOf": [
            texts(
                "Program and arguments",
                "",
                text("Argument", picks="scripts", widget="suggestions"),
                examples=[["python", "./scripts/prepare.py"]],
            ),
            text("Text"),
        ],
    },
    "timeout_ms": number("Longest time (ms)", "60000 before, 30000 after.", minimum=0),
    "cwd": text("Folder", "Where it runs; the suite's folder where left out.", picks="folders", widget="suggestions"),
}
POINTS = {
    "before_all": "Before all tests",
    "before_each": "Before each test",
    "after_each": "After each test",
    "after_all": "After all tests",
}
HOOKS_OF_TARGET: Schema = block(
    "Hooks of its own",
    {
        "enabled": yes_no("On", keep=True),
        **{name: {**block("Hook", _COMMAND), "title": title} for name, title in POINTS.items()},
    },
    "Run beside those of the workspace, in trials of this target only.",
)
_RESETS = {"none": "Nothing", "fast": "Changed and new files", "strict": "Ignored files too"}
_HOOK: Schema = block(
    "Hook",
    {
        **_COMMAND,
        "reset": choice("Reset", _RESETS),
    },
)
_SOURCE: Schema = block(
    "Source",
    audiences(
        {
            "type": choice("Kind", {"git": "Git", "local": "A folder of the runner"}),
            "url": text("URL"),
            "path": text("Folder"),
        },
        agent=("type", "url", "path"),
    ),
)
_CHECKOUT: Schema = block(
    "Checkout",
    audiences(
        {
            "base_commit": text("Commit", "Full id; wins over the ref."),
            "ref": text("Ref", "Branch, tag or commit; HEAD where left out."),
            "resolve": choice("Looked up", {"remote": "On the remote", "local": "In the clone"}),
            "ancestor": integer("Steps back", "First parents.", minimum=0, keep=True),
        },
        agent=("base_commit", "ref", "resolve", "ancestor"),
    ),
)
_CLONE: Schema = block(
    "Clone",
    audiences(
        {
            "depth": integer("Depth", minimum=1),
            "filter": text("Filter", examples=["blob:none"]),
            "sparse": texts("Only these paths"),
        },
        agent=("depth", "filter", "sparse"),
    ),
)
REPOSITORY: Schema = block(
    "Repository",
    audiences(
        {
            "path": text("Place in the workspace", examples=["./repo"]),
            "source": _SOURCE,
            "checkout": _CHECKOUT,
            "clone": _CLONE,
            "repo": text("Repository (pinned form)", "URL, or owner and name."),
            "commit": text("Commit (pinned form)"),
            "base_commit": text("Base commit (pinned form)"),
            "ancestor": integer("Steps back (pinned form)", minimum=0, keep=True),
            "sparse": texts("Only these paths (pinned form)"),
        },
        agent=("path", "repo", "commit", "base_commit", "ancestor", "sparse"),
    ),
    "Written in the classic form (source, checkout, clone) or the pinned one (repo, commit).",
)
_A_MAPPING = {"type": "object"}
_HAS_DOCKER = {"properties": {"docker": _A_MAPPING}, "required": ["docker"]}
_IS_PINNED = {"anyOf": [{"required": ["repo"]}, {"required": ["commit"]}]}
_ARE_PINNED = {
    "properties": {"repos": {"type": "array", "contains": {**_A_MAPPING, **_IS_PINNED}}},
    "required": ["repos"],
}
# JavaScript takes these for nothing at all.
_NOTHING = [None, "", 0, False]


def _each(**wanted: Any) -> Schema:
    """What every repository that is a mapping must have."""
    return {"properties": {"repos": {"items": {"allOf": [asking(_A_MAPPING, wanted)]}}}}


def _from(rule: str, **sources: Schema) -> Schema:
    """That every repository says where it comes from, but for containers that have it."""
    fields = {name: {**part, "x-rules": rule} for name, part in sources.items()}
    return asking(_HAS_DOCKER, otherwise=_each(properties=fields, required=[*fields], **{"x-rules": rule}))


# The two generations; only one form can be used in a workspace.
CLASSIC: Schema = {"allOf": [_from("no_source", source={"type": "object", "x-null": False})]}
PINNED: Schema = {
    "allOf": [
        _each(properties={name: {"not": {}, "x-rules": f"old_{name}"} for name in ("source", "checkout", "clone")}),
        _from("no_repository", repo={"not": {"enum": _NOTHING}}),
    ]
}
REPOSITORIES: Schema = asking(_ARE_PINNED, PINNED, CLASSIC)
_ISOLATIONS = {"shared": "One for all tests", "per_test": "One for each test"}
_MODES = {"pooled": "From a pool", "temp": "Anew", "static": "In a folder that is there"}
RESETS = (*_RESETS,)
CONTAINER: Schema = block(
    "Container",
    {
        "image": text("Image"),
        "timeout": number("Longest time (s)", minimum=1, rules="bad_limit"),
        "memory": text(
            "Memory",
            examples=["2g"],
            pattern=SIZES,
            expected="a size such as 512m or 2g",
            rules="bad_limit",
        ),
        "cpus": number("Processors", minimum=0.1, rules="bad_limit"),
    },
    rules={"type": "type"},
)
WORKSPACE_FIELDS: Schema = block(
    "Workspace",
    audiences(
        {
            "template": text(
                "Template",
                "A folder that is copied into the workspace.",
                picks="folders",
                widget="suggestions",
                rules="type",
            ),
            "isolation": choice("Isolation", _ISOLATIONS, rules="unread"),
            "mode": choice("Made", _MODES, rules="unread"),
            "path": text("Folder of the runner", "Implies the mode static.", rules="type"),
            "repos": items("Repositories", REPOSITORY, rules={"type": "type"}),
            "docker": CONTAINER,
            "env": block(
                "Needs",
                {"required_commands": texts("Commands"), "required_python_modules": texts("Python modules")},
                rules={"type": "type"},
            ),
            "hooks": block(
                "Hooks",
                {
                    "enabled": yes_no("On", keep=True),
                    **{name: {**_HOOK, "title": title} for name, title in POINTS.items()},
                },
                rules={"type": "type"},
            ),
        },
        agent=("path",),
        studio=("template", "isolation", "mode", "docker", "env", "hooks"),
    ),
    allOf=[REPOSITORIES],
)
WORKSPACE: Schema = {
    "title": "Workspace",
    "description": "What is laid out before the agent begins, and what runs around it.",
    "oneOf": [
        WORKSPACE_FIELDS,
        text("Path of a file that holds it", picks="files", widget="suggestions", audience=STUDIO),
    ],
}
