"""Schema of a suite: what identifies it apart from what changes its runs (agentv A.3)."""

from packs.formats.agentv.schema.assertions import CONVERTERS, assertions
from packs.formats.agentv.schema.messages import asked
from packs.formats.agentv.schema.workspace import HOOKS_OF_TARGET, WORKSPACE
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
    number,
    renamed,
    respelt,
    share,
    text,
    texts,
    yes_no,
)

TARGETS: Schema = items(
    "Targets",
    {
        "title": "Target",
        "oneOf": [
            text("Name", picks="targets", widget="suggestions"),
            block(
                "With hooks",
                {
                    "name": text("Name", minLength=1, picks="targets", widget="suggestions"),
                    "use_target": text("As another target", picks="targets", widget="suggestions"),
                    "hooks": HOOKS_OF_TARGET,
                },
                required=["name"],
            ),
        ],
    },
    "The agents that answer, by name.",
    rules={"type": "ignored"},
)
STRATEGIES = {
    "pass_at_k": "The best trial",
    "mean": "The mean",
    "confidence_interval": "Lower bound of the mean (95 %)",
}
_BUDGET = number("Most cost of the run (USD)", exclusiveMinimum=0, rules="ignored")
_COST_LIMIT = number("Most cost (USD)", exclusiveMinimum=0, rules="ignored")
_STOPS = yes_no("Stop after an error", keep=True, rules="ignored")
EXECUTION: Schema = block(
    "Execution",
    {
        "target": text(
            "Target",
            "The agent that answers, by name.",
            pattern=r"\S",
            picks="targets",
            widget="suggestions",
            rules="ignored",
        ),
        "targets": TARGETS,
        "workers": integer("Tests at once", minimum=1, maximum=50, rules="ignored"),
        "threshold": share("Passes from", "0.8 where left out.", keep=True, rules="ignored"),
        "trials": block(
            "Trials",
            {
                "count": integer("Trials of each test", minimum=1, rules="ignored"),
                "strategy": choice("Score", STRATEGIES, rules="ignored"),
                "cost_limit_usd": _COST_LIMIT,
            },
            rules={"type": "ignored"},
            allOf=[respelt({"costLimitUsd": _COST_LIMIT})],
        ),
        "budget_usd": _BUDGET,
        "fail_on_error": _STOPS,
        "cache": yes_no("Keep answers", keep=True, rules="ignored"),
        "cache_path": text("Where answers are kept", pattern=r"\S", rules="ignored"),
    },
    "How the suite runs.",
    rules={"type": "ignored"},
    allOf=[respelt({"budgetUsd": _BUDGET, "failOnError": _STOPS})],
)
NAME = "^[a-z0-9-]+$"
_TEXT: Schema = {"type": "string"}
# What identifies a suite counts, and can keep it from being loaded, only where it has a name (A.3).
_INFORMATION: Schema = asking(
    {"properties": {"name": _TEXT}, "required": ["name"]},
    {
        "properties": {
            name: {**part, "x-null": False, "x-rules": "not_loaded"}
            for name, part in {
                "name": {"pattern": NAME, "maxLength": 64},
                "description": {**_TEXT, "minLength": 1, "maxLength": 1024},
                **dict.fromkeys(("version", "author", "license"), _TEXT),
                "tags": {"type": "array", "items": {**_TEXT, "x-rules": "not_loaded"}},
                "requires": {
                    "type": "object",
                    "properties": {"agentv": {**_TEXT, "x-null": False, "x-rules": "not_loaded"}},
                },
            }.items()
        }
    },
)
OLD_KEYS = {"eval_cases": "tests", "evalcases": "tests", "assert": "assertions", "evaluator": "assertions"}
SUITE: Schema = block(
    "Suite",
    distinguished(
        audiences(
            {
                "$file": text(
                    "File",
                    "Path of the suite in the pack.",
                    pattern=r"\.ya?ml$",
                    examples=["evals/parcels.eval.yaml"],
                    rules="place",
                ),
                "name": text("Name", "Small letters, digits and hyphens.", pattern=NAME, maxLength=64),
                "description": text("Description", "Shown in lists.", maxLength=1024),
                "workspace": WORKSPACE,
                "execution": EXECUTION,
                "input": asked(
                    "bad_shared_input", title="Shared input", description="Put before the input of every test."
                ),
                "input_files": texts(
                    "Shared files",
                    "Put before the input, where a test names none.",
                    text("File", picks="files", widget="suggestions"),
                ),
                "assertions": assertions("Added to those of every test."),
                "preprocessors": CONVERTERS,
                "tests": text(
                    "Tests from",
                    "A file or folder that holds the tests; left out where they stand in the suite.",
                    picks="folders",
                    widget="suggestions",
                    examples=["./cases.jsonl", "./cases.yaml", "./cases"],
                    rules={"not": "no_tests"},
                    **{"not": {"type": ["boolean", "number", "object"]}},
                ),
                "metadata": free_map("Metadata", "Shared by all tests; a test's own values win."),
                "governance": free_map("Governance", "Becomes metadata.governance of every test."),
                "version": text("Version", "A text, such as 1.0 in quotes."),
                "author": text("Author"),
                "category": text("Category", "Groups results; the folder's name where left out."),
                "tags": texts("Tags", "Choose suites for a run."),
                "license": text("Licence"),
                "requires": block("Requires", {"agentv": text("AgentV", examples=[">=4.33"])}, "Not enforced."),
                "$schema": text("Mark", "Says to AgentV's checks that this is a suite.", examples=["agentv-eval-v2"]),
            },
            agent=("input", "input_files"),
            studio=(
                "$file",
                "name",
                "description",
                "execution",
                "assertions",
                "preprocessors",
                "tests",
                "metadata",
                "governance",
                "version",
                "author",
                "category",
                "tags",
                "license",
                "requires",
                "$schema",
            ),
        ),
        "name",
        "description",
        "metadata",
        "governance",
        "version",
        "author",
        "category",
        "tags",
        "license",
        "requires",
        "$schema",
        without=("$file",),
    ),
    "One file of tests that run together.",
    # Read, though forms do not offer them.
    patternProperties={rf"^(?:\$.*|target|evaluators|{'|'.join(OLD_KEYS)})$": {}},
    unknown="unknown_suite_key",
    allOf=[renamed(OLD_KEYS, "old_suite_key"), _INFORMATION],
    required=["$file"],
    rules={"type": "no_suite", "required": {"$file": "place"}},
)
