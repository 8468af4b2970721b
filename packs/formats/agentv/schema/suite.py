"""Schema of a suite: what identifies it apart from what changes its runs (agentv A.3)."""

from packs.formats.agentv.schema.assertions import CONVERTERS, assertions
from packs.formats.agentv.schema.messages import asked
from packs.formats.agentv.schema.workspace import HOOKS_OF_TARGET, WORKSPACE
from packs.formats.schema.pieces import (
    Schema,
    audiences,
    block,
    choice,
    distinguished,
    free_map,
    integer,
    items,
    mapping,
    number,
    renamed,
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
)
STRATEGIES = {
    "pass_at_k": "The best trial",
    "mean": "The mean",
    "confidence_interval": "Lower bound of the mean (95 %)",
}
EXECUTION: Schema = block(
    "Execution",
    {
        "target": text("Target", "The agent that answers, by name.", picks="targets", widget="suggestions"),
        "targets": TARGETS,
        "workers": integer("Tests at once", minimum=1, maximum=50),
        "threshold": share("Passes from", "0.8 where left out.", keep=True),
        "trials": block(
            "Trials",
            {
                "count": integer("Trials of each test", minimum=1),
                "strategy": choice("Score", STRATEGIES),
                "cost_limit_usd": number("Most cost (USD)", exclusiveMinimum=0),
            },
        ),
        "budget_usd": number("Most cost of the run (USD)", exclusiveMinimum=0),
        "fail_on_error": yes_no("Stop after an error", keep=True),
        "cache": yes_no("Keep answers", keep=True),
        "cache_path": text("Where answers are kept"),
    },
    "How the suite runs.",
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
                "name": text("Name", "Small letters, digits and hyphens.", pattern="^[a-z0-9-]+$", maxLength=64),
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
                "requires": mapping("Requires", text("Versions"), "Not enforced."),
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
    allOf=[renamed(OLD_KEYS, "old_suite_key")],
    required=["$file"],
    rules={"type": "no_suite", "required": {"$file": "place"}},
)
