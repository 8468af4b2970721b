"""Schemas of manifest, rows file, row and file (benchmark-pack 2 to 5)."""

from packs.formats.benchmark_pack.families import ACTIVE, DEFERRED
from packs.formats.benchmark_pack.header import HIDDEN_ROOT, PUBLIC_ROOT
from packs.formats.benchmark_pack.schema.families import EVAL, INPUT
from packs.formats.schema.kinds import Purpose, kind, offering
from packs.formats.schema.pieces import (
    AGENT,
    STUDIO,
    Schema,
    audiences,
    block,
    free_map,
    integer,
    items,
    number,
    text,
    yes_no,
)

FAMILY: Schema = text(
    "Family",
    "The kind of task; it decides the fields and the verifier.",
    examples=[*ACTIVE, *DEFERRED],
    audience=AGENT,
    null=True,
    minLength=1,
    rules="family",
)
# What environments hold is checked once those of the manifest and the row are merged.
ENVIRONMENT: Schema = {
    "type": "object",
    "title": "Environment",
    "x-null": True,
    "x-rules": "section",
    "description": "Four keys have a meaning; any other is kept.",
    "properties": audiences(
        {
            "image": text(
                "Image",
                "Container image in which the task runs.",
                examples=["python:3.12-slim"],
                null=True,
                rules="environment",
            ),
            "workdir": text(
                "Folder",
                "Where the workspace or the repository stands.",
                examples=["/workspace"],
                null=True,
                rules="environment",
            ),
            "timeout_seconds": number(
                "Time limit (seconds)",
                "For the agent.",
                exclusiveMinimum=0,
                widget="seconds",
                null=True,
                rules="environment",
            ),
            "materialize_workdir_from_image": yes_no(
                "Start from the image",
                "Whether the workspace begins with the image's own files; terminal tasks only.",
                null=True,
                rules="environment",
            ),
        },
        agent=("workdir",),
        studio=("image", "timeout_seconds", "materialize_workdir_from_image"),
    ),
}
MANIFEST: Schema = block(
    "Benchmark pack",
    audiences(
        {
            "id": text("Id", "Name of the benchmark.", minLength=1, examples=["parcel-questions"], rules="id"),
            "version": integer("Version", "A counter; raise it to publish a change.", rules="version"),
            "defaults": block(
                "Defaults",
                {"family": FAMILY, "environment": ENVIRONMENT},
                "What rows have that do not say otherwise.",
                null=True,
                rules="section",
                unknown="unknown_key",
            ),
            "asset_roots": block(
                "Asset roots",
                {
                    "public": text(
                        "Public root",
                        "Folder of the files that agents see.",
                        default=PUBLIC_ROOT,
                        minLength=1,
                        rules="root",
                    ),
                    "eval": text(
                        "Hidden root",
                        "Folder of the files for verifiers only.",
                        default=HIDDEN_ROOT,
                        minLength=1,
                        rules="root",
                    ),
                },
                null=True,
                rules="section",
                unknown="unknown_key",
            ),
            "asset_defaults": block(
                "Asset defaults",
                {
                    "read_only": yes_no(
                        "Read only", "Whether agents may not change files.", default=True, rules="read_only"
                    )
                },
                null=True,
                rules="section",
                unknown="unknown_key",
            ),
        },
        studio=("id", "version", "asset_roots", "asset_defaults"),
    ),
    "Rows of tasks with the files that they need.",
    required=["id", "version"],
    rules={"required": {"id": "id", "version": "version"}},
    unknown="unknown_key",
)
INPUT_SET: Schema = block(
    "Rows file",
    audiences(
        {
            "file": text(
                "File",
                "Name of the rows file, below the pack's folder.",
                pattern=r"\.jsonl\s*$",
                examples=["tasks.jsonl"],
            )
        },
        studio=("file",),
    ),
    "Rows that run together.",
    required=["file"],
)
ASSET: Schema = block(
    "File",
    audiences(
        {
            "path": text(
                "Path",
                "Where the file lies in the pack's folder: below the public root for agents, below the hidden one for "
                "verifiers only.",
                minLength=1,
                examples=["assets/note.txt", "hidden/run-tests.sh"],
            )
        },
        agent=("path",),
    ),
    "A file that rows name.",
    required=["path"],
)
ASSET_ENTRY: Schema = block(
    "Asset",
    audiences(
        {
            "path": text(
                "Path",
                "File or folder below the public root.",
                minLength=1,
                picks="public_files",
                widget="suggestions",
                rules="plan",
            ),
            "mount": text(
                "Mount", "Where it appears in the workspace; the path when absent.", minLength=1, rules="plan"
            ),
            "read_only": yes_no(
                "Read only",
                "Whether the agent may not change it; the manifest's default when absent.",
                null=True,
                rules="plan",
            ),
            "type": text("Type", "A hint only.", examples=["file", "directory", "image", "pdf"], null=True),
            "mode": text("Mode", "A hint only.", examples=["copy", "mount", "extract"], null=True),
        },
        agent=("path", "mount", "read_only", "type", "mode"),
    ),
    "A file or folder that the agent gets.",
    required=["path"],
    rules={"type": "asset", "required": "plan"},
    unknown="unknown_asset_key",
)

KINDS = {
    "short_answer": kind(
        ACTIVE["short_answer"],
        Purpose.TEXT,
        "The answer is one of the accepted texts, or the expected number.",
        "`York` for `Which hub?`",
    ),
    "multiple_choice": kind(
        ACTIVE["multiple_choice"],
        Purpose.TEXT,
        "The answer names the right one of several choices.",
        "`B` of `A`, `B` and `C`",
    ),
    "free_response": kind(
        ACTIVE["free_response"],
        Purpose.JUDGE,
        "A model judges a longer answer by a rubric.",
        "`Names both causes of the delay`",
    ),
    "code_completion": kind(
        ACTIVE["code_completion"],
        Purpose.COMMAND,
        "Tests run on code that the agent wrote, and pass.",
        "a function `total(prices)`",
    ),
    "repo_patch": kind(
        ACTIVE["repo_patch"],
        Purpose.COMMAND,
        "A repository's tests pass once the agent's patch is applied.",
        "`pytest tests/test_refund.py`",
    ),
    "terminal_task": kind(
        ACTIVE["terminal_task"],
        Purpose.COMMAND,
        "A checker looks at what the agent left in its workspace.",
        "`sh run.sh` ends with exit code 0",
    ),
}


def _of_family(family: str) -> Schema:
    return {
        "if": {"properties": {"family": {"const": family}}, "required": ["family"]},
        "then": {
            "properties": {"input": INPUT[family], "eval": {**EVAL[family], "x-audience": STUDIO}},
            "required": ["input", "eval"],
        },
    }


def row_schema() -> Schema:
    """The schema of a row: what `input` and `eval` hold follows from the family."""
    found = block(
        "Row",
        audiences(
            {
                "id": text(
                    "Id", "Name of the row; results are found by it.", minLength=1, examples=["pack/task-7"], rules="id"
                ),
                "family": {**FAMILY, "x-inherits": "/defaults/family"},
                "input": free_map("Input", "What the agent sees.", null=True, rules="section"),
                "assets": items(
                    "Assets",
                    ASSET_ENTRY,
                    "Files of the public root that the agent gets.",
                    null=True,
                    rules="assets",
                    open=False,
                ),
                "eval": free_map(
                    "Evaluation", "How the answer is judged; hidden from agents.", null=True, rules="section"
                ),
                "environment": ENVIRONMENT,
                "metadata": free_map(
                    "Metadata",
                    "Facts for people; never shown to agents.",
                    effect="informational",
                    null=True,
                    rules="section",
                    open=False,
                ),
            },
            agent=("id", "input"),
            studio=("eval", "metadata"),
        ),
        "One task.",
        required=["id"],
        rules={"required": "id"},
        unknown="unknown_key",
    )
    found = offering(found, "family", KINDS)
    return {**found, "allOf": [_of_family(family) for family in ACTIVE]}
