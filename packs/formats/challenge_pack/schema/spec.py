"""Schema of the evaluation spec: the strictly read part of a pack (challenge-pack d)."""

from packs.formats.challenge_pack.schema.judges import JUDGES
from packs.formats.challenge_pack.schema.parts import reference
from packs.formats.challenge_pack.schema.scorecard import SCORECARD
from packs.formats.collectors import COLLECTED
from packs.formats.kinds import KINDS
from packs.formats.schema.kinds import Purpose, kind, offering
from packs.formats.schema.pieces import (
    Schema,
    anything,
    choice,
    items,
    number,
    share,
    strict,
    text,
    whole,
    yes_no,
)

JUDGE_MODES = {
    "deterministic": "Validators only",
    "llm_judge": "LLM judges",
    "hybrid": "Validators and LLM judges",
}
CHECK_TYPES = {"file_capture": "Content of a file", "directory_listing": "Files of a folder"}
METRIC_TYPES = {"numeric": "Number", "text": "Text", "boolean": "Yes or no"}
SIGNALS = {
    "recovery_behavior": "Recovery after failures",
    "exploration_efficiency": "Few repeated calls",
    "error_cascade": "No rows of failures",
    "scope_adherence": "Stays within what is allowed",
}

_VALIDATOR: Schema = strict(
    "Validator",
    {
        "key": text("Key", "Unique in the spec.", minLength=1, examples=["answer_ok"]),
        "type": choice("Type", {name: known.label for name, known in KINDS.items()}, "How the target is checked."),
        "target": reference(
            "Target",
            "What is checked: the final output, a captured file, or `tool_calls`.",
            minLength=1,
            examples=["final_output", "file:report", "tool_calls"],
        ),
        "expected_from": reference(
            "Expected",
            "What it is compared with.",
            examples=["case.expectations.answer", "literal:yes"],
        ),
        "config": anything("Configuration", "Options of this type.", keep=True, widget="config"),
    },
    "A check that needs no model.",
    required=["key", "type", "target"],
    allOf=[
        {"if": {"properties": {"type": {"const": name}}}, "then": {"properties": {"config": known.settings}}}
        for name, known in KINDS.items()
        if known.settings
    ],
)

VALIDATOR: Schema = offering(_VALIDATOR, "type", {name: known.offer for name, known in KINDS.items()})

CHECK: Schema = strict(
    "Capture",
    {
        "key": text("Key", "Unique; validators refer to it as `file:<key>`.", minLength=1),
        "type": choice("Type", CHECK_TYPES),
        "path": text("Path", "Where it lies in the working directory.", minLength=1, examples=["report.md"]),
        "recursive": yes_no("With sub-folders", "For folders."),
        "max_size_bytes": whole("Most bytes", "More is cut off; 0 means 1 MiB.", minimum=0, widget="bytes"),
    },
    "A file or folder that is kept after the agent ended.",
    required=["key", "type", "path"],
)

_METRIC: Schema = strict(
    "Metric",
    {
        "key": text("Key", "Unique in the spec.", minLength=1),
        "type": choice("Type", METRIC_TYPES),
        "collector": text("Collector", "What is measured.", minLength=1, examples=[*COLLECTED], widget="suggestions"),
        "unit": text("Unit", "Shown beside the value.", examples=["ms", "tokens", "usd"]),
    },
    "A value measured during the trial.",
    required=["key", "type", "collector"],
)

METRIC: Schema = offering(
    _METRIC,
    "collector",
    {
        name: kind(
            name.removeprefix("run_").replace("_", " ").capitalize(),
            Purpose.MEASURE,
            says,
            "a limit or a better direction follows in the scorecard",
            start={"key": name, "type": "boolean" if name == "run_completed_successfully" else "numeric"},
        )
        for name, says in COLLECTED.items()
    },
)

SIGNAL: Schema = strict(
    "Signal",
    {
        "key": choice("Signal", SIGNALS),
        "weight": number("Weight", exclusiveMinimum=0),
        "gate": yes_no("Gate", "The dimension scores 0 when this signal is below its threshold."),
        "pass_threshold": share("Pass threshold", keep=True),
    },
    required=["key", "weight"],
)

BEHAVIORAL: Schema = strict(
    "Behavioural signals",
    {"signals": items("Signals", SIGNAL, minItems=1)},
    "What the order of the tool calls tells about the agent.",
    keep=True,
)

LIMITS: Schema = strict(
    "Limits",
    {
        "max_total_tokens": whole("Most tokens", exclusiveMinimum=0, keep=True),
        "max_cost_usd": number("Most cost (USD)", exclusiveMinimum=0, keep=True),
        "max_duration_ms": whole("Longest duration (ms)", exclusiveMinimum=0, keep=True, widget="milliseconds"),
        "max_iterations": whole("Most steps", minimum=1, maximum=1000, keep=True),
    },
    "Budgets of one trial.",
)

PRICE: Schema = strict(
    "Model price",
    {
        "provider_key": text("Provider", minLength=1, examples=["openai"]),
        "provider_model_id": text("Model", minLength=1),
        "input_cost_per_million_tokens": number("Input (USD per million tokens)", minimum=0),
        "output_cost_per_million_tokens": number("Output (USD per million tokens)", minimum=0),
    },
    required=["provider_key", "provider_model_id"],
)

SPEC: Schema = strict(
    "Evaluation spec",
    {
        "name": text("Name", minLength=1),
        "version_number": whole("Version", minimum=1),
        "judge_mode": choice("Judge mode", JUDGE_MODES, "Who judges."),
        "post_execution_checks": items("Captures", CHECK, "Files that are kept for checking.", declares="captures"),
        "validators": items(
            "Validators", VALIDATOR, "At least one, in every judge mode.", minItems=1, declares="validators"
        ),
        "metrics": items("Metrics", METRIC, declares="metrics"),
        "behavioral": BEHAVIORAL,
        "llm_judges": JUDGES,
        "runtime_limits": LIMITS,
        "pricing": strict("Prices", {"models": items("Models", PRICE)}, "Needed to measure cost."),
        "scorecard": SCORECARD,
    },
    "How answers are checked and how the checks become a score.",
    required=["name", "version_number", "judge_mode", "validators", "scorecard"],
)
