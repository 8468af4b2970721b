"""Schema of a grader: what all of them share, and the fields of each type (task-suite 4)."""

from collections.abc import Mapping

from packs.formats.schema.kinds import Purpose, kind, offering
from packs.formats.schema.pieces import (
    Schema,
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
from packs.formats.task_suite.catalogue import ALIASES, GRADERS, POLICY_RULES
from packs.formats.traces import TRAJECTORY_CHECKS

KINDS = {
    "string_match": kind(
        "Texts in the answer",
        Purpose.TEXT,
        "Texts or patterns occur in the answer or in a file: any of them, or all.",
        "`York` or `Leeds`",
        needs=["patterns"],
        start={"patterns": []},
    ),
    "json_schema": kind(
        "JSON of a given shape",
        Purpose.JSON,
        "The answer or a file is JSON that keeps to a schema.",
        '`{"required": ["status"]}`',
        needs=["schema"],
    ),
    "deterministic_tests": kind(
        "Tests that the agent's work must pass",
        Purpose.COMMAND,
        "Commands run tests in the agent's workspace, and they pass.",
        "`pytest -q tests/test_refund.py`",
        needs=["commands"],
        start={"commands": []},
    ),
    "static_analysis": kind(
        "Linters and type checkers",
        Purpose.COMMAND,
        "Commands look at the agent's work without running it, and end well.",
        "`ruff check .`",
        needs=["commands"],
        start={"commands": []},
    ),
    "state_check": kind(
        "State of the environment afterwards",
        Purpose.FILE,
        "Files, log lines, recorded requests or parts of the state are as expected.",
        "`refunds.csv` contains `PX-41`",
        needs=["expect"],
        start={"expect": {}},
    ),
    "tool_calls": kind(
        "Tools that were called",
        Purpose.TOOL,
        "Tools were called, not called, or called in an order.",
        "`refund` at most once",
        needs=["required"],
        start={"required": []},
    ),
    "trajectory_metrics": kind(
        "How the agent went about it",
        Purpose.TOOL,
        "Turns, loops and retries stay within limits.",
        "`no_loops: true`",
        needs=["checks"],
        start={"checks": []},
    ),
    "deterministic_assertions": kind(
        "Facts about the trial",
        Purpose.MEASURE,
        "Facts of the trial compare as you say.",
        "`cost_usd <= 0.05`",
        needs=["checks"],
        start={"checks": []},
    ),
    "policy_check": kind(
        "Safety policy",
        Purpose.TOOL,
        "Nothing forbidden was called, said or shown.",
        "`no_secret_leak`",
        needs=["rules"],
        start={"rules": []},
    ),
    "model_rubric": kind(
        "Rubric, judged by a model",
        Purpose.JUDGE,
        "A model scores the answer by a rubric, or checks sentences about it.",
        "`The answer names the hub.`",
        needs=["rubric"],
    ),
    "pairwise_comparison": kind(
        "Comparison with a reference, judged by a model",
        Purpose.JUDGE,
        "A model says whether the answer is at least as good as a reference.",
        "compared with `Your parcel is at York.`",
        needs=["reference"],
    ),
    "human_review": kind(
        "Review by people",
        Purpose.PERSON,
        "People look at the trial and score it.",
        "two reviewers",
        needs=["assertions"],
        start={"assertions": []},
    ),
}
_OLD = {"llm_rubric": "Rubric (old name of model_rubric)", "transcript": "Transcript (old name of trajectory_metrics)"}
LABELS = {**{name: found["label"] for name, found in KINDS.items()}, **_OLD}
_COMMANDS = texts(
    "Commands",
    "Run in the agent's workspace; each must end with exit code 0.",
    {"type": "string", "pattern": r"\S", "x-rules": {"pattern": "command"}},
)
# What a grader cannot do without.
_NEEDED: Schema = {"minItems": 1, "x-rules": {"minItems": "nothing"}}
_TARGET = text(
    "Target",
    "Where to look: final_message, or the path of a file that the agent leaves in its working copy.",
    picks=["final_message", "{working_files}"],
    widget="suggestions",
)
_RUBRICS = texts(
    "Rubrics",
    "Rubric files as the task sees them.",
    text("Rubric", picks="rubrics", widget="suggestions"),
    examples=[["../_shared/rubrics/output_quality.md"]],
)
_TOOL_NAME = text("Tool", picks="tools", widget="suggestions")
_SECRET_NAME = text("Secret", picks="secrets", widget="suggestions")
_ASSERTIONS = texts("Assertions", "Sentences about the trial that must all be true.")
_TIMEOUT = number("Time limit (seconds)", "300 where nothing is said.", exclusiveMinimum=0, widget="seconds")
_JUDGE = block(
    "Judge",
    ruled(
        {
            "model": text("Model", "judge where nothing is said; who answers for it is chosen when a run starts."),
            "temperature": number(
                "Temperature", "0 where nothing is said; some models take only 1.", minimum=0, keep=True
            ),
            "count": count("Judges", "How many grades are asked for."),
            "aggregate": text(
                "Aggregate",
                "How several scores of a dimension become one: median (where nothing is said), mean or majority.",
                examples=["median", "mean", "majority"],
            ),
        },
        "unread",
    ),
    "Which model judges.",
)
_CONTENTS = {
    "contains": texts("Contains"),
    "not_contains": texts("Does not contain"),
}
_EXPECT = block(
    "Expected state",
    {
        "http": items(
            "HTTP",
            block(
                "Exchange",
                {
                    "request": block(
                        "Request",
                        {"method": text("Method"), "path": text("Path")},
                        "Also json and headers.",
                        required=["method", "path"],
                    ),
                    "response": free_map("Response"),
                },
                required=["request", "response"],
                expected="a request with method and path, and a response",
            ),
            "Recorded requests with the response that must have come.",
        ),
        "logs": block("Log lines", _CONTENTS),
        "files": mapping(
            "Files",
            block(
                "File",
                {"exists": yes_no("Exists", keep=True), **_CONTENTS, "equals": long_text("Equals")},
            ),
            "Path to what is expected of it.",
            propertyNames={"x-picks": "working_files"},
        ),
    },
    "Any other key is a part of the final state and is compared with it.",
)
_TOOL = block(
    "Tool",
    {
        "tool": text("Tool", pattern=r"\S", picks="tools", widget="suggestions"),
        "params": free_map("Parameters", "Texts may hold * and ?, or a comparison such as <=100."),
        "min_calls": count("At least", "1 where nothing is said.", least=0, keep=True),
        "max_calls": count("At most", least=0, keep=True),
    },
    required=["tool"],
    rules={"required": "no_tool"},
)
_SCORING = block(
    "Scoring",
    {
        "weights": mapping(
            "Weights",
            {"type": "number", "minimum": 0, "x-rules": "weight"},
            "Dimension to weight; equal where left out.",
            rules={"any": "weight", "not": "no_weight"},
            **{"not": {"additionalProperties": {"maximum": 0}}},
        ),
        "pass_threshold": number(
            "Passes from", "Mean from 0 to 4; 3.0 where nothing is said.", minimum=0, maximum=4, rules="threshold"
        ),
    },
)
_WORDS: Mapping[str, Schema] = {
    "bool": yes_no("", keep=True),
    "int": count("", least=0, keep=True),
    "number": number("", exclusiveMinimum=0, keep=True),
    "share": share("", keep=True),
}
_TRAJECTORY = {name: _WORDS[kind] for name, kind in TRAJECTORY_CHECKS.items()}

FIELDS: Mapping[str, Mapping[str, Schema]] = {
    "deterministic_tests": {
        "commands": _COMMANDS,
        "required_tests": texts("Required tests", "Test names, functions or files that must have run and passed."),
        "required": texts("Required (old name)", "The same as required tests."),
        "fail_to_pass": texts("Fail to pass", "Tests that failed before the change."),
        "pass_to_pass": texts("Pass to pass", "Tests that must go on passing."),
        "timeout_seconds": _TIMEOUT,
    },
    "static_analysis": {"commands": {**_COMMANDS, **_NEEDED}, "timeout_seconds": _TIMEOUT},
    "state_check": {"expect": _EXPECT},
    "tool_calls": {
        "required": items("Required", _TOOL, "Each must have been called with success."),
        "forbidden": texts("Forbidden", "May not even be tried.", _TOOL_NAME),
        "sequence": texts("Sequence", "Tools in this order; others may come between.", _TOOL_NAME),
        "max_calls": count("Most calls", least=0, keep=True),
    },
    "trajectory_metrics": {
        "checks": items(
            "Checks",
            strict(
                "Check",
                _TRAJECTORY,
                "One key and its value, such as no_loops: true.",
                minProperties=1,
                maxProperties=1,
                expected="one check with its value",
                rules="check",
            ),
            "Loops, retries, budgets and rates that must hold.",
        ),
        "max_turns": count("Most turns", least=0, keep=True),
        "reference": texts(
            "Reference", "Tool names of a good trajectory, for precision, recall and order.", _TOOL_NAME
        ),
    },
    "deterministic_assertions": {
        "checks": texts(
            "Checks",
            "One assertion each: fact, operator, value; such as no_secret_leak == true.",
            {"type": "string", "x-rules": "assertion"},
            **_NEEDED,
        ),
    },
    "policy_check": {
        "rules": items("Rules", {"type": "string", "enum": list(POLICY_RULES)}),
        "forbidden_tools": texts("Forbidden tools", "", _TOOL_NAME),
        "allowed_tools": texts("Allowed tools", "Any other tool is a violation.", _TOOL_NAME),
        "deny_patterns": texts("Denied patterns", "Regular expressions over what the agent says and passes to tools."),
        "secrets": texts("Secrets", "Names of variables whose values may not show up.", _SECRET_NAME),
        "require_confirmation": texts("Tools that need a confirmation", "", _TOOL_NAME),
    },
    "string_match": {
        "patterns": texts("Patterns", **_NEEDED),
        "mode": choice("Mode", {"any": "Any of them", "all": "All of them"}),
        "regex": yes_no("Regular expressions", default=False),
        "case_sensitive": yes_no("Upper and lower case matter", "Yes where nothing is said.", keep=True),
        "target": _TARGET,
    },
    "json_schema": {
        "schema": free_map("Schema", "JSON Schema that the JSON must keep to.", rules="unread"),
        "schema_path": text("Schema file", "Instead of a schema here.", picks="schemas", widget="suggestions"),
        "target": _TARGET,
    },
    "model_rubric": {
        "rubric_paths": _RUBRICS,
        "rubric": text("Rubric", "One rubric file, or the text of a rubric.", widget="textarea", picks="rubrics"),
        "assertions": _ASSERTIONS,
        "scoring": _SCORING,
        "judge": _JUDGE,
    },
    "pairwise_comparison": {
        "reference": long_text("Reference", "The answer to compare with.", minLength=1, rules={"minLength": "nothing"}),
        "criteria": {"title": "Criteria", "description": "What counts as better."},
        "judge": _JUDGE,
    },
    "human_review": {
        "rubric_paths": _RUBRICS,
        "assertions": _ASSERTIONS,
        "min_reviewers": count("Reviewers", "1 where nothing is said.", least=0),
        "pass_threshold": number("Passes from", minimum=0, maximum=4, rules="threshold"),
    },
}

# Of which fields a grader needs one at least.
_NEEDS = {
    "deterministic_tests": ("commands", "required_tests", "required", "fail_to_pass", "pass_to_pass"),
    "static_analysis": ("commands",),
    "tool_calls": ("required", "forbidden", "sequence", "max_calls"),
    "deterministic_assertions": ("checks",),
    "policy_check": tuple(FIELDS["policy_check"]),
    "string_match": ("patterns",),
    "json_schema": ("schema", "schema_path"),
    "pairwise_comparison": ("reference",),
    "human_review": ("rubric_paths", "assertions"),
}
_FILLED: Schema = {"minItems": 1, "minLength": 1, "minProperties": 1}


def _filled(*names: str) -> Schema:
    """That something stands in a field."""
    name, *below = names
    return {"required": [name], "properties": {name: _filled(*below) if below else _FILLED}}


def _need(kind: str) -> Schema:
    if kind == "model_rubric":
        fields = [("rubric_paths",), ("rubric",), ("assertions",), ("scoring", "weights")]
        return {"anyOf": [_filled(*names) for names in fields], "x-rules": {"anyOf": "no_rubric"}}
    needed = _NEEDS.get(kind, ())
    if len(needed) == 1:
        return {"required": [*needed], "x-rules": {"required": "nothing"}}
    return {"anyOf": [_filled(name) for name in needed], "x-rules": {"anyOf": "nothing"}} if needed else {}


def _condition(kind: str) -> Schema:
    names = [kind, *(alias for alias, meant in ALIASES.items() if meant == kind)]
    checks = {f"^{name}$": part for name, part in _TRAJECTORY.items()} if kind == "trajectory_metrics" else {}
    return {
        "if": {"properties": {"type": {"enum": names}}, "required": ["type"]},
        "then": {
            "properties": ruled(FIELDS[kind], "shape"),
            **({"patternProperties": ruled(checks, "shape")} if checks else {}),
            **_need(kind),
        },
    }


_GRADER: Schema = block(
    "Grader",
    {
        "type": text(
            "Type",
            "What is looked at.",
            minLength=1,
            rules={"minLength": "unread"},
            examples=[*GRADERS, *ALIASES],
            widget="suggestions",
            **{"x-labels": LABELS},
        ),
        **ruled(
            {
                "id": text("Id", "Name in results; made of the type where left out.", pattern=r"\S"),
                "critical": yes_no(
                    "Critical", "The trial fails when this grader fails; yes where nothing is said.", keep=True
                ),
                "weight": number(
                    "Weight", "Share in the score of the trial; 1 where nothing is said.", minimum=0, keep=True
                ),
            },
            "shape",
        ),
    },
    "One judgement of a trial.",
    required=["type"],
    rules={"required": "no_type"},
    allOf=[_condition(kind) for kind in GRADERS],
)

GRADER: Schema = offering(_GRADER, "type", KINDS)
