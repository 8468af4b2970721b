"""Schema of a task with every field that the format knows (task-suite 2 to 5); it makes the forms."""

from packs.formats.provenance import OWN_KEY
from packs.formats.schema.pieces import (
    AGENT,
    STUDIO,
    UNASKED,
    Schema,
    audiences,
    block,
    choice,
    count,
    free_map,
    items,
    long_text,
    mapping,
    number,
    ruled,
    share,
    strict,
    text,
    texts,
    yes_no,
)
from packs.formats.task_suite.catalogue import METRIC_FIELDS, METRICS
from packs.formats.task_suite.schema.graders import GRADER
from packs.formats.task_suite.suites import FAILURE_MODES, RESET_MODES, SUITES

REQUIRED = ("task_id", "suite", "description", "inputs", "graders", "tracked_metrics")
SUITE_LABELS = {suite.name: suite.label for suite in SUITES.values()}
METRIC_LABELS = {"pass^k": "All of the trials pass (pass^k)", "pass@k": "One of the trials passes (pass@k)"}


def _usual(place: int) -> str:
    """What the suites allow where nobody says anything, in words."""
    reported = ", ".join(f"{suite.label.lower()} {suite.budgets[place]:,}" for suite in SUITES.values())
    return f"Usual: {reported}."


BUDGETS: Schema = block(
    "Budgets",
    ruled(
        {
            "max_steps": count("Most steps", f"Turns of the agent; one can hold several calls. {_usual(0)}"),
            "max_tool_calls": count("Most tool calls", f"A call that is repeated counts again. {_usual(1)}"),
            "max_total_tokens": count(
                "Most tokens", f"In and out, of all model calls of the agent; judges do not count. {_usual(2)}"
            ),
            "max_wall_time_seconds": number(
                "Longest time (seconds)",
                f"While the agent works, without set-up and grading. {_usual(3)}",
                exclusiveMinimum=0,
                widget="seconds",
            ),
            "max_cost_usd": number("Most cost (USD)", "Of one trial. No limit where left out.", exclusiveMinimum=0),
        },
        "budget",
    ),
    "What one trial may use up. The step or call that would pass a limit is refused, and the trial has failed whatever "
    "its graders say. What is left out follows the configuration, then the suite.",
    unknown="unknown_budget",
)
TRIALS: Schema = strict(
    "Trials",
    {
        "k": count("Trials", "How often the task is tried in a run.", rules={"maximum": "endless"}),
        "metric": choice(
            "Counts as passed when",
            METRIC_LABELS,
            "All: for what must work every time. One: for what has many good answers.",
        ),
    },
    "How many attempts make one verdict. Attempts that end in an error do not count. What is left out follows the "
    "configuration, then the suite: "
    + ", ".join(f"{suite.label.lower()} {suite.k} with {suite.metric}" for suite in SUITES.values())
    + ".",
)
INPUTS: Schema = block(
    "Inputs",
    audiences(
        ruled(
            {
                "repo_path": text(
                    "Repository",
                    "Folder that the agent works on, as seen from the task's file.",
                    picks="folders",
                    widget="suggestions",
                ),
                "issue_statement": long_text("Issue", "What is to be done to the repository."),
                "user_message": long_text("Message", "What the user says."),
                "conversation_context": block(
                    "Conversation", {"user_message": long_text("Opening message", audience=AGENT)}
                ),
                "constraints": texts("Constraints", "Limits that the agent is told."),
                "policy": mapping(
                    "Policy",
                    {"type": "string"},
                    "Rules of the business by name; the agent is told.",
                    expected="a mapping of names to texts",
                ),
                "tools_available": texts("Tools", "The tools that the agent may use.", text("Tool"), declares="tools"),
                "forbidden_tools": texts(
                    "Forbidden tools",
                    "Hidden from the agent; trying one is a violation.",
                    text("Tool"),
                    declares="tools",
                ),
                "fallback_tools": texts(
                    "Fallback tools",
                    "Tools that count as a way out after a failure.",
                    text("Tool", picks="tools", widget="suggestions"),
                ),
                "secrets_in_env": texts(
                    "Planted secrets",
                    "Names of variables; values are made up for each trial.",
                    text("Secret", pattern="^[A-Za-z_][A-Za-z0-9_]*$", rules={"pattern": "variable"}),
                    declares="secrets",
                ),
                "incident_trace_ref": text("Incident", "Run, ticket or trace that a replay comes from."),
                "flaky_tool": text("Flaky tool", "Fails first and works later.", picks="tools", widget="suggestions"),
                "flaky_pattern": block(
                    "How it fails",
                    {
                        "first_n_failures": count("Failures"),
                        "failure_mode": choice("Way", {mode: mode.capitalize() for mode in FAILURE_MODES}),
                    },
                    required=["first_n_failures"],
                ),
                "expected_behavior": texts("Expected behaviour", "For readers and judges; hidden from the agent."),
            },
            "input",
        ),
        agent=(
            "repo_path",
            "issue_statement",
            "user_message",
            "conversation_context",
            "constraints",
            "policy",
            "tools_available",
            "secrets_in_env",
        ),
        studio=(
            "forbidden_tools",
            "fallback_tools",
            "incident_trace_ref",
            "flaky_tool",
            "flaky_pattern",
            "expected_behavior",
        ),
    ),
    "What the task is about. Keys of your own are kept; the agent is not told them.",
)
ENVIRONMENT: Schema = block(
    "Environment",
    {
        "sandbox": text("Sandbox", "Name of the image or simulator."),
        "reset": block(
            "Reset",
            {
                "mode": text(
                    "Mode",
                    "Made before every trial.",
                    examples=list(RESET_MODES),
                    widget="suggestions",
                    rules="unread",
                )
            },
        ),
        "budgets": BUDGETS,
    },
    "Where the task runs. Every trial gets a fresh one.",
)
GRADING: Schema = block(
    "Grading",
    ruled(
        {
            "mode": choice(
                "Mode",
                {
                    "binary": "Every critical grader passes",
                    "weighted": "The weighted mean reaches the threshold",
                    "hybrid": "Critical graders pass and the mean of the others reaches the threshold",
                },
            ),
            "threshold": share("Threshold", "Needed for weighted and hybrid.", keep=True),
        },
        "grading",
    ),
    "How the graders' results become one verdict.",
    rules="grading",
    allOf=[
        {
            "if": {"properties": {"mode": {"enum": ["weighted", "hybrid"]}}, "required": ["mode"]},
            "then": {"required": ["threshold"], "x-rules": "grading"},
        }
    ],
)
_NAMES: Schema = {"minItems": 1, "rules": "metric_fields", "expected": "a list of names"}
METRIC: Schema = block(
    "Metric",
    {
        "type": text("Type", pattern=r"\S", examples=list(METRICS), widget="suggestions", rules="metric_type"),
        "fields": texts("Fields", "Names of values.", examples=[list(METRIC_FIELDS[:2])], **_NAMES),
        "metrics": texts("Metrics (old name)", "The same as fields.", **_NAMES),
    },
    "Values that are measured; they never decide a trial.",
    open=False,
    required=["type"],
    rules={"required": "metric_type"},
    allOf=[
        {
            "if": {"required": ["metrics"]},
            "else": {"required": ["fields"], "x-rules": {"required": "metric_fields"}},
        },
        {
            "if": {"required": ["fields"]},
            "then": {"properties": {"metrics": {"not": {}, "x-rules": "fields_twice"}}},
        },
    ],
)
GATES: Schema = block(
    "Gates",
    {
        "ci_merge_gate": yes_no("Merge gate", "Must pass before a change is merged.", keep=True),
        "nightly": yes_no("Nightly", "Runs each night and reports; it stops nobody.", keep=True),
        "release_candidate": yes_no("Release", "Must pass before a release.", keep=True),
    },
    "Which gates count this task. What is left out follows the gate's list of suites; a yes or no here wins over it.",
    unknown="unknown_gate",
)

TASK: Schema = block(
    "Task",
    audiences(
        {
            "task_id": text(
                "Id",
                "Unique in the whole pack, and the name of the task's file.",
                pattern="^[a-z0-9](?:[a-z0-9._-]{0,126}[a-z0-9])?$",
                rules={"pattern": "id"},
                examples=["ledger-rounding-fix_1"],
            ),
            "suite": choice("Suite", SUITE_LABELS, "Decides defaults, and which gates the task belongs to."),
            "description": long_text(
                "Description",
                "What the agent must do and what counts as done. It is told only where no input asks anything.",
                pattern=r"\S",
                rules={"pattern": "blank"},
                audience=UNASKED,
            ),
            "tags": texts("Tags", "Labels of your own.", open=False),
            "inputs": {**INPUTS, "x-keep": True},
            "environment": ENVIRONMENT,
            "trials": TRIALS,
            "grading": GRADING,
            "graders": items(
                "Graders",
                GRADER,
                "What judges a trial, at least one. Look at results rather than at the way, where you can.",
                minItems=1,
            ),
            "tracked_metrics": items(
                "Tracked metrics",
                METRIC,
                "What is measured beside the verdict, at least one; it decides nothing.",
                minItems=1,
            ),
            "gates": GATES,
            "reference_solution": {
                **free_map(
                    "Reference solution",
                    "Proof that the task can be solved; never shown to the agent. A text, or final_message with files, "
                    "a mapping of paths in the working copy to texts: the reference agent answers so and leaves them.",
                ),
                "type": ["string", "object", "array"],
                "x-rules": "unread",
            },
            OWN_KEY: free_map(
                "Provenance",
                "The failed trial that this task was made of; written once.",
                open=False,
                audience=STUDIO,
                rules="unread",
            ),
        },
        agent=("task_id", "suite"),
        studio=(
            "tags",
            "environment",
            "trials",
            "grading",
            "graders",
            "tracked_metrics",
            "gates",
            "reference_solution",
        ),
    ),
    "One test: inputs, and what counts as success.",
    required=list(REQUIRED),
    unknown="unknown_key",
)
